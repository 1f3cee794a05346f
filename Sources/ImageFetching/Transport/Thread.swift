#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Threads of our own for work that blocks, which must never happen on the pool of Swift's tasks.
enum Thread {
    private final class Body {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Runs `body` on a new thread that nobody waits for. Signals are left to the other threads, so that a write to a
    /// closed connection cannot end the process with `SIGPIPE`.
    ///
    /// - Returns: false when the system has no thread to give.
    static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        var everything = sigset_t()
        var before = sigset_t()
        sigfillset(&everything)
        pthread_sigmask(SIG_SETMASK, &everything, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }

        let argument = Unmanaged.passRetained(Body(body))
        #if canImport(Darwin)
        var thread: pthread_t?
        let result = pthread_create(
            &thread, nil,
            { argument in
                Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            }, argument.toOpaque())
        guard result == 0, let thread else {
            argument.release()
            return false
        }
        #else
        var thread = pthread_t()
        let result = pthread_create(
            &thread, nil,
            { argument in
                if let argument { Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run() }
                return nil
            }, argument.toOpaque())
        guard result == 0 else {
            argument.release()
            return false
        }
        #endif
        pthread_detach(thread)
        return true
    }
}
