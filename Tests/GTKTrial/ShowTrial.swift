#if GTK
import CGTK
import CGTKShim
import Foundation
import Pixels
import ServerSupport
import WebImage
import WebImageGTK
import WebImageTesting

@MainActor
enum ShowTrial {
    /// One picture on each kind of widget.
    static func run() async throws {
        let pictures = Pictures()
        let url = try pictures.put("quarters", Pictures.quarters(200, 200))
        guard let picture = gtk_picture_new(), let image = gtk_image_new(), let button = gtk_button_new(),
            let box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0), let label = gtk_label_new("text")
        else { throw TrialError("There are no widgets.") }
        gtk_image_set_pixel_size(OpaquePointer(image), 64)
        for widget in [picture, image, button] {
            gtk_widget_set_valign(widget, GTK_ALIGN_START)
            gtk_box_append(UnsafeMutableRawPointer(box).assumingMemoryBound(to: GtkBox.self), widget)
        }
        gtk_widget_set_size_request(picture, 100, 100)
        let window = try Window(box, width: 600, height: 300)
        await window.present()
        let loads = [picture, image, button].map { setImage(url, on: $0, pipeline: pictures.pipeline) }
        for (name, load) in zip(["picture", "image", "button"], loads) {
            Report.say(name + "Size", await load.outcome.response?.bitmap.size.description ?? "none")
        }
        await Frames.pass(3, on: window.widget)
        let shot = try window.picture()
        Report.say("picture", quarters(of: picture, 100, in: window, shot))
        Report.say("image", quarters(of: image, 64, in: window, shot))
        Report.say("button", quarters(of: button, 200, in: window, shot))
        let child = webimage_button_child(button)
        Report.say("buttonChild", child.map { webimage_is_a($0, gtk_picture_get_type()) != 0 } ?? false)
        Report.say("buttonPaintable", child.map { gtk_picture_get_paintable(OpaquePointer($0)) != nil } ?? false)
        g_object_ref_sink(label)
        Report.say(
            "label", await setImage(url, on: label, pipeline: pictures.pipeline).outcome.error?.message ?? "none")
        // What somebody else puts there gives way to the next call.
        gtk_picture_set_paintable(OpaquePointer(picture), nil)
        let again = setImage(url, on: picture, pipeline: pictures.pipeline)
        Report.say("again", again.currentOutcome?.response?.tier.rawValue ?? "none")
        Report.say("installedAgain", gtk_picture_get_paintable(OpaquePointer(picture)) != nil)
        Report.say("url", imageBinding(of: picture)?.url(in: .image) == url)
    }

    /// The colours of the middles of the quarters of a square in the middle of a widget.
    private static func quarters(of widget: Widget, _ side: Double, in window: Window, _ shot: Shot) -> String {
        let (width, height) = (Double(gtk_widget_get_width(widget)), Double(gtk_widget_get_height(widget)))
        let places = [(-0.25, -0.25), (0.25, -0.25), (-0.25, 0.25), (0.25, 0.25)]
        return places.map { x, y in
            var (left, top) = (0.0, 0.0)
            gtk_widget_translate_coordinates(
                widget, window.widget, width / 2 + x * side, height / 2 + y * side, &left, &top)
            return shot.color(Int(left), Int(top))
        }.joined(separator: ", ")
    }

    /// The memory of the bitmap is what is on the screen: a change to it shows, without a copy in between.
    static func screen() async throws {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: 64 * 64 * 4, alignment: 64)
        memory.initializeMemory(as: UInt8.self, repeating: 255, count: 64 * 64 * 4)
        guard
            let bitmap = Bitmap(
                wrapping: memory, size: PixelSize(width: 64, height: 64), format: .rgba8, bytesPerRow: 256,
                release: { Report.say("released", 1) }),
            let picture = gtk_picture_new()
        else { throw TrialError("There is no bitmap.") }
        let pictures = Pictures()
        let window = try Window(picture, width: 64, height: 64)
        await window.present()
        func show(_ standIn: StandIn?) {
            setImage(
                nil as URL?, on: picture, settings: WidgetSettings(placeholder: standIn),
                pipeline: pictures.pipeline)
        }
        show(.bitmap(bitmap))
        for place in 0..<(64 * 32) { memory.storeBytes(of: 0xFF00_00FF, toByteOffset: place * 4, as: UInt32.self) }
        let screen = try await Stage.screen(of: window.widget)
        let drawn = try window.picture()
        Report.say("rendered", drawn.color(32, 16) + ", " + drawn.color(32, 48))
        Report.say("framebuffer", screen.color(32, 16) + ", " + screen.color(32, 48))
        Report.say("held", heldBitmapCount)
        show(nil)
        await Frames.pass(3, on: window.widget)
        Report.say("heldAfter", heldBitmapCount)
    }

    /// The three places of a widget.
    static func slots() async throws {
        let pictures = Pictures()
        let front = try pictures.put("front", Pictures.plain(40, 40, [255, 0, 0]))
        let second = try pictures.put("second", Pictures.plain(40, 40, [0, 255, 0]))
        guard let button = gtk_toggle_button_new() else { throw TrialError("There is no button.") }
        gtk_widget_set_size_request(button, 100, 100)
        let window = try Window(button, width: 100, height: 100)
        await window.present()
        _ = await setImage(front, on: button, pipeline: pictures.pipeline).outcome
        let alternate = setImage(second, on: button, in: .alternate, pipeline: pictures.pipeline)
        _ = await alternate.outcome
        await Frames.pass(2, on: window.widget)
        Report.say("normal", try window.picture().color(50, 50))
        gtk_widget_set_state_flags(button, GTK_STATE_FLAG_CHECKED, 0)
        await Frames.pass(2, on: window.widget)
        Report.say("checked", try window.picture().color(50, 50))
        gtk_widget_unset_state_flags(button, GTK_STATE_FLAG_CHECKED)
        await Frames.pass(2, on: window.widget)
        Report.say("unchecked", try window.picture().color(50, 50))
    }

    /// What is seen when there is no picture.
    static func failures() async throws {
        let pictures = Pictures()
        guard let picture = gtk_picture_new() else { throw TrialError("There is no picture.") }
        let window = try Window(picture, width: 100, height: 100)
        await window.present()
        let settings = WidgetSettings(
            placeholder: .color(red: 0, green: 0, blue: 255), failurePicture: .color(red: 255, green: 0, blue: 255))
        pictures.transport.gate.close()
        let load = setImage(try pictures.url("none"), on: picture, settings: settings, pipeline: pictures.pipeline)
        await Frames.pass(2, on: window.widget)
        Report.say("waiting", try window.picture().color(50, 50))
        pictures.transport.gate.open()
        Report.say("status", await load.outcome.error?.statusCode ?? 0)
        await Frames.pass(2, on: window.widget)
        Report.say("failed", try window.picture().color(50, 50))
        let none = setImage(nil as URL?, on: picture, pipeline: pictures.pipeline)
        Report.say("nowhere", await none.outcome.error?.code.rawValue ?? "none")
    }
}
#endif
