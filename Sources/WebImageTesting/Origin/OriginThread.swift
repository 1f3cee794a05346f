#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Joinable threads for the origin, which blocks on its sockets.
enum OriginThread {
    private final class Body {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Nil when the system has no thread to give.
    static func start(_ body: @escaping @Sendable () -> Void) -> pthread_t? {
        let argument = Unmanaged.passRetained(Body(body))
        #if canImport(Darwin)
        var thread: pthread_t?
        let result = pthread_create(
            &thread, nil,
            { argument in
                Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            }, argument.toOpaque())
        #else
        var thread = pthread_t()
        let result = pthread_create(
            &thread, nil,
            { argument in
                if let argument { Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run() }
                return nil
            }, argument.toOpaque())
        #endif
        guard result == 0 else {
            argument.release()
            return nil
        }
        return thread
    }
}
