import Synchronization
import Testing
import WebImageTesting

@testable import WebImage

@Suite struct BacklogTests {
    @Test(
        "P7 W024: while too many bytes wait nobody adds to them; when they go, the most urgent is first, one by one"
    )
    func order() {
        let backlog = Backlog(limit: 100)
        let log = Log()
        #expect(backlog.enter(.normal, {}) == nil)
        var claims = [backlog.claim(60), backlog.claim(60)]
        let first = backlog.enter(.low) { log.add("low") }
        #expect(first != nil)
        #expect(backlog.enter(.normal) { log.add("normal") } != nil)
        #expect(backlog.enter(.high) { log.add("high") } != nil)
        #expect(backlog.counts == (held: 120, waiting: 3))
        claims.removeLast()
        #expect(log.names == ["high"])
        if let first { backlog.setPriority(.veryHigh, of: first) }
        backlog.pass()
        #expect(log.names == ["high", "low"])
        backlog.pass()
        backlog.pass()
        #expect(log.names == ["high", "low", "normal"])
        #expect(backlog.counts == (held: 60, waiting: 0))
    }

    @Test("P7: one body larger than the limit is let through")
    func large() {
        let backlog = Backlog(limit: 10)
        #expect(backlog.enter(.normal, {}) == nil)
        let claim = backlog.claim(1_000)
        #expect(backlog.enter(.normal, {}) != nil)
        _ = claim
    }

    @Test("P6: who waits for room and is cancelled goes on at once, and those behind are not forgotten")
    func cancellation() async {
        let backlog = Backlog(limit: 10)
        var claim: Backlog.Claim? = backlog.claim(10)
        let waiting = Task { await backlog.room(.normal) }
        let entered = Tally()
        while backlog.counts.waiting == 0 { await Task.yield() }
        #expect(backlog.enter(.low) { entered.add() } != nil)
        waiting.cancel()
        await waiting.value
        #expect(claim != nil)
        claim = nil
        await entered.reaches(1)
        #expect(backlog.counts == (held: 0, waiting: 0))
    }

    /// Names in the order they came.
    private final class Log: Sendable {
        private let list = Mutex<[String]>([])
        var names: [String] { list.withLock { $0 } }
        func add(_ name: String) { list.withLock { $0.append(name) } }
    }
}
