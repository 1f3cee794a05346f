import Testing
import WebImageTesting

@testable import ImageFetching

@Suite struct SlotQueueTests {
    private func order(_ order: FetchOrder) -> [Int] {
        var queue = SlotQueue<Int>(slots: 1, lowSlots: 1, order: order)
        for ticket in 0..<4 { _ = queue.enqueue(ticket, priority: .normal) }
        var granted: [Int] = []
        for running in [0] + (order == .fifo ? [1, 2] : [3, 2]) { granted += queue.release(running) }
        return granted
    }

    @Test("S060 S061 C149: first in first out by default, newest first on demand") func orders() {
        #expect(order(.fifo) == [1, 2, 3])
        #expect(order(.lifo) == [3, 2, 1])
    }

    @Test("P13 W022: a raised ticket overtakes, a lowered one returns to its place") func changedPriority() {
        var queue = SlotQueue<Int>(slots: 1, lowSlots: 1, order: .fifo)
        for ticket in 0..<5 { _ = queue.enqueue(ticket, priority: .normal) }
        #expect(queue.setPriority(.high, for: 3).isEmpty)
        #expect(queue.setPriority(.veryHigh, for: 4).isEmpty)
        #expect(queue.setPriority(.normal, for: 4).isEmpty)
        #expect([0, 3, 1, 2].flatMap { queue.release($0) } == [3, 1, 2, 4])
    }

    @Test("P13 C028: low priorities leave slots free for what is on the screen") func lowSlots() {
        var queue = SlotQueue<Int>(slots: 3, lowSlots: 1, order: .fifo)
        #expect(queue.enqueue(0, priority: .low) == [0])
        #expect(queue.enqueue(1, priority: .low) == [])
        #expect(queue.enqueue(2, priority: .normal) == [2])
        #expect(queue.setPriority(.high, for: 1) == [1])
        #expect(queue.enqueue(3, priority: .veryLow) == [])
        // A running ticket that is raised no longer counts as low.
        #expect(queue.setPriority(.normal, for: 0) == [])
        #expect(queue.release(2) == [3])
    }

    @Test("P13 W022: beside something urgent only one of low priority starts, and the rest when it is done")
    func lowBesideUrgent() {
        var queue = SlotQueue<Int>(slots: 6, lowSlots: 3, order: .fifo)
        #expect(queue.enqueue(0, priority: .high) == [0])
        #expect((1...5).flatMap { queue.enqueue($0, priority: .low) } == [1])
        #expect(queue.release(1) == [2])
        #expect(queue.release(0) == [3, 4])
        // What runs already is not stopped by what comes.
        #expect(queue.enqueue(6, priority: .normal) == [6])
        #expect(queue.release(2) == [])
        #expect(queue.release(3) == [])
        #expect(queue.release(4) == [5])
    }

    /// What the queue must do, written down in the plainest way.
    private struct Model {
        let slots: Int
        let lowSlots: Int
        let order: FetchOrder
        var waiting: [(ticket: Int, priority: FetchPriority)] = []
        var running: [Int: FetchPriority] = [:]

        mutating func grant() -> [Int] {
            var granted: [Int] = []
            while running.count < slots, let top = waiting.map(\.priority).max() {
                let low = running.values.count { $0 < .normal }
                if top < .normal, low >= (low < running.count ? 1 : lowSlots) { break }
                let match = { (entry: (ticket: Int, priority: FetchPriority)) in entry.priority == top }
                guard let index = order == .fifo ? waiting.firstIndex(where: match) : waiting.lastIndex(where: match)
                else { break }
                let entry = waiting.remove(at: index)
                running[entry.ticket] = entry.priority
                granted.append(entry.ticket)
            }
            return granted
        }
    }

    @Test("P6 P13: a million random transitions agree with the model", arguments: [FetchOrder.fifo, .lifo])
    func randomWalk(_ order: FetchOrder) {
        var random = SeededGenerator(seed: order == .fifo ? 7 : 11)
        var queue = SlotQueue<Int>(slots: 6, lowSlots: 3, order: order)
        var model = Model(slots: 6, lowSlots: 3, order: order)
        var next = 0
        var outcomes = 0
        let priorities: [FetchPriority] = [.veryLow, .low, .normal, .high, .veryHigh]
        for _ in 0..<500_000 {
            var expected: [Int] = []
            var actual: [Int] = []
            let priority = priorities[Int(random.next() % 5)]
            let pick = Int(random.next() >> 33)
            switch random.next() % 8 {
            case 0...2 where model.waiting.count < 40:
                actual = queue.enqueue(next, priority: priority)
                model.waiting.append((next, priority))
                expected = model.grant()
                next += 1
            case 3, 4:
                guard let ticket = model.running.keys.min() else { continue }
                actual = queue.release(ticket)
                model.running[ticket] = nil
                expected = model.grant()
                outcomes += 1
            case 5:
                guard !model.waiting.isEmpty else { continue }
                let entry = model.waiting.remove(at: pick % model.waiting.count)
                if !queue.cancel(entry.ticket) || queue.cancel(entry.ticket) {
                    Issue.record("\(entry.ticket) was not waiting exactly once")
                    return
                }
                outcomes += 1
            case 6:
                guard !model.waiting.isEmpty else { continue }
                let index = pick % model.waiting.count
                actual = queue.setPriority(priority, for: model.waiting[index].ticket)
                model.waiting[index].priority = priority
                expected = model.grant()
            default:
                guard let ticket = model.running.keys.max() else { continue }
                actual = queue.setPriority(priority, for: ticket)
                model.running[ticket] = priority
                expected = model.grant()
            }
            if actual != expected || queue.runningCount != model.running.count || queue.runningCount > 6 {
                Issue.record("granted \(actual) instead of \(expected)")
                return
            }
        }
        #expect(outcomes + queue.runningCount + queue.waitingCount == next)
        #expect(queue.waitingCount == model.waiting.count)
    }
}
