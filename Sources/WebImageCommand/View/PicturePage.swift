#if GTK
import CGTK
import WebImage
import WebImageGTK

/// One picture in the whole window, and over it a sheet that says where it came from.
@MainActor
final class PicturePage {
    let widget: Widget
    private let picture: Widget
    private let sheet: Widget

    /// - Returns: nil if GTK has no widgets to give.
    init?() {
        guard let overlay = gtk_overlay_new(), let picture = gtk_picture_new(), let sheet = gtk_label_new(nil) else {
            return nil
        }
        (widget, self.picture, self.sheet) = (overlay, picture, sheet)
        gtk_overlay_set_child(OpaquePointer(overlay), picture)
        gtk_overlay_add_overlay(OpaquePointer(overlay), sheet)
        // Keys go to what has the focus.
        gtk_widget_set_focusable(picture, 1)
        gtk_widget_set_halign(sheet, GTK_ALIGN_END)
        gtk_widget_set_valign(sheet, GTK_ALIGN_START)
        gtk_widget_add_css_class(sheet, "osd")
        gtk_label_set_selectable(OpaquePointer(sheet), 0)
        gtk_label_set_wrap(OpaquePointer(sheet), 1)
        gtk_label_set_xalign(OpaquePointer(sheet), 0)
        gtk_label_set_max_width_chars(OpaquePointer(sheet), 60)
        gtk_widget_set_visible(sheet, 0)
    }

    func show(_ source: Source, _ request: ImageRequest?, _ pipeline: ImagePipeline) {
        gtk_widget_grab_focus(picture)
        tell(source.text)
        let settings = WidgetSettings(
            placeholder: nil, transition: .crossFade,
            failurePicture: .color(red: 200, green: 60, blue: 60, alpha: 60), indicator: .bar)
        setImage(request, on: picture, settings: settings, pipeline: pipeline) { [weak self] outcome in
            switch outcome {
            case .loaded(let response): self?.tell(Self.lines(source, response).joined(separator: "\n"))
            case .failed(let error):
                self?.tell("\(source.text)\n\(source.explained(error).message)")
                if error.code != .cancelled { self?.showSheet() }
            case .superseded: break
            }
        }
    }

    func clear() { clearImages(on: picture) }

    func toggleSheet() { gtk_widget_set_visible(sheet, gtk_widget_get_visible(sheet) == 0 ? 1 : 0) }

    func toggleAnimation() {
        guard let player = imagePlayer(of: picture) else { return }
        if player.isPlaying { player.pause() } else { player.play() }
    }

    private func showSheet() { gtk_widget_set_visible(sheet, 1) }

    private func tell(_ text: String) { gtk_label_set_text(OpaquePointer(sheet), text) }

    /// What is known of a picture, for people.
    nonisolated static func lines(_ source: Source, _ response: ImageResponse) -> [String] {
        var lines = [source.text]
        lines.append("\(response.info.size) pixels, \(response.info.format.name), \(Figures.bytes(response.byteCount))")
        if let animation = response.animation { lines.append("\(animation.frameCount) frames") }
        lines.append("shown with \(response.bitmap.size) pixels, from \(response.tier.rawValue)")
        let timings = response.timings
        let steps: [(String, Duration?)] = [
            ("disk", timings.disk), ("fetch", timings.fetch), ("wait", timings.queue), ("decode", timings.decode),
            ("process", timings.process), ("in all", timings.total),
        ]
        lines.append(
            steps.compactMap { name, time in time.map { "\(name) \(Figures.milliseconds($0)) ms" } }.joined(
                separator: ", "))
        return lines + response.trail.sentences(tier: response.tier)
    }
}
#endif
