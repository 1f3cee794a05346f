#if GTK
import CGTK
import Foundation
import Pixels
import WebImage
import WebImageGTK

/// Pictures in the size of their widget.
@MainActor
enum SizeTrial {
    static func run() async throws {
        let pictures = Pictures()
        let url = try pictures.put("quarters", Pictures.quarters(800, 800))
        guard let picture = gtk_picture_new() else { throw TrialError("There is no picture.") }
        let window = try Window(picture, width: 100, height: 100)
        await window.present()
        Report.say("scale", gtk_widget_get_scale_factor(picture))
        let load = setImage(url, on: picture, pipeline: pictures.pipeline)
        Report.say("first", await load.outcome.response?.bitmap.size.description ?? "none")
        func shown() -> String { imageBinding(of: picture)?[.image].shown?.bitmap.size.description ?? "none" }
        func settles(to size: Int) async throws {
            let scale = Int(gtk_widget_get_scale_factor(picture))
            let wanted = PixelSize(width: size * scale, height: size * scale).description
            window.setSize(width: size, height: size)
            for _ in 0..<600 where shown() != wanted { await Frames.pass(1, on: window.widget) }
            await Frames.pass(3, on: window.widget)
        }
        try await settles(to: 300)
        Report.say("grown", shown())
        Report.say("pixels", try window.picture().color(75, 75) + ", " + window.picture().color(225, 225))
        // A smaller window has pixels enough.
        window.setSize(width: 120, height: 120)
        await Frames.pass(10, on: window.widget)
        Report.say("shrunk", shown())

        // No size, and nothing that would give it one: the picture asks for its own.
        guard let lone = gtk_picture_new(), let box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0) else {
            throw TrialError("There are no widgets.")
        }
        gtk_widget_set_halign(lone, GTK_ALIGN_START)
        gtk_widget_set_valign(lone, GTK_ALIGN_START)
        gtk_box_append(UnsafeMutableRawPointer(box).assumingMemoryBound(to: GtkBox.self), lone)
        let second = try Window(box, width: 900, height: 900)
        let small = try pictures.put("small", Pictures.quarters(60, 40))
        let own = setImage(small, on: lone, pipeline: pictures.pipeline)
        Report.say("waits", own.currentOutcome == nil)
        await second.present()
        Report.say("own", await own.outcome.response?.bitmap.size.description ?? "none")
        await Frames.pass(3, on: second.widget)
        Report.say("natural", "\(gtk_widget_get_width(lone)) × \(gtk_widget_get_height(lone))")
    }
}
#endif
