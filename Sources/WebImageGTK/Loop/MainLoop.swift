#if GTK
import CGTK
import CGTKShim
import Dispatch
import Glibc
import Synchronization

/// Runs the main actor and `DispatchQueue.main` inside GLib's main loop.
///
/// GTK's loop knows nothing of Swift's: by itself no `Task` of the main actor would ever run under it. A descriptor of
/// libdispatch tells that its main queue has work, and a source of GLib's loop does that work.
///
/// A program's `main` has to stay synchronous. With a top-level `await` the main actor moves to another thread than the
/// first, where GTK must not be called.
public enum MainLoop {
    @MainActor private static var outcome: Result<Void, MainLoopError>?

    /// Joins the two loops and sees whether it works. Only the first call does anything; `setImage` and its like make it by
    /// themselves.
    ///
    /// It takes some microseconds, or a second when it does not work. What waits on the main queue may run inside the call.
    ///
    /// - Throws: ``MainLoopError`` when work of the main queue does not run on this thread.
    @MainActor
    public static func attach() throws(MainLoopError) {
        if let outcome { return try outcome.get() }
        // What runs inside may come here again, and finds the loops as good as joined.
        outcome = .success(())
        do throws(MainLoopError) { try join() } catch {
            outcome = .failure(error)
            throw error
        }
    }

    /// The same for who cannot throw: GLib says it where it says what is wrong with a program.
    @MainActor
    static func attachOrComplain() {
        guard outcome == nil else { return }
        do { try attach() } catch {
            Complaint.complain(error.message)
        }
    }

    private static func join() throws(MainLoopError) {
        guard webimage_is_first_thread() != 0 else {
            throw MainLoopError(
                "The main actor does not run on the first thread of the process, where GTK runs. A top-level await, or an "
                    + "asynchronous main function, moves it: start GTK from a synchronous main.")
        }
        let handle = _dispatch_get_main_queue_handle_4CF()
        guard handle >= 0 else {
            throw MainLoopError("libdispatch gives no handle of its main queue, so nothing can wake GLib's main loop.")
        }
        try test(handle)
        g_unix_fd_add_full(
            G_PRIORITY_DEFAULT, handle, G_IO_IN,
            { handle, _, _ in
                MainLoop.drain(handle)
                return 1
            }, nil, nil)
    }

    /// Puts something into the main queue, waits for the descriptor to tell of it, and looks whether it was run.
    private static func test(_ handle: Int32) throws(MainLoopError) {
        let flag = Flag()
        DispatchQueue.main.async { flag.isSet.store(true, ordering: .relaxed) }
        var event = pollfd(fd: handle, events: Int16(POLLIN), revents: 0)
        var ready: Int32 = 0
        repeat { ready = poll(&event, 1, 1_000) } while ready < 0 && errno == EINTR
        if ready > 0 { drain(handle) }
        guard flag.isSet.load(ordering: .relaxed) else {
            throw MainLoopError(
                "Work of the main queue does not run in GLib's main loop"
                    + (ready > 0
                        ? ", because something else runs that queue already." : ": nothing told of it for a second."))
        }
    }

    private static func drain(_ handle: Int32) {
        var count: UInt64 = 0
        // It does not block; who finds nothing was woken twice.
        _ = read(handle, &count, 8)
        _dispatch_main_queue_callback_4CF(nil)
    }

    private final class Flag: Sendable {
        let isSet = Atomic(false)
    }
}

/// Why Swift's main actor cannot run inside GLib's main loop, in a sentence.
public struct MainLoopError: Error, Hashable, Sendable, CustomStringConvertible {
    public let message: String

    init(_ message: String) { self.message = message }

    public var description: String { message }
}
#endif
