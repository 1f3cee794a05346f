#if GTK
import CGTK
import Foundation
import Pixels
import WebImage
import WebImageGTK
import WebImageTesting

/// What moves.
@MainActor
enum MotionTrial {
    static func transition() async throws {
        let pictures = Pictures()
        let red = try pictures.put("red", Pictures.plain(100, 100, [255, 0, 0]))
        let blue = try pictures.put("blue", Pictures.plain(100, 100, [0, 0, 255]))
        guard let picture = gtk_picture_new() else { throw TrialError("There is no picture.") }
        let window = try Window(picture, width: 100, height: 100)
        await window.present()
        _ = await setImage(red, on: picture, pipeline: pictures.pipeline).outcome
        await Frames.pass(3, on: window.widget)
        // Slow enough to look at every frame of it.
        var settings = WidgetSettings(
            placeholder: nil, transition: ImageTransition(.crossFade, duration: .milliseconds(800)))
        settings.showing.arrival.waitsForTransition = true
        settings.showing.waiting.keepsPrevious = true
        let load = setImage(blue, on: picture, settings: settings, pipeline: pictures.pipeline)
        var (colors, sums) = ([Int](), [Int]())
        for _ in 0..<600 where load.currentOutcome == nil {
            await Frames.pass(1, on: window.widget)
            let parts = Self.parts(try window.picture().color(50, 50))
            guard parts.count == 3, parts[2] > 0, parts[2] < 255 else { continue }
            colors.append(parts[2])
            sums.append(parts[0] + parts[2])
        }
        Report.say("steps", colors.count > 5)
        Report.say("rises", colors == colors.sorted())
        Report.say("sums", sums.allSatisfy { abs($0 - 255) <= 3 })
        Report.say("outcome", load.currentOutcome?.response != nil)
        await Frames.pass(2, on: window.widget)
        Report.say("end", try window.picture().color(50, 50))

        settings.showing.arrival.transition = ImageTransition(.slide(from: .left), duration: .milliseconds(800))
        settings.showing.arrival.transitionRule = .always
        let slide = setImage(red, on: picture, settings: settings, pipeline: pictures.pipeline)
        var mixed = 0
        for _ in 0..<600 where slide.currentOutcome == nil {
            await Frames.pass(1, on: window.widget)
            let shot = try window.picture()
            if shot.color(5, 50) == "255 0 0", shot.color(95, 50) == "0 0 255" { mixed += 1 }
        }
        Report.say("slides", mixed > 5)
        Report.say("slid", try window.picture().color(95, 50))

        // Nobody sees it: it is over at once.
        let hidden = setImage(blue, on: picture, settings: settings, pipeline: pictures.pipeline)
        Report.say("runs", hidden.currentOutcome == nil)
        gtk_widget_set_visible(picture, 0)
        Report.say("endsWhenHidden", hidden.currentOutcome?.response != nil)
        gtk_widget_set_visible(picture, 1)
        await Frames.pass(2, on: window.widget)
        // Nor is it begun where animations are not wanted.
        Stage.setAnimations(false, of: picture)
        let still = setImage(red, on: picture, settings: settings, pipeline: pictures.pipeline)
        Report.say("withoutAnimations", still.currentOutcome?.response != nil)
        Stage.setAnimations(true, of: picture)

        // What is faded out keeps its own shape.
        let wide = try pictures.put("wide", Pictures.plain(100, 40, [255, 0, 0]))
        _ = await setImage(wide, on: picture, pipeline: pictures.pipeline).outcome
        await Frames.pass(3, on: window.widget)
        settings.showing.arrival.transition = ImageTransition(.crossFade, duration: .milliseconds(800))
        let fade = setImage(blue, on: picture, settings: settings, pipeline: pictures.pipeline)
        var shapes: [Bool] = []
        for _ in 0..<600 where fade.currentOutcome == nil {
            await Frames.pass(1, on: window.widget)
            let shot = try window.picture()
            let (within, above) = (parts(shot.color(50, 50)), parts(shot.color(50, 10)))
            guard within.count == 3, above.count == 3, (30...225).contains(within[0]) else { continue }
            // Red there, and the grey of the window where nothing was.
            shapes.append(within[1] <= 3 && abs(above[0] - above[1]) <= 3)
        }
        Report.say("keepsShape", shapes.count > 5 && shapes.allSatisfy { $0 })
    }

    private static func parts(_ color: String) -> [Int] { color.split(separator: " ").compactMap { Int($0) } }

    static func indicators() async throws {
        let pictures = Pictures()
        guard let picture = gtk_picture_new() else { throw TrialError("There is no picture.") }
        let window = try Window(picture, width: 100, height: 100)
        await window.present()
        var heard: [SlotActivity] = []
        pictures.transport.gate.close()
        let white = StandIn.color(red: 255, green: 255, blue: 255)
        /// The colours that are seen in a second and a half, and how often something moves.
        func look(_ indicator: ActivityIndicator) async throws -> (colors: [String], moves: Int) {
            setImage(
                try pictures.url("none"), on: picture,
                settings: WidgetSettings(placeholder: white, indicator: indicator), pipeline: pictures.pipeline)
            var colors: Set<String> = []
            var (last, moves) = ([String](), 0)
            for _ in 0..<90 {
                await Frames.pass(1, on: window.widget)
                let shot = try window.picture()
                let seen = [50, 40, 98].flatMap { y in stride(from: 0, to: 100, by: 5).map { shot.color($0, y) } }
                colors.formUnion(seen)
                if !last.isEmpty, last != seen { moves += 1 }
                last = seen
            }
            return (colors.sorted(), moves)
        }
        let (none, bar, spinner) = (try await look(.none), try await look(.bar), try await look(.spinner))
        Report.say("none", none.colors.joined(separator: ", "))
        Report.say("bar", bar.colors.joined(separator: ", "))
        Report.say("spinner", spinner.colors.count > 1)
        // The first frames of each may still show the one before.
        Report.say("stands", none.moves <= 1)
        Report.say("wanders", bar.moves > 2)
        Report.say("turns", spinner.moves > 2)
        _ = try await look(.custom { heard.append($0) })
        cancelImages(on: picture)
        Report.say("heard", heard == [.began, .ended])
        setImage(nil as URL?, on: picture, settings: WidgetSettings(placeholder: white), pipeline: pictures.pipeline)
        await Frames.pass(2, on: window.widget)
        Report.say("after", try window.picture().color(50, 98))

        let red = try pictures.put("red", Pictures.plain(100, 100, [255, 0, 0]))
        let load = setImage(
            red, on: picture, settings: WidgetSettings(placeholder: white, indicator: .bar), pipeline: pictures.pipeline
        )
        await Frames.pass(3, on: window.widget)
        Report.say("underWay", try window.picture().color(50, 98) != "255 255 255")
        pictures.transport.gate.open()
        _ = await load.outcome
        await Frames.pass(3, on: window.widget)
        Report.say("arrived", try window.picture().color(50, 98))
    }
}
#endif
