import Synchronization
import Testing
import WebImageTesting

@testable import WebImage

@Suite struct JobQueueTests {
    /// A job that writes its name into a log.
    final class Log: Sendable {
        let names = Mutex<[String]>([])

        func job(_ name: String, _ priority: ImagePriority) -> JobQueue.Job {
            JobQueue.Job(priority: priority) { self.names.withLock { $0.append(name) } }
        }
    }

    func drain(_ queue: inout JobQueue) {
        while let next = queue.next() { next.work() }
    }

    @Test("S060: first in, first out within one priority; the higher priority first")
    func order() {
        let log = Log()
        var queue = JobQueue()
        for (name, priority) in [("a", .low), ("b", .normal), ("c", .high), ("d", .normal)] as [(String, ImagePriority)]
        {
            queue.append(log.job(name, priority))
        }
        #expect(queue.count == 4)
        drain(&queue)
        #expect(log.names.withLock { $0 } == ["c", "b", "d", "a"])
        #expect(queue.isEmpty)
    }

    @Test("P13: a raised job overtakes, a lowered one falls back, and each runs once")
    func moves() {
        let log = Log()
        var queue = JobQueue()
        let raised = log.job("raised", .low)
        let lowered = log.job("lowered", .high)
        let wavering = log.job("wavering", .normal)
        for job in [raised, lowered, wavering] { queue.append(job) }
        queue.append(log.job("plain", .normal))
        queue.move(raised, to: .veryHigh)
        queue.move(lowered, to: .veryLow)
        queue.move(wavering, to: .high)
        queue.move(wavering, to: .normal)
        drain(&queue)
        #expect(log.names.withLock { $0 } == ["raised", "wavering", "plain", "lowered"])
    }

    @Test("every job of a long random history runs exactly once")
    func randomHistory() {
        var random = SeededGenerator(seed: 7)
        let log = Log()
        var queue = JobQueue()
        var jobs: [JobQueue.Job] = []
        for index in 0..<20_000 {
            let priority = ImagePriority.allCases.randomElement(using: &random) ?? .normal
            jobs.append(log.job("\(index)", priority))
            queue.append(jobs[index])
            if let job = jobs.randomElement(using: &random) {
                queue.move(job, to: ImagePriority.allCases.randomElement(using: &random) ?? .normal)
            }
            if Bool.random(using: &random) { queue.next()?.work() }
        }
        drain(&queue)
        let names = log.names.withLock { $0 }
        #expect(names.count == 20_000)
        #expect(Set(names).count == 20_000)
    }
}
