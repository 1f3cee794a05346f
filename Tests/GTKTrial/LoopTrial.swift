#if GTK
import CGTK
import Dispatch
import Foundation
import WebImageGTK

@MainActor
enum LoopTrial {
    /// Work of the main actor runs inside GLib's loop, in order, while GLib's own sources go on.
    static func run() async throws {
        try MainLoop.attach()
        Report.say("attachedTwice", 1)
        let counter = Counter()
        let source = g_timeout_add_full(
            G_PRIORITY_DEFAULT, 1,
            { context in
                Unmanaged<Counter>.fromOpaque(context.unsafelyUnwrapped).takeUnretainedValue().count += 1
                return 1
            }, Unmanaged.passUnretained(counter).toOpaque(), nil)
        var sum = 0
        for number in 0..<1_000 {
            sum += await Task.detached { number }.value
            MainActor.assertIsolated()
        }
        Report.say("sum", sum)
        Report.say("onFirstThread", Thread.isMainThread)
        await withCheckedContinuation { continuation in
            DispatchQueue.main.async { continuation.resume() }
        }
        Report.say("dispatch", 1)
        while counter.count < 5 {
            await withCheckedContinuation { done in DispatchQueue.global().async { done.resume() } }
        }
        g_source_remove(source)
        Report.say("timers", counter.count >= 5)
    }

    private final class Counter { var count = 0 }
}
#endif
