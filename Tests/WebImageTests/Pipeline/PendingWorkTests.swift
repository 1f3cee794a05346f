import Synchronization
import Testing

@testable import WebImage

@Suite struct PendingWorkTests {
    @Test(
        "one that began later does not hold back who waited before it, and all who wait are told",
        .timeLimit(.minutes(1)))
    func laterWork() async {
        let work = PendingWork()
        let log = Mutex<[Int]>([])
        let first = work.begin()
        let earlier = work.waiting { log.withLock { $0.append(1) } }
        let second = work.begin(), third = work.begin()
        work.end(third)
        let later = work.waiting { log.withLock { $0.append(2) } }
        work.end(first)
        await earlier.value
        #expect(log.withLock { $0 } == [1])
        work.end(second)
        await later.value
        #expect(log.withLock { $0 } == [1, 2])
        await work.wait()
    }
}

extension PendingWork {
    /// Waits in a task that has reached the wait when this returns: it runs here until it suspends.
    fileprivate func waiting(_ then: @escaping @Sendable () -> Void) -> Task<Void, Never> {
        Task.immediate {
            await self.wait()
            then()
        }
    }
}
