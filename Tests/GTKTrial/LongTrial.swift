#if GTK
import CGTK
import Foundation
import Pixels
import WebImage
import WebImageGTK

/// Pictures that no renderer takes as one texture.
@MainActor
enum LongTrial {
    static func run() async throws {
        // The last row and column of a prime size has a colour of its own.
        try await show("wide", 60_013, 101)
        try await show("tall", 101, 60_013)
    }

    private static func color(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> [UInt8] {
        x == width - 1 || y == height - 1
            ? [255, 255, 255] : [UInt8(x * 5 & 255), UInt8(y * 3 & 255), UInt8((x ^ y) & 255)]
    }

    private static func show(_ name: String, _ width: Int, _ height: Int) async throws {
        let pictures = Pictures()
        let bitmap = try Pictures.bitmap(width, height) { x, y in color(x, y, width, height) }
        let url = try pictures.put(name, bitmap)
        guard let picture = gtk_picture_new(), let scrolled = gtk_scrolled_window_new() else {
            throw TrialError("There are no widgets.")
        }
        gtk_picture_set_can_shrink(OpaquePointer(picture), 0)
        gtk_widget_set_halign(picture, GTK_ALIGN_START)
        gtk_widget_set_valign(picture, GTK_ALIGN_START)
        gtk_scrolled_window_set_policy(OpaquePointer(scrolled), GTK_POLICY_EXTERNAL, GTK_POLICY_EXTERNAL)
        gtk_scrolled_window_set_child(OpaquePointer(scrolled), picture)
        let window = try Window(scrolled, width: 300, height: 300)
        await window.present()
        let load = setImage(
            url, on: picture, settings: WidgetSettings(size: .original), pipeline: pictures.pipeline)
        Report.say(name + "Size", await load.outcome.response?.bitmap.size.description ?? "none")
        await Frames.pass(3, on: window.widget)
        let (across, down) = (
            gtk_scrolled_window_get_hadjustment(OpaquePointer(scrolled)),
            gtk_scrolled_window_get_vadjustment(OpaquePointer(scrolled))
        )
        // The beginning, a border between two tiles, and the end.
        for (place, start) in [("start", 0), ("border", 8_192 - 150), ("end", 60_013 - 300)] {
            gtk_adjustment_set_value(width > height ? across : down, Double(start))
            await Frames.pass(3, on: window.widget)
            let shot = try window.picture()
            var wrong = 0
            for y in 0..<min(300, height) {
                for x in 0..<min(300, width) {
                    let wanted = color(
                        width > height ? x + start : x, width > height ? y : y + start, width, height)
                    if shot.color(x, y) != wanted.map(String.init).joined(separator: " ") { wrong += 1 }
                }
            }
            Report.say("\(name) \(place)", wrong)
        }
        window.destroy()
        // In a small widget, all of it at once.
        guard let small = gtk_picture_new() else { throw TrialError("There is no picture.") }
        let second = try Window(small, width: 300, height: 300)
        await second.present()
        _ = setImage(url, on: small, settings: WidgetSettings(size: .original), pipeline: pictures.pipeline)
        await Frames.pass(3, on: second.widget)
        let shot = try second.picture()
        let line = (140..<160).map { width > height ? shot.color(150, $0) : shot.color($0, 150) }
        Report.say("\(name) small", Set(line).joined(separator: ", "))
        second.destroy()
    }
}
#endif
