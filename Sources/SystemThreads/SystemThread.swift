import CThreadShim

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A thread of our own, for work that blocks and must never do so on the pool of Swift's tasks.
///
/// Signals are left to the process's other threads, so that a write to a closed connection cannot end the process with
/// `SIGPIPE`. Every thread is either detached or joined, once.
// Unchecked: on some systems the handle is a pointer; it is only passed to the system.
package struct SystemThread: @unchecked Sendable {
    private let handle: pthread_t

    /// Starts a thread.
    ///
    /// - Parameters:
    ///   - name: for debuggers and `top`; more than 15 bytes are cut.
    ///   - body: runs on the thread, which ends with it.
    /// - Returns: `nil` when the system has no thread to give.
    package static func start(_ name: String, _ body: @escaping @Sendable () -> Void) -> SystemThread? {
        var everything = sigset_t()
        var before = sigset_t()
        sigfillset(&everything)
        pthread_sigmask(SIG_SETMASK, &everything, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }

        let argument = Unmanaged.passRetained(Body(name, body))
        guard let handle = create(argument.toOpaque()) else {
            argument.release()
            return nil
        }
        return SystemThread(handle: handle)
    }

    /// Lets the thread go; the system cleans up when it ends.
    package func detach() { pthread_detach(handle) }

    /// Waits until the thread has ended.
    package func join() { pthread_join(handle, nil) }

    /// Lets a moment pass without giving the processor back: some 20 to 40 ns for each `count`, depending on the
    /// processor.
    package static func pause(_ count: Int32) { webimage_pause(count) }

    /// Whether the caller runs on this thread.
    package var isCurrent: Bool { pthread_equal(handle, pthread_self()) != 0 }

    private final class Body {
        private let name: String
        private let body: @Sendable () -> Void

        init(_ name: String, _ body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }

        func run() {
            webimage_name_this_thread(name)
            body()
        }
    }

    private static func create(_ argument: UnsafeMutableRawPointer) -> pthread_t? {
        #if canImport(Darwin)
        var handle: pthread_t?
        let code = pthread_create(
            &handle, nil,
            { argument in
                Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            }, argument)
        return code == 0 ? handle : nil
        #else
        var handle = pthread_t()
        let code = pthread_create(
            &handle, nil,
            { argument in
                if let argument { Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run() }
                return nil
            }, argument)
        return code == 0 ? handle : nil
        #endif
    }
}
