#if GTK
import Foundation
import Testing

/// Real windows of GTK 4 on a virtual screen. Colours are exact: nothing is scaled but by whole numbers, and cairo draws.
@Suite(.serialized)
struct WidgetTests {
    private let red = "255 0 0"
    private let quarters = "255 0 0, 0 255 0, 0 0 255, 255 255 0"

    @Test("the main actor and the main queue run inside GLib's loop, on the first thread, beside its own sources")
    func loop() async throws {
        let trial = try await Trial("loop")
        #expect(trial["sum"] == "499500")
        #expect(trial["onFirstThread"] == "true")
        #expect(trial["dispatch"] == "1")
        #expect(trial["timers"] == "true")
        #expect(trial["done"] == "1")
    }

    @Test("a program whose main actor is not on the first thread is told so, in a sentence")
    func offMain() async throws {
        let trial = try await Trial("offMain")
        #expect(trial["error"]?.contains("synchronous main") == true)
    }

    @Test("a program whose main queue is run by another loop than GLib's is told so, in a sentence")
    func foreignLoop() async throws {
        let trial = try await Trial("foreignLoop")
        #expect(trial["error"]?.contains("does not run in GLib's main loop") == true)
    }

    @Test("S007 C292 C299: one call shows a picture on a GtkPicture, a GtkImage and a GtkButton, in their size")
    func kinds() async throws {
        let trial = try await Trial("show")
        #expect(trial["pictureSize"] == "100 × 100")
        #expect(trial["imageSize"] == "64 × 64")
        for kind in ["picture", "image", "button"] { #expect(trial[kind] == quarters) }
        #expect(trial["label"] == "A GtkLabel has no place for a picture.")
        #expect(trial["again"] == "memory")
        #expect(trial["installedAgain"] == "true")
        #expect(trial["url"] == "true")
        #expect(trial["done"] == "1")
    }

    @Test("a texture reads the bitmap's own memory, on the screen too, and lets go of it with the picture")
    func withoutCopy() async throws {
        let trial = try await Trial("screen")
        // The upper half was made red after the texture was made of white pixels.
        #expect(trial["rendered"] == "255 0 0, 255 255 255")
        #expect(trial["framebuffer"] == "255 0 0, 255 255 255")
        #expect(trial["held"] == "1")
        #expect(trial["heldAfter"] == "0")
        #expect(trial["released"] == "1")
    }

    @Test("C292: the alternate picture of a button stands in while it is checked")
    func slots() async throws {
        let trial = try await Trial("slots")
        #expect(trial["normal"] == red)
        #expect(trial["checked"] == "0 255 0")
        #expect(trial["unchecked"] == red)
    }

    @Test("S012 S032: a placeholder while it is waited for, the failure's picture when there is none")
    func failures() async throws {
        let trial = try await Trial("failures")
        #expect(trial["waiting"] == "0 0 255")
        #expect(trial["status"] == "404")
        #expect(trial["failed"] == "255 0 255")
        #expect(trial["nowhere"] == "invalidRequest")
    }

    @Test("P38: pictures of 60,013 × 101 and 101 × 60,013 show every pixel, over the borders of tiles and at the end")
    func long() async throws {
        let trial = try await Trial("long")
        for name in ["wide", "tall"] {
            for place in ["start", "border", "end"] { #expect(trial["\(name) \(place)"] == "0", "\(name) \(place)") }
            // All of it in a line one pixel thin.
            #expect(trial["\(name) small"]?.split(separator: ",").count == 2)
        }
        #expect(trial["wideSize"] == "60013 × 101")
        #expect(trial["tallSize"] == "101 × 60013")
        #expect(trial["done"] == "1")
    }

    @Test("P4: a picture in memory that is bound a thousand times is in every frame, and in the first of a new widget")
    func flicker() async throws {
        let trial = try await Trial("flicker")
        #expect(trial["binds"] == "1000")
        #expect(trial["misses"] == "0")
        #expect(trial["framesOfSomethingElse"] == "0")
        #expect(trial["waits"] == "true")
        #expect(trial["fresh"] == red)
        #expect(trial["freshTier"] == "memory")
        #expect(trial["freshShape"] == "true")
    }

    @Test("P5: a widget through which many pictures go shows the last one, and each load ends once")
    func reuse() async throws {
        let trial = try await Trial("reuse")
        #expect(trial["wrong"] == "0")
        #expect(trial["endings"] == "true")
    }

    @Test("P9: 10,000 binds make no call of the file system on the thread of the windows")
    func files() async throws {
        let log = FileManager.default.temporaryDirectory.appending(path: "gtk-calls-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: log) }
        let calls = "trace=%file,fsync,fdatasync,pread64,pwrite64,getdents64,fstat,ftruncate,flock"
        let trial = try await Trial("binds", under: ["strace", "-f", "-e", calls, "-o", log.path])
        let thread = try #require(trial["thread"])
        let lines = try String(contentsOf: log, encoding: .utf8).split(separator: "\n")
        let start = try #require(lines.firstIndex { $0.contains("webimage-mark-begin") })
        let end = try #require(lines.firstIndex { $0.contains("webimage-mark-end") })
        let ours = lines[start..<end].filter { $0.hasPrefix(thread + " ") && !$0.contains("webimage-mark-") }
        // What remains of the mark itself, when another thread's call was written down in its middle.
        #expect(ours.filter { !$0.contains("access resumed") } == [])
        #expect(trial["binds"] == "10000")
    }

    @Test("S010: widgets that go in their completion, in a handler, or while they load leave nothing behind")
    func destroyed() async throws {
        let trial = try await Trial("destroyed")
        #expect(trial["inCompletion"] == "1")
        #expect(trial["inHandler"] == "true")
        #expect(trial["withKeptSlots"] == "cancelled")
        #expect(trial["whileLoading"] == "cancelled")
        #expect(trial["tasks"] == "0")
        #expect(trial["held"] == "0")
    }

    @Test("a button whose picture is taken away loads it as what nobody sees, and shows it when it is asked for again")
    func child() async throws {
        let trial = try await Trial("child")
        #expect(trial["priorities"] == "normal veryLow normal")
        #expect(trial["arrived"] == "true")
        #expect(trial["loaded"] == "true")
        #expect(trial["shown"] == "0 255 0")
        #expect(trial["held"] == "0")
    }

    @Test("10,000 widgets made in one turn of the loop all end their loads, and give back every bitmap")
    func crowd() async throws {
        let trial = try await Trial("crowd")
        #expect(trial["ended"] == "10000")
        #expect(trial["held"] == "5000")
        #expect(trial["corner"] == red)
        #expect(trial["heldAfter"] == "0")
        #expect(trial["tasks"] == "0")
    }

    @Test("a load whose widget is unmapped has the lowest priority, or stops, until it is mapped again")
    func hidden() async throws {
        let trial = try await Trial("hidden")
        #expect(trial["priorities"] == "normal veryLow normal")
        #expect(trial["tasksBefore"] == "1")
        #expect(trial["tasksWhileHidden"] == "0")
        #expect(trial["tasksAgain"] == "1")
        #expect(trial["shown"] == red)
    }

    @Test(
        "a picture is decoded in the size of its widget, in pixels of the screen, and anew when it grows",
        arguments: [1, 2])
    func sizes(scale: Int) async throws {
        let trial = try await Trial("sizes", environment: ["GDK_SCALE": "\(scale)"])
        #expect(trial["scale"] == "\(scale)")
        #expect(trial["first"] == "\(100 * scale) × \(100 * scale)")
        #expect(trial["grown"] == "\(300 * scale) × \(300 * scale)")
        #expect(trial["pixels"] == "255 0 0, 255 255 0")
        #expect(trial["shrunk"] == "\(300 * scale) × \(300 * scale)")
        #expect(trial["waits"] == "true")
        #expect(trial["own"] == "60 × 40")
        #expect(trial["natural"] == "\(60 / scale) × \(40 / scale)")
    }

    @Test("C296 C297 C052: fading and sliding run with the frames, and are over when nobody sees them")
    func transition() async throws {
        let trial = try await Trial("transition")
        for name in [
            "steps", "rises", "sums", "outcome", "slides", "runs", "endsWhenHidden", "withoutAnimations", "keepsShape",
        ] {
            #expect(trial[name] == "true", "\(name)")
        }
        #expect(trial["end"] == "0 0 255")
        #expect(trial["slid"] == red)
    }

    @Test("C298: a bar, a spinner, or what the program has of its own tells that something is on its way")
    func indicators() async throws {
        let trial = try await Trial("indicators")
        #expect(trial["none"] == "255 255 255")
        // The ground of the bar is black by a quarter; the bar itself is blue.
        #expect(trial["bar"]?.contains("191 191 191") == true)
        #expect(trial["bar"]?.contains("53 133 227") == true)
        #expect(trial["spinner"] == "true")
        for name in ["stands", "wanders", "turns"] { #expect(trial[name] == "true", "\(name)") }
        #expect(trial["heard"] == "true")
        #expect(trial["after"] == "255 255 255")
        #expect(trial["underWay"] == "true")
        #expect(trial["arrived"] == red)
    }

    @Test(
        "S008 C299: a picture that moves plays in its widget, costs nothing unseen, and stands where motion is not wanted"
    )
    func animation() async throws {
        let trial = try await Trial("animation")
        #expect(trial["frames"] == "4")
        #expect(trial["known"] == "true" && trial["inTurn"] == "true")
        #expect(trial["loops"] == "true")
        #expect(trial["hiddenDeadline"] == "true")
        #expect(trial["hiddenStands"] == "true")
        #expect(trial["again"] == "3")
        #expect(trial["sought"] == "0 0 255")
        #expect(trial["samePlayer"] == "true")
        #expect(trial["reducedMotion"] == "true")
        #expect(trial["still"] == "true")
        #expect(trial["held"] == "0")
    }

    @Test("P41: a grid of 10,000 pictures scrolls from end to end, shows what is seen, and cancels what is not")
    func grid() async throws {
        let trial = try await Trial("grid")
        #expect(trial["frames"] == "201")
        #expect(trial["requests"] == "true")
        #expect(trial["seen"] == "true")
        #expect(trial["tasks"] == "0")
        #expect(trial["held"] == "0")
    }

    @Test("P6: what a list unbinds is cancelled, and stands for no address any more")
    func unbind() async throws {
        let trial = try await Trial("unbind")
        #expect(trial["bound"] == "1")
        #expect(trial["unbound"] == "0")
        #expect(trial["address"] == "none")
    }
}
#endif
