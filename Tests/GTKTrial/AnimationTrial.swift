#if GTK
import CGTK
import Foundation
import ImageCoding
import Pixels
import WebImage
import WebImageGTK
import WebImageTesting

/// Pictures that move.
@MainActor
enum AnimationTrial {
    private static let colors = ["255 0 0", "0 255 0", "0 0 255", "255 255 0"]

    private static func encoded() throws -> [UInt8] {
        let frames = try colors.map { text in
            AnimationFrame(
                try Pictures.plain(40, 40, text.split(separator: " ").compactMap { UInt8($0) }),
                duration: .milliseconds(100))
        }
        return try CoderRegistry.standard.encode(FrameSequence(frames, loopCount: 0), as: .gif).array
    }

    private static func put(_ name: String, in pictures: Pictures) throws -> URL {
        pictures.transport.answer(
            try pictures.url(name).absoluteString, with: .body(try encoded(), mediaType: "image/gif"))
        return try pictures.url(name)
    }

    /// One whose bytes come in two parts, with two frames each.
    static func growing() async throws {
        let bytes = try encoded()
        var half = bytes.count / 2
        func count(_ length: Int) -> Int {
            (try? CoderRegistry.standard.animation(of: Bytes(Array(bytes.prefix(length)))))?.frameCount ?? 0
        }
        while count(half) < 2 { half += 1 }
        while count(half) > 2 { half -= 1 }
        let transport = TrickleTransport(total: bytes.count)
        let pictures = Pictures(other: transport)
        guard let picture = gtk_picture_new() else { throw TrialError("There is no picture.") }
        let window = try Window(picture, width: 40, height: 40)
        await window.present()
        var request = ImageRequest(url: try pictures.url("growing"))
        request.options.previews = .shown(every: .zero)
        var settings = WidgetSettings(placeholder: nil, transition: .crossFade)
        settings.size = .original
        let load = setImage(request, on: picture, settings: settings, pipeline: pictures.pipeline)
        transport.send(bytes.prefix(10))
        transport.send(bytes[10..<half])
        /// The colours that are seen until one of them is.
        func watch(until last: String) async throws -> [String] {
            var seen: [String] = []
            for _ in 0..<900 where seen.last != last {
                await Frames.pass(1, on: window.widget)
                let color = try window.picture().color(20, 20)
                if colors.contains(color), seen.last != color { seen.append(color) }
            }
            return seen
        }
        Report.say("first", try await watch(until: colors[1]).joined(separator: ", "))
        let player = imagePlayer(of: picture)
        // Longer than its frame is shown.
        for _ in 0..<900 where player?.nextDeadline != nil { await Frames.pass(1, on: window.widget) }
        Report.say("waits", player?.nextDeadline == nil && player?.currentIndex == 1)
        Report.say("stays", try window.picture().color(20, 20))
        Report.say("isLoading", load.currentOutcome == nil)
        transport.send(bytes[half...])
        transport.finish()
        Report.say("then", try await watch(until: colors[0]).joined(separator: ", "))
        Report.say("frames", await load.outcome.response?.animation?.frameCount ?? 0)
        Report.say("samePlayer", player != nil && imagePlayer(of: picture) === player)
        Report.say("complete", player?.animation.frameCount ?? 0)
        window.destroy()
        await Turns.pass()
        Report.say("held", heldBitmapCount)
    }

    static func run() async throws {
        let pictures = Pictures()
        let url = try put("moving", in: pictures)
        guard let picture = gtk_picture_new() else { throw TrialError("There is no picture.") }
        let window = try Window(picture, width: 40, height: 40)
        await window.present()
        let response = await setImage(url, on: picture, pipeline: pictures.pipeline).outcome.response
        Report.say("frames", response?.animation?.frameCount ?? 0)
        guard let player = imagePlayer(of: picture) else { throw TrialError("Nothing plays.") }

        /// The colours that are seen, each as often as it comes anew.
        func watch(_ changes: Int, frames: Int) async throws -> [String] {
            var seen: [String] = []
            for _ in 0..<frames where seen.count < changes {
                await Frames.pass(1, on: window.widget)
                let color = try window.picture().color(20, 20)
                if seen.last != color { seen.append(color) }
            }
            return seen
        }
        let seen = try await watch(9, frames: 900)
        // On a busy machine frames may be passed over, but nothing else is ever seen.
        let places = seen.compactMap { colors.firstIndex(of: $0) }
        Report.say("known", places.count == seen.count && seen.count == 9)
        // The timers of animations come between the frames of the clock, so what is drawn may be one behind.
        let behind = (player.currentIndex - (places.last ?? 0) + colors.count) % colors.count
        Report.say("inTurn", behind <= 1)
        Report.say("loops", player.completedLoops >= 1)

        gtk_widget_set_visible(picture, 0)
        Report.say("hiddenDeadline", player.nextDeadline == nil)
        let drawn = player.currentIndex
        await Frames.pass(30, on: window.widget)
        // Asking moves what may move.
        _ = player.frame()
        Report.say("hiddenStands", player.currentIndex == drawn)
        gtk_widget_set_visible(picture, 1)
        await Frames.pass(3, on: window.widget)
        Report.say("again", try await watch(3, frames: 600).count)

        player.pause()
        player.seek(to: 2)
        for _ in 0..<300 where try window.picture().color(20, 20) != colors[2] {
            await Frames.pass(1, on: window.widget)
        }
        Report.say("sought", try window.picture().color(20, 20))

        // The same animation again goes on in the same player.
        setImage(url, on: picture, pipeline: pictures.pipeline)
        Report.say("samePlayer", imagePlayer(of: picture) === player)

        Stage.setAnimations(false, of: picture)
        player.play()
        await Frames.pass(20, on: window.widget)
        let still = player.currentIndex
        await Frames.pass(20, on: window.widget)
        Report.say("reducedMotion", player.prefersReducedMotion && player.currentIndex == still)
        Stage.setAnimations(true, of: picture)

        var settings = WidgetSettings()
        settings.playback.isWanted = false
        setImage(url, on: picture, settings: settings, pipeline: pictures.pipeline)
        _ = await imageBinding(of: picture)?[.image].load?.outcome
        Report.say("still", imagePlayer(of: picture) == nil)
        window.destroy()
        await Turns.pass()
        Report.say("held", heldBitmapCount)
    }
}
#endif
