import Dispatch
import Synchronization
import SystemThreads

/// Threads of our own for work that blocks: codecs and file reads.
///
/// Swift's cooperative pool has one thread for each core and must never be blocked; a decode that ran there would hold
/// up every task of the process. A pool takes plain jobs by priority, and it is a task executor too, so that an
/// asynchronous function that reads files can run on it. Where there are two threads or more, work below normal priority
/// never has the last one: what is on the screen does not wait for what may be.
final class WorkerPool: TaskExecutor {
    private let shared: Shared
    private let name: String
    private let threadCount: Int

    /// - Parameters:
    ///   - name: shown by debuggers; more than 15 bytes are cut.
    ///   - threadCount: threads, started with the first job. At least one.
    init(name: String, threadCount: Int) {
        self.name = name
        self.threadCount = max(1, threadCount)
        shared = Shared(lowThreads: max(1, threadCount - 1))
    }

    deinit {
        shared.stop()
    }

    /// Queues a job. It can be moved to another priority until it starts.
    @discardableResult
    func submit(priority: ImagePriority = .normal, _ run: @escaping @Sendable () -> Void) -> JobQueue.Job {
        let job = JobQueue.Job(priority: priority, run: run)
        if shared.append({ $0.append(job) }) { startThreads() }
        return job
    }

    func setPriority(_ priority: ImagePriority, of job: JobQueue.Job) {
        shared.move(job, to: priority)
    }

    /// Calls `body` on one of the threads and waits for it without blocking the caller's thread.
    func run<Result: Sendable>(
        priority: ImagePriority = .normal, _ body: @escaping @Sendable () -> Result
    ) async -> Result {
        await withUnsafeContinuation { continuation in
            submit(priority: priority) { continuation.resume(returning: body()) }
        }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let step = UnownedJob(job)
        let executor = asUnownedTaskExecutor()
        if shared.append({ $0.append(step, on: executor) }) { startThreads() }
    }

    private func startThreads() {
        var started = 0
        for _ in 0..<threadCount {
            guard let thread = SystemThread.start(name, { [shared] in shared.work() }) else { break }
            thread.detach()
            started += 1
        }
        // At the system's limit of threads one that Dispatch has already stands in, so that no work is left lying.
        if started == 0 { DispatchQueue.global().async { [shared] in shared.work() } }
    }
}

extension WorkerPool {
    /// What the threads and the pool's handle share; it outlives the handle until the last thread has left.
    final class Shared: Sendable {
        struct State {
            var queue = JobQueue()
            var hasThreads = false
            /// Threads that sleep and were not woken yet. A thread that is at work finds the next job by itself.
            var sleeping = 0
            /// Threads that are at work of low priority.
            var low = 0
            var isStopped = false
        }

        private let lowThreads: Int

        let state = Mutex(State())
        private let signal = DispatchSemaphore(value: 0)

        init(lowThreads: Int) {
            self.lowThreads = lowThreads
        }

        /// - Returns: `true` when this is the first job ever.
        func append(_ add: (inout JobQueue) -> Void) -> Bool {
            let (isFirst, mustWake) = state.withLock { state in
                add(&state.queue)
                let mustWake = state.sleeping > 0
                if mustWake { state.sleeping -= 1 }
                defer { state.hasThreads = true }
                return (!state.hasThreads, mustWake)
            }
            if mustWake { signal.signal() }
            return isFirst
        }

        func move(_ job: JobQueue.Job, to priority: ImagePriority) {
            let mustWake = state.withLock { state in
                state.queue.move(job, to: priority)
                // A thread may sleep because only low work was left, and it had enough of that.
                let mustWake = state.sleeping > 0 && priority >= .normal
                if mustWake { state.sleeping -= 1 }
                return mustWake
            }
            if mustWake { signal.signal() }
        }

        func stop() {
            let sleeping = state.withLock { state in
                state.isStopped = true
                defer { state.sleeping = 0 }
                return state.sleeping
            }
            for _ in 0..<sleeping { signal.signal() }
        }

        /// Runs jobs until the pool is gone and the queue is empty.
        func work() {
            var wasLow = false
            while true {
                let (next, mayLeave) = state.withLock { state in
                    if wasLow { state.low -= 1 }
                    // Whoever ends low work looks for more itself, so nothing is left lying.
                    let next = state.queue.next(atLeast: state.low < lowThreads ? .veryLow : .normal)
                    if next == nil, !state.isStopped { state.sleeping += 1 }
                    wasLow = next.map { $0.priority < .normal } ?? false
                    if wasLow { state.low += 1 }
                    return (next, state.isStopped)
                }
                if let next {
                    next.work()
                } else if mayLeave {
                    return
                } else {
                    signal.wait()
                }
            }
        }
    }
}
