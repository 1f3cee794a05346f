#if GTK
import CGTK
import Foundation
import Pixels
import WebImage
import WebImageGTK
import WebImageTesting

/// Ten thousand pictures in a grid, scrolled from one end to the other.
@MainActor
enum GridTrial {
    static func run() async throws {
        let pictures = Pictures(memory: 64 << 20)
        let count = 10_000
        // A hundred pictures, at ten thousand addresses.
        let bodies = try (0..<100).map { number in
            try Pictures.encoded(Pictures.plain(64, 48, [UInt8(number * 2), 100, 50]))
        }
        for number in 0..<count {
            pictures.transport.answer(
                "https://example.org/\(number).png", with: .body(bodies[number % 100], mediaType: "image/png"))
        }
        let strings = gtk_string_list_new(nil)
        for number in 0..<count { gtk_string_list_append(strings, "https://example.org/\(number).png") }
        guard
            let factory = imageListFactory(
                width: 64, height: 48, pipeline: pictures.pipeline,
                url: { item in
                    gtk_string_object_get_string(OpaquePointer(item)).flatMap { URL(string: String(cString: $0)) }
                }), let selection = gtk_no_selection_new(strings),
            let grid = gtk_grid_view_new(
                selection, factory),
            let scrolled = gtk_scrolled_window_new()
        else { throw TrialError("There is no grid.") }
        gtk_scrolled_window_set_child(OpaquePointer(scrolled), grid)
        let window = try Window(scrolled, width: 500, height: 400)
        await window.present()
        let adjustment = gtk_scrolled_window_get_vadjustment(OpaquePointer(scrolled))
        var frames = 0
        for step in 0...200 {
            let end = gtk_adjustment_get_upper(adjustment) - gtk_adjustment_get_page_size(adjustment)
            gtk_adjustment_set_value(adjustment, end * Double(step) / 200)
            frames += 1
            await Frames.pass(1, on: window.widget)
        }
        // At rest, all that is seen is loaded.
        for _ in 0..<600 where pictures.pipeline.taskCount > 0 { await Frames.pass(1, on: window.widget) }
        await Frames.pass(3, on: window.widget)
        Report.say("frames", frames)
        Report.say("requests", pictures.transport.requests.count > 100)
        let shot = try window.picture()
        var seen = 0
        for y in stride(from: 10, to: 400, by: 10) {
            for x in stride(from: 10, to: 480, by: 10) where shot.color(x, y).hasSuffix(" 100 50") { seen += 1 }
        }
        Report.say("seen", seen > 500)
        gtk_adjustment_set_value(adjustment, 0)
        await Frames.pass(3, on: window.widget)
        window.destroy()
        await Turns.pass()
        Report.say("tasks", pictures.pipeline.taskCount)
        Report.say("held", heldBitmapCount)
    }

    private final class Bound { var item: OpaquePointer? }

    /// What a list does with an item that it has no more use for, said to the factory itself: lists say it only when they
    /// take the picture away, or show something else on it, in the same breath.
    static func unbind() async throws {
        let pictures = Pictures()
        pictures.transport.gate.close()
        let strings = gtk_string_list_new(nil)
        gtk_string_list_append(strings, try pictures.url("red").absoluteString)
        guard
            let factory = imageListFactory(
                width: 64, height: 48, pipeline: pictures.pipeline,
                url: { item in
                    gtk_string_object_get_string(OpaquePointer(item)).flatMap { URL(string: String(cString: $0)) }
                }), let selection = gtk_no_selection_new(strings), let list = gtk_list_view_new(selection, factory)
        else { throw TrialError("There is no list.") }
        let bound = Bound()
        let note: @convention(c) (OpaquePointer?, OpaquePointer?, UnsafeMutableRawPointer?) -> Void = {
            _, item, bound in
            if let bound { Unmanaged<Bound>.fromOpaque(bound).takeUnretainedValue().item = item }
        }
        g_signal_connect_data(
            UnsafeMutableRawPointer(factory), "bind", unsafeBitCast(note, to: GCallback.self),
            Unmanaged.passUnretained(bound).toOpaque(), nil, GConnectFlags(rawValue: 0))
        let window = try Window(list, width: 100, height: 100)
        await window.present()
        Report.say("bound", pictures.pipeline.taskCount)
        guard let item = bound.item, let picture = gtk_list_item_get_child(item) else {
            throw TrialError("Nothing was bound.")
        }
        var values = [GValue(), GValue()]
        for (index, object) in [factory, item].enumerated() {
            // G_TYPE_OBJECT, a macro.
            g_value_init(&values[index], GType(20 << 2))
            g_value_set_object(&values[index], UnsafeMutableRawPointer(object))
        }
        g_signal_emitv(values, g_signal_lookup("unbind", gtk_signal_list_item_factory_get_type()), 0, nil)
        for index in values.indices { g_value_unset(&values[index]) }
        Report.say("unbound", pictures.pipeline.taskCount)
        Report.say("address", imageBinding(of: picture)?.url(in: .image)?.absoluteString ?? "none")
        window.destroy()
        withExtendedLifetime(bound) {}
    }
}
#endif
