/// Jobs that wait for a thread, the most urgent first and in the order of their arrival within one priority.
///
/// A value without a lock: ``WorkerPool`` holds the lock around it.
struct JobQueue {
    /// What a thread is to do.
    enum Work {
        case body(@Sendable () -> Void)
        /// A step of a Swift task, and the executor that it believes to run on.
        case step(UnownedJob, UnownedTaskExecutor)

        func callAsFunction() {
            switch self {
            case .body(let run): run()
            case .step(let job, let executor): job.runSynchronously(on: executor)
            }
        }
    }

    /// One piece of work that can be moved. It runs once, wherever its priority has been moved meanwhile.
    // Unchecked: the mutable fields are touched only inside the queue, under the lock of the pool that owns it.
    final class Job: @unchecked Sendable {
        /// `nil` once it was taken: whoever still holds the job does not hold what its work needed.
        private var run: (@Sendable () -> Void)?
        fileprivate var priority: ImagePriority
        fileprivate var isTaken = false

        init(priority: ImagePriority, run: @escaping @Sendable () -> Void) {
            self.priority = priority
            self.run = run
        }

        fileprivate func take() -> (@Sendable () -> Void)? {
            defer { run = nil }
            return run
        }
    }

    /// One lane for each priority, the lowest first. A job stands in every lane it was ever moved to; it is taken from
    /// the lane that agrees with its priority, and the other places are skipped as they come up.
    private var lanes = ImagePriority.allCases.map { _ in Lane() }
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    mutating func append(_ job: Job) {
        lanes[job.priority.rawValue].append(.movable(job))
        count += 1
    }

    /// Adds a step of a Swift task, which is never moved and needs no memory of its own.
    mutating func append(_ job: UnownedJob, on executor: UnownedTaskExecutor) {
        lanes[ImagePriority.normal.rawValue].append(.step(job, executor))
        count += 1
    }

    /// Moves a waiting job behind those that already have the priority. A job that was taken stays taken.
    mutating func move(_ job: Job, to priority: ImagePriority) {
        guard !job.isTaken, job.priority != priority else { return }
        job.priority = priority
        lanes[priority.rawValue].append(.movable(job))
    }

    /// Takes the work that is to run next.
    ///
    /// - Parameter lowest: what is less urgent stays where it is.
    /// - Returns: the work and its priority.
    mutating func next(atLeast lowest: ImagePriority = .veryLow) -> (work: Work, priority: ImagePriority)? {
        for priority in ImagePriority.allCases.reversed() where priority >= lowest {
            let index = priority.rawValue
            while let place = lanes[index].popFirst() {
                switch place {
                case .step(let job, let executor):
                    count -= 1
                    return (.step(job, executor), priority)
                case .movable(let job):
                    guard !job.isTaken, job.priority.rawValue == index, let run = job.take() else { continue }
                    job.isTaken = true
                    count -= 1
                    return (.body(run), priority)
                }
            }
        }
        return nil
    }
}

extension JobQueue {
    private enum Place {
        case movable(Job)
        case step(UnownedJob, UnownedTaskExecutor)
    }

    /// First in, first out, in constant time on average.
    private struct Lane {
        private var places: [Place?] = []
        private var head = 0

        mutating func append(_ place: Place) {
            places.append(place)
        }

        mutating func popFirst() -> Place? {
            guard head < places.count else { return nil }
            defer {
                places[head] = nil
                head += 1
                if head > 64, head * 2 > places.count {
                    places.removeFirst(head)
                    head = 0
                }
            }
            return places[head]
        }
    }
}
