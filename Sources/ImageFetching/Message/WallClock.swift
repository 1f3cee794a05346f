#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The system's clock for what has to do with the outside world: dates of responses, expiry of cookies.
public enum WallClock {
    /// Nanoseconds since 1970, exact to a few milliseconds: the system's coarse clock, which costs a few nanoseconds to read.
    public static let system: @Sendable () -> Int64 = {
        var now = timespec()
        #if os(Linux)
        let clock = CLOCK_REALTIME_COARSE
        #else
        let clock = CLOCK_REALTIME
        #endif
        // Fails for an unknown clock only; zero, 1970, would be the answer.
        clock_gettime(clock, &now)
        return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
    }
}
