#if GTK
import CGTK
import Foundation
import Pixels
import ServerSupport
import WebImage
import WebImageGTK
import WebImageTesting

/// A widget of which nothing is known but that it takes a paintable.
@MainActor
enum OwnTrial {
    static func run() async throws {
        let pictures = Pictures()
        let quarters = try pictures.put("quarters", Pictures.quarters(400, 400))
        let green = try pictures.put("green", Pictures.plain(100, 100, [0, 255, 0]))
        guard let widget = OwnWidget.make() else { throw TrialError("There is no widget.") }
        let window = try Window(widget, width: 100, height: 100)
        await window.present()
        let first = setImage(quarters, on: widget, pipeline: pictures.pipeline)
        Report.say("size", await first.outcome.response?.bitmap.size.description ?? "none")
        let screen = try await Stage.screen(of: window.widget)
        Report.say(
            "quarters", [(25, 25), (75, 25), (25, 75), (75, 75)].map { screen.color($0, $1) }.joined(separator: ", "))
        _ = await setImage(green, on: widget, pipeline: pictures.pipeline).outcome
        Report.say("changed", try await Stage.screen(of: window.widget).color(75, 75))
        clearImages(on: widget)
        Report.say("cleared", try await Stage.screen(of: window.widget).color(75, 75) != "0 255 0")
        Report.say("heldWhenCleared", heldBitmapCount)

        // Another picture than ours gives way to the next call.
        guard let ours = OwnWidget.paintable(of: widget), let other = gdk_paintable_new_empty(1, 1) else {
            throw TrialError("There is no paintable.")
        }
        var value = GValue()
        g_value_init(&value, gdk_paintable_get_type())
        g_value_take_object(&value, UnsafeMutableRawPointer(other))
        g_object_set_property(
            UnsafeMutableRawPointer(widget).assumingMemoryBound(to: GObject.self), "paintable", &value)
        g_value_unset(&value)
        setImage(green, on: widget, pipeline: pictures.pipeline)
        Report.say("again", OwnWidget.paintable(of: widget) == ours)
        Report.say("shownAgain", try await Stage.screen(of: window.widget).color(75, 75))

        // Who keeps the paintable longer than the widget has one that draws nothing, and that goes when it is let go.
        let gone = Tally()
        let held = Unmanaged.passRetained(gone)
        defer { held.release() }
        g_object_weak_ref(
            UnsafeMutableRawPointer(ours).assumingMemoryBound(to: GObject.self),
            { context, _ in
                if let context { Unmanaged<Tally>.fromOpaque(context).takeUnretainedValue().add() }
            }, held.toOpaque())
        g_object_ref(UnsafeMutableRawPointer(ours))
        window.setChild(nil)
        // The frame before may still be held by who drew it.
        await Frames.pass(3, on: window.widget)
        await Turns.pass()
        Report.say("heldWithoutWidget", heldBitmapCount)
        Report.say("keptPaintable", gone.count == 0)
        guard let snapshot = gtk_snapshot_new() else { throw TrialError("There is no snapshot.") }
        gdk_paintable_snapshot(ours, snapshot, 100, 100)
        let node = gtk_snapshot_free_to_node(snapshot)
        Report.say("drawsNothing", node == nil)
        if let node { gsk_render_node_unref(node) }
        g_object_unref(UnsafeMutableRawPointer(ours))
        Report.say("gone", gone.count)
        window.destroy()
    }
}
#endif
