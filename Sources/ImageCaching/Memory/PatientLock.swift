public import Synchronization
import SystemThreads

extension Mutex {
    /// Takes the lock like `withLock`, for bodies of a few nanoseconds.
    ///
    /// When another thread has it, this one stays away from it for a few microseconds before it waits in earnest. The
    /// other one goes on at full speed meanwhile; two threads that reach for the lock all the time would spend most of
    /// theirs on handing its cache line to and fro, and a look-up would take them nearly twice as long.
    @inlinable
    func withPatientLock<Result>(_ body: (inout sending Value) -> sending Result) -> sending Result {
        if let result = withLockIfAvailable(body) { return result }
        return withLockAfterPause(body)
    }

    @inlinable
    @inline(never)
    func withLockAfterPause<Result>(_ body: (inout sending Value) -> sending Result) -> sending Result {
        pause()
        return withLock(body)
    }
}

@usableFromInline
func pause() { SystemThread.pause(128) }
