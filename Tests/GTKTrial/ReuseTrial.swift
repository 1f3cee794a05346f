#if GTK
import CGTK
import Foundation
import Glibc
import Pixels
import WebImage
import WebImageGTK
import WebImageTesting

/// Views that are used again.
@MainActor
enum ReuseTrial {
    private static let placeholder = StandIn.color(red: 0, green: 0, blue: 255)

    /// The same address a thousand times, while every frame is looked at.
    static func flicker() async throws {
        let pictures = Pictures()
        let url = try pictures.put("red", Pictures.plain(100, 100, [255, 0, 0]))
        guard let picture = gtk_picture_new() else { throw TrialError("There is no picture.") }
        let window = try Window(picture, width: 100, height: 100)
        await window.present()
        let settings = WidgetSettings(placeholder: placeholder, transition: .crossFade)
        _ = await setImage(url, on: picture, settings: settings, pipeline: pictures.pipeline).outcome
        // The transition of the first.
        await Frames.pass(30, on: window.widget)
        var (binds, frames, other, misses) = (0, 0, 0, 0)
        while binds < 1_000 {
            await Frames.pass(1, on: window.widget) { _ in
                for _ in 0..<5 {
                    binds += 1
                    let load = setImage(url, on: picture, settings: settings, pipeline: pictures.pipeline)
                    if load.currentOutcome?.response?.tier != .memory { misses += 1 }
                }
            }
            frames += 1
            if try window.picture().color(50, 50) != "255 0 0" { other += 1 }
        }
        Report.say("binds", binds)
        Report.say("frames", frames)
        Report.say("misses", misses)
        Report.say("framesOfSomethingElse", other)
        let wide = try pictures.put("wide", Pictures.plain(100, 40, [0, 255, 0]))
        _ = await setImage(wide, on: picture, settings: settings, pipeline: pictures.pipeline).outcome
        // A widget that has no size yet: what is in memory is in its very first frame.
        let (fresh, second) = try filled()
        let load = setImage(url, on: fresh, settings: settings, pipeline: pictures.pipeline)
        Report.say("waits", load.currentOutcome == nil)
        await second.present()
        Report.say("fresh", try second.picture().color(50, 50))
        Report.say("freshTier", load.currentOutcome?.response?.tier.rawValue ?? "none")
        // One that was found while it was drawn has its own shape as soon as those who show it have heard of that.
        let (late, third) = try filled()
        setImage(wide, on: late, settings: settings, pipeline: pictures.pipeline)
        await third.present()
        let shot = try third.picture()
        Report.say("freshShape", shot.color(50, 50) == "0 255 0" && shot.color(50, 10) != "0 255 0")
    }

    /// A picture that fills a window, and has no size before the window is shown.
    private static func filled() throws -> (picture: Widget, window: Window) {
        guard let picture = gtk_picture_new(), let box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0) else {
            throw TrialError("There are no widgets.")
        }
        gtk_widget_set_hexpand(picture, 1)
        gtk_widget_set_vexpand(picture, 1)
        gtk_box_append(UnsafeMutableRawPointer(box).assumingMemoryBound(to: GtkBox.self), picture)
        return (picture, try Window(box, width: 100, height: 100))
    }

    /// Many pictures through one widget, with answers that come late.
    static func reuse() async throws {
        let pictures = Pictures()
        guard let picture = gtk_picture_new() else { throw TrialError("There is no picture.") }
        let window = try Window(picture, width: 60, height: 60)
        await window.present()
        var generator = SeededGenerator(seed: 5)
        var urls: [URL] = []
        for number in 0..<40 {
            let url = try pictures.put("n\(number)", Pictures.plain(60, 60, [UInt8(number * 6), 20, 30]))
            urls.append(url)
        }
        let endings = Tally()
        var wrong = 0
        var binds = 0
        for round in 0..<60 {
            if round % 3 == 0 { pictures.transport.gate.close() }
            var last = 0
            for _ in 0..<Int.random(in: 1...20, using: &generator) {
                last = Int.random(in: 0..<urls.count, using: &generator)
                binds += 1
                setImage(urls[last], on: picture, pipeline: pictures.pipeline) { _ in endings.add() }
                if Int.random(in: 0..<5, using: &generator) == 0 { await Frames.pass(1, on: window.widget) }
            }
            pictures.transport.gate.open()
            _ = await imageBinding(of: picture)?[.image].load?.outcome
            await Frames.pass(2, on: window.widget)
            if try window.picture().color(30, 30) != "\(last * 6) 20 30" { wrong += 1 }
            if Bool.random(using: &generator) { pictures.pipeline.pauseDownloads(false) }
        }
        await endings.reaches(binds)
        await Frames.pass(2, on: window.widget)
        Report.say("wrong", wrong)
        Report.say("endings", endings.count == binds)
    }

    /// Ten thousand binds between two marks that a tracer sees: half of pictures in memory, half of ones that are not.
    static func binds() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "gtk-binds-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let pictures = Pictures()
        var fetching = Fetcher.Configuration()
        fetching.retry = .none
        let disk = DiskCache(DiskCache.Configuration(directory: folder.path))
        let pipeline = ImagePipeline(
            configuration: .init(
                diskCache: disk, fetcher: Fetcher(configuration: fetching, transports: [pictures.transport])))
        let url = try pictures.put("red", Pictures.plain(60, 60, [255, 0, 0]))
        guard let picture = gtk_picture_new() else { throw TrialError("There is no picture.") }
        let window = try Window(picture, width: 60, height: 60)
        await window.present()
        _ = await setImage(url, on: picture, pipeline: pipeline).outcome
        _ = await setImage(try pictures.url("x"), on: picture, pipeline: pipeline).outcome
        await Frames.pass(5, on: window.widget)
        let urls = try (0..<5_000).map { try pictures.url("m\($0)") }
        access("/webimage-mark-begin", F_OK)
        for next in urls {
            setImage(url, on: picture, pipeline: pipeline)
            setImage(next, on: picture, pipeline: pipeline)
        }
        await Frames.pass(10, on: window.widget)
        _ = await imageBinding(of: picture)?[.image].load?.outcome
        access("/webimage-mark-end", F_OK)
        Report.say("binds", urls.count * 2)
        Report.say("thread", getpid())
    }
}
#endif
