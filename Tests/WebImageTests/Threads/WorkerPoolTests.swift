import Foundation
import Synchronization
import Testing
import WebImageTesting

@testable import WebImage

@Suite struct WorkerPoolTests {
    @Test("P13: jobs that wait run by priority, then in the order of their arrival, also after a move")
    func order() async {
        let pool = WorkerPool(name: "test", threadCount: 1)
        let gate = DispatchSemaphore(value: 0)
        let log = Mutex<[String]>([])
        let begun = Tally()
        pool.submit {
            begun.add()
            gate.wait()
        }
        await begun.reaches(1)
        var jobs: [JobQueue.Job] = []
        for (name, priority) in [("a", .low), ("b", .normal), ("c", .high), ("d", .low)] as [(String, ImagePriority)] {
            jobs.append(pool.submit(priority: priority) { log.withLock { $0.append(name) } })
        }
        pool.setPriority(.veryHigh, of: jobs[3])
        gate.signal()
        await pool.run(priority: .veryLow) {}
        #expect(log.withLock { $0 } == ["d", "c", "b", "a"])
    }

    @Test("P13 C028: work of low priority never has the last thread, and is done all the same", arguments: [2, 3, 8])
    func lowThreads(_ threads: Int) async {
        let pool = WorkerPool(name: "test", threadCount: threads)
        let gate = DispatchSemaphore(value: 0)
        let begun = Tally(), done = Tally()
        for _ in 0..<20 {
            pool.submit(priority: .low) {
                begun.add()
                gate.wait()
                done.add()
            }
        }
        await begun.reaches(threads - 1)
        // Would never come back if the low jobs had every thread.
        await pool.run {}
        #expect(begun.count == threads - 1)
        for _ in 0..<20 { gate.signal() }
        await done.reaches(20)
    }

    @Test("P13: low work that becomes urgent gets the thread that was kept free, at once")
    func raised() async {
        let pool = WorkerPool(name: "test", threadCount: 2)
        let gate = DispatchSemaphore(value: 0)
        let begun = Tally(), raised = Tally()
        pool.submit(priority: .low) {
            begun.add()
            gate.wait()
        }
        await begun.reaches(1)
        let job = pool.submit(priority: .low) { raised.add() }
        await pool.run {}
        #expect(raised.count == 0)
        pool.setPriority(.high, of: job)
        await raised.reaches(1)
        gate.signal()
    }

    @Test("P18: a task that prefers the pool runs on its thread, before and after it waited")
    func executor() async {
        let pool = WorkerPool(name: "test", threadCount: 1)
        let own = await pool.run { ThreadName.current }
        let work = Task(executorPreference: pool) {
            let before = ThreadName.current
            await Task.yield()
            return [before, ThreadName.current]
        }
        #expect(own == "test")
        #expect(await work.value == ["test", "test"])
    }

    @Test("every job that was queued runs, though the pool has gone meanwhile")
    func lastJobs() async {
        let done = Tally()
        do {
            let pool = WorkerPool(name: "test", threadCount: 3)
            for _ in 0..<1_000 { pool.submit { done.add() } }
        }
        await done.reaches(1_000)
        #expect(done.count == 1_000)
    }
}

/// What the system calls the thread.
enum ThreadName {
    static var current: String {
        let path = "/proc/thread-self/comm"
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return Thread.current.name ?? "" }
        return text.trimmingCharacters(in: .newlines)
    }
}
