/// Jobs that wait for a thread, the most urgent first and in the order of their arrival within one priority.
///
/// A value without a lock: ``WorkerPool`` holds the lock around it.
struct JobQueue {
    /// One piece of work. It runs once, wherever its priority has been moved meanwhile.
    // Unchecked: the mutable fields are touched only inside the queue, under the lock of the pool that owns it.
    final class Job: @unchecked Sendable {
        let run: @Sendable () -> Void
        fileprivate var priority: ImagePriority
        fileprivate var isTaken = false

        init(priority: ImagePriority, run: @escaping @Sendable () -> Void) {
            self.priority = priority
            self.run = run
        }
    }

    /// One lane for each priority, the lowest first. A job stands in every lane it was ever moved to; it is taken from
    /// the lane that agrees with its priority, and the other places are skipped as they come up.
    private var lanes = ImagePriority.allCases.map { _ in Lane() }
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    mutating func append(_ job: Job) {
        lanes[job.priority.rawValue].append(job)
        count += 1
    }

    /// Moves a waiting job behind those that already have the priority. A job that was taken stays taken.
    mutating func move(_ job: Job, to priority: ImagePriority) {
        guard !job.isTaken, job.priority != priority else { return }
        job.priority = priority
        lanes[priority.rawValue].append(job)
    }

    /// Takes the job that is to run next.
    mutating func next() -> Job? {
        for index in lanes.indices.reversed() {
            while let job = lanes[index].popFirst() {
                guard !job.isTaken, job.priority.rawValue == index else { continue }
                job.isTaken = true
                count -= 1
                return job
            }
        }
        return nil
    }
}

extension JobQueue {
    /// First in, first out, in constant time on average.
    private struct Lane {
        private var jobs: [Job?] = []
        private var head = 0

        mutating func append(_ job: Job) {
            jobs.append(job)
        }

        mutating func popFirst() -> Job? {
            guard head < jobs.count else { return nil }
            defer {
                jobs[head] = nil
                head += 1
                if head > 64, head * 2 > jobs.count {
                    jobs.removeFirst(head)
                    head = 0
                }
            }
            return jobs[head]
        }
    }
}
