#if GTK
import CGTK
import CGTKShim
import Foundation
import Pixels
import WebImage
import WebImageGTK
import WebImageTesting

/// Widgets that go.
@MainActor
enum LifeTrial {
    /// A widget that is destroyed in the completion of its load, in a handler of its own, and while it loads.
    static func destroyed() async throws {
        let pictures = Pictures()
        let url = try pictures.put("red", Pictures.plain(50, 50, [255, 0, 0]))
        let other = try pictures.put("green", Pictures.plain(50, 50, [0, 255, 0]))
        let window = try Window(nil, width: 50, height: 50)
        await window.present()

        func fresh() throws -> Widget {
            guard let picture = gtk_picture_new() else { throw TrialError("There is no picture.") }
            window.setChild(picture)
            return picture
        }
        let settings = WidgetSettings(size: .original)
        let ended = Tally()
        setImage(url, on: try fresh(), settings: settings, pipeline: pictures.pipeline) { _ in
            window.setChild(nil)
            ended.add()
        }
        await ended.reaches(1)
        Report.say("inCompletion", 1)

        // Told of the picture by the paintable, in the middle of being shown it.
        let picture = try fresh()
        let load = setImage(other, on: picture, settings: settings, pipeline: pictures.pipeline)
        if let paintable = gtk_picture_get_paintable(OpaquePointer(picture)) {
            g_signal_connect_data(
                UnsafeMutableRawPointer(paintable), "invalidate-size",
                unsafeBitCast(
                    { _, window in
                        gtk_window_set_child(window?.assumingMemoryBound(to: GtkWindow.self), nil)
                    } as @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Void,
                    to: GCallback.self),
                UnsafeMutableRawPointer(window.widget), nil, GConnectFlags(rawValue: 0))
        }
        Report.say("inHandler", await load.outcome.response != nil)

        pictures.transport.gate.close()
        // Not even who keeps its slots keeps its loads.
        let kept = try fresh()
        let alone = setImage(try pictures.url("kept"), on: kept, settings: settings, pipeline: pictures.pipeline)
        let slots = imageBinding(of: kept)
        window.setChild(nil)
        Report.say("withKeptSlots", alone.currentOutcome?.error?.code.rawValue ?? "none")
        withExtendedLifetime(slots) {}

        let late = setImage(
            try pictures.url("late"), on: try fresh(), settings: settings, pipeline: pictures.pipeline)
        window.setChild(nil)
        Report.say("whileLoading", await late.outcome.error?.code.rawValue ?? "none")
        Report.say("tasks", pictures.pipeline.taskCount)
        pictures.transport.gate.open()
        window.destroy()
        await Turns.pass()
        Report.say("held", heldBitmapCount)
    }

    /// A button whose picture gives way to another child while it loads.
    static func child() async throws {
        let pictures = Pictures()
        let url = try pictures.put("red", Pictures.plain(50, 50, [255, 0, 0]))
        let other = try pictures.put("green", Pictures.plain(50, 50, [0, 255, 0]))
        guard let button = gtk_button_new() else { throw TrialError("There is no button.") }
        let window = try Window(button, width: 100, height: 100)
        await window.present()
        pictures.transport.gate.close()
        let first = setImage(
            url, on: button, settings: WidgetSettings(placeholder: nil, transition: .crossFade),
            pipeline: pictures.pipeline)
        await Frames.pass(3, on: window.widget)
        let before = first.task?.priority
        webimage_button_set_child(button, gtk_label_new("text"))
        let without = first.task?.priority
        // It arrives where nothing is left that could draw it.
        pictures.transport.gate.open()
        Report.say("arrived", await first.outcome.response != nil)
        await Frames.pass(3, on: window.widget)
        pictures.transport.gate.close()
        let second = setImage(other, on: button, pipeline: pictures.pipeline)
        // The new picture has no size yet.
        await Frames.pass(5, on: window.widget)
        let again = second.task?.priority
        Report.say("priorities", [before, without, again].map { $0.map { "\($0)" } ?? "none" }.joined(separator: " "))
        pictures.transport.gate.open()
        Report.say("loaded", await second.outcome.response != nil)
        await Frames.pass(3, on: window.widget)
        Report.say("shown", try window.picture().color(50, 50))
        webimage_button_set_child(button, nil)
        window.destroy()
        await Turns.pass()
        Report.say("held", heldBitmapCount)
    }

    /// Ten thousand widgets in one turn of the loop, and gone again.
    static func crowd() async throws {
        let pictures = Pictures()
        let url = try pictures.put("red", Pictures.plain(8, 8, [255, 0, 0]))
        _ = try await pictures.pipeline.response(for: ImageRequest(url: url))
        guard let box = gtk_fixed_new() else { throw TrialError("There is no box.") }
        let window = try Window(box, width: 200, height: 200)
        await window.present()
        let fixed = UnsafeMutableRawPointer(box).assumingMemoryBound(to: GtkFixed.self)
        let ended = Tally()
        for number in 0..<10_000 {
            guard let picture = gtk_picture_new() else { throw TrialError("There is no picture.") }
            gtk_widget_set_size_request(picture, 2, 2)
            gtk_fixed_put(fixed, picture, Double(number % 100 * 2), Double(number / 100 * 2))
            let name = number % 2 == 0 ? url : try pictures.url("missing\(number % 50)")
            setImage(
                name, on: picture, settings: WidgetSettings(size: .original), pipeline: pictures.pipeline
            ) { _ in ended.add() }
        }
        await ended.reaches(10_000)
        await Frames.pass(2, on: window.widget)
        Report.say("ended", ended.count)
        Report.say("held", heldBitmapCount)
        Report.say("corner", try window.picture().color(0, 0))
        window.destroy()
        await Turns.pass()
        Report.say("heldAfter", heldBitmapCount)
        Report.say("tasks", pictures.pipeline.taskCount)
    }

    /// A load whose widget is unmapped and mapped again.
    static func hidden() async throws {
        let pictures = Pictures()
        let url = try pictures.put("red", Pictures.plain(50, 50, [255, 0, 0]))
        guard let picture = gtk_picture_new() else { throw TrialError("There is no picture.") }
        let window = try Window(picture, width: 50, height: 50)
        await window.present()
        pictures.transport.gate.close()
        let load = setImage(url, on: picture, pipeline: pictures.pipeline)
        let before = load.task?.priority
        gtk_widget_set_visible(picture, 0)
        let during = load.task?.priority
        gtk_widget_set_visible(picture, 1)
        let after = load.task?.priority
        Report.say("priorities", [before, during, after].map { $0.map { "\($0)" } ?? "none" }.joined(separator: " "))

        await Frames.pass(3, on: window.widget)
        var settings = WidgetSettings()
        settings.showing.whenHidden = .isCancelled
        let second = setImage(url, on: picture, settings: settings, pipeline: pictures.pipeline)
        Report.say("tasksBefore", pictures.pipeline.taskCount)
        gtk_widget_set_visible(picture, 0)
        Report.say("tasksWhileHidden", pictures.pipeline.taskCount)
        gtk_widget_set_visible(picture, 1)
        Report.say("tasksAgain", pictures.pipeline.taskCount)
        pictures.transport.gate.open()
        Report.say("loaded", await second.outcome.response != nil)
        await Frames.pass(3, on: window.widget)
        Report.say("shown", try window.picture().color(25, 25))
    }
}
#endif
