import Testing
import WebImageTesting

@testable import WebImage

@Suite struct PrefetchQueueTests {
    typealias Ticket = PrefetchQueue.Ticket

    static func tickets(_ batch: Int, _ indices: ClosedRange<Int>) -> [Ticket] {
        indices.map { Ticket(batch: batch, index: $0) }
    }

    @Test("C281 S153: so many run at once, in the order in which they were given, batch after batch")
    func order() {
        var queue = PrefetchQueue(limit: 3)
        #expect(queue.add(1, count: 4).start == Self.tickets(1, 0...2))
        #expect(queue.add(2, count: 2).start.isEmpty)
        #expect(queue.ended(Ticket(batch: 1, index: 1), .loaded).start == Self.tickets(1, 3...3))
        #expect(queue.ended(Ticket(batch: 1, index: 0), .failed).start == Self.tickets(2, 0...0))
    }

    @Test("C285 C286: figures after every item, success or not; the last ones end the batch")
    func progress() {
        var queue = PrefetchQueue(limit: 1)
        _ = queue.add(1, count: 3)
        let first = queue.ended(Ticket(batch: 1, index: 0), .loaded).progress
        #expect(first.map(\.1.ended) == [1] && first.map(\.1.loaded) == [1])
        let second = queue.ended(Ticket(batch: 1, index: 1), .failed).progress
        #expect(second.map(\.1.ended) == [2] && second.map(\.1.failed) == [1] && second.first?.1.isOver == false)
        let third = queue.ended(Ticket(batch: 1, index: 2), .loaded).progress
        #expect(third.first?.1.isOver == true && queue.openBatches.isEmpty)
        #expect(queue.ended(Ticket(batch: 1, index: 2), .loaded).progress.isEmpty)
    }

    @Test("P42 C288: cancelling one item leaves the others alone, whether it waits or runs")
    func cancelItem() {
        var queue = PrefetchQueue(limit: 1)
        _ = queue.add(1, count: 3)
        #expect(queue.cancel(Ticket(batch: 1, index: 1)).progress.first?.1.cancelled == 1)
        #expect(queue.cancel(Ticket(batch: 1, index: 1)).progress.isEmpty)
        #expect(queue.cancel(Ticket(batch: 1, index: 0)).stop == Self.tickets(1, 0...0))
        #expect(queue.ended(Ticket(batch: 1, index: 0), .cancelled).start == Self.tickets(1, 2...2))
        #expect(queue.ended(Ticket(batch: 1, index: 2), .loaded).progress.first?.1.isOver == true)
    }

    @Test("C288 W012: cancelling a batch ends it, and the next one goes on")
    func cancelBatch() {
        var queue = PrefetchQueue(limit: 2)
        _ = queue.add(1, count: 5)
        _ = queue.add(2, count: 1)
        let effects = queue.cancel(batch: 1)
        #expect(effects.stop == Self.tickets(1, 0...1) && effects.progress.last?.1.cancelled == 3)
        #expect(queue.ended(Ticket(batch: 1, index: 0), .cancelled).start == Self.tickets(2, 0...0))
        #expect(queue.ended(Ticket(batch: 1, index: 1), .cancelled).progress.last?.1.isOver == true)
    }

    @Test("a paused queue starts nothing until it goes on")
    func pause() {
        var queue = PrefetchQueue(limit: 2)
        _ = queue.pause(true)
        #expect(queue.add(1, count: 3).start.isEmpty)
        #expect(queue.pause(false).start == Self.tickets(1, 0...1))
    }

    @Test("P42: in a long random history every item ends once, and never more run than may")
    func randomWalk() {
        var random = SeededGenerator(seed: 42)
        var queue = PrefetchQueue(limit: 4)
        var running: [Ticket] = []
        var totals: [Int: Int] = [:]
        var ended: [Int: Int] = [:]
        func take(_ effects: PrefetchQueue.Effects) {
            running += effects.start
            for (batch, progress) in effects.progress { ended[batch] = progress.ended }
        }
        for step in 0..<200_000 {
            switch Int.random(in: 0..<20, using: &random) {
            case 0:
                totals[step] = Int.random(in: 0...30, using: &random)
                take(queue.add(step, count: totals[step] ?? 0))
            case 1:
                let batch = totals.keys.randomElement(using: &random) ?? 0
                take(queue.cancel(Ticket(batch: batch, index: Int.random(in: 0...31, using: &random))))
            case 2 where step % 7 == 0:
                take(queue.cancel(batch: queue.openBatches.randomElement(using: &random) ?? 0))
            case 3:
                take(queue.pause(Bool.random(using: &random)))
            default:
                guard let index = running.indices.randomElement(using: &random) else { continue }
                take(queue.ended(running.remove(at: index), .loaded))
            }
            #expect(running.count <= 4)
        }
        take(queue.pause(false))
        while let ticket = running.popLast() { take(queue.ended(ticket, .loaded)) }
        #expect(totals.allSatisfy { (ended[$0] ?? 0) == $1 })
        #expect(queue.openBatches.isEmpty)
    }
}
