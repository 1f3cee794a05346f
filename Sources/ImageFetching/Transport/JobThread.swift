import Synchronization
import SystemThreads

/// A thread that does one blocking job after the other. It starts with the first job and leaves when none is left.
final class JobThread: Sendable {
    private struct State {
        var jobs: [@Sendable () -> Void] = []
        var isRunning = false
    }

    private let state = Mutex(State())

    /// Does a job on the thread.
    func run<Value: Sendable>(
        _ job: @escaping @Sendable () throws(FetchError) -> Value
    ) async throws(FetchError) -> Value {
        let result = await withCheckedContinuation { continuation in
            submit { continuation.resume(returning: Result(catching: job)) }
        }
        return try result.get()
    }

    private func submit(_ job: @escaping @Sendable () -> Void) {
        let mustStart = state.withLock { state in
            state.jobs.append(job)
            defer { state.isRunning = true }
            return !state.isRunning
        }
        guard mustStart else { return }
        if let thread = SystemThread.start("webimage-file", { self.drain() }) {
            thread.detach()
        } else {
            // Without a thread the job blocks its caller, which is better than never being done.
            drain()
        }
    }

    private func drain() {
        while true {
            let jobs = state.withLock { state in
                defer { state.jobs = [] }
                state.isRunning = !state.jobs.isEmpty
                return state.jobs
            }
            if jobs.isEmpty { return }
            for job in jobs { job() }
        }
    }
}
