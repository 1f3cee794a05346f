import ImageCaching
import Testing
import WebImageTesting

@testable import WebImage

/// The transitions of the work graph, one by one.
@Suite struct WorkGraphTests {
    typealias Graph = WorkGraph<Int, String>

    static func key(_ name: String) -> WorkKey {
        WorkKey(digest: KeyFields(name).digest, terms: WorkTerms(rule: .standard, bits: 0))
    }

    static let url = key("url"), small = key("small"), large = key("large")
    let small = WorkPath(source: url, picture: small), large = WorkPath(source: url, picture: large)
    let bytes = WorkPath(source: url)
    let grey = WorkPath(source: url, picture: small, steps: [key("grey")])
    let greyBlurred = WorkPath(source: url, picture: small, steps: [key("grey"), key("grey, blurred")])
    let other = WorkPath(source: key("other url"), picture: key("other"))

    @Test("S068 S069 P14: a second task for the same picture joins and starts nothing")
    func joinsPicture() {
        var graph = Graph()
        let first = graph.add(1, small)
        let second = graph.add(2, small)
        #expect(first.effects.start?.maker == 1 && first.effects.start?.key == Self.url)
        #expect(second.effects.starts.isEmpty && second.effects.moved.isEmpty)
        #expect(graph.count == 2)
    }

    @Test("C145: another size shares the download and gets a decode of its own")
    func sharesBytes() throws {
        var graph = Graph()
        let started = try #require(graph.add(1, small).effects.start)
        #expect(graph.add(2, large).effects.starts.isEmpty)
        let loaded = graph.finished(Self.url, token: started.token, with: "body")
        #expect(Set(loaded.starts.map(\.key)) == [Self.small, Self.large])
        #expect(loaded.starts.allSatisfy { $0.input == "body" && $0.depth == 1 })
    }

    @Test("C146: a size that is asked for while another is decoded starts from the bytes that are there")
    func joinsLoadedBytes() throws {
        var graph = Graph()
        let started = try #require(graph.add(1, small).effects.start)
        _ = graph.finished(Self.url, token: started.token, with: "body")
        let late = graph.add(2, large).effects.starts
        #expect(late.map(\.key) == [Self.large] && late.map(\.input) == ["body"])
    }

    @Test("C017 C019: every prefix of the processing is shared: one decode, one first step, then each its own")
    func sharesPrefixes() throws {
        var graph = Graph()
        let download = try #require(graph.add(1, grey).effects.start)
        #expect(graph.add(2, greyBlurred).effects.starts.isEmpty)
        #expect(graph.add(3, small).effects.starts.isEmpty)
        let decode = try #require(graph.finished(Self.url, token: download.token, with: "body").start)
        #expect(decode.key == Self.small)
        let decoded = graph.finished(Self.small, token: decode.token, with: "pixels")
        #expect(decoded.delivered == [3])
        let step = try #require(decoded.start)
        #expect(step.depth == 2 && step.input == "pixels" && decoded.moreStarts.isEmpty)
        let stepped = graph.finished(step.key, token: step.token, with: "grey pixels")
        #expect(stepped.delivered == [1])
        let last = try #require(stepped.start)
        #expect(last.depth == 3 && last.input == "grey pixels")
        #expect(graph.finished(last.key, token: last.token, with: "blurred").delivered == [2])
        #expect(graph.count == 0)
    }

    @Test("C039: who wants the bytes themselves shares the download, and gets them at once while a decode has them")
    func wantsBytes() throws {
        var graph = Graph()
        let download = try #require(graph.add(1, small).effects.start)
        #expect(graph.add(2, bytes).effects.starts.isEmpty)
        let loaded = graph.finished(Self.url, token: download.token, with: "body")
        #expect(loaded.delivered == [2] && loaded.starts.count == 1)
        #expect(graph.add(3, bytes).ready == "body")
    }

    @Test("S074 P6: the last of two to leave cancels, the first does not")
    func lastCancels() throws {
        var graph = Graph()
        let started = try #require(graph.add(1, small).effects.start)
        _ = graph.add(2, large)
        #expect(graph.cancel(1, at: 0, goal: Self.small).cancelled.isEmpty)
        let last = graph.cancel(2, at: 0, goal: Self.large)
        #expect(last.cancelled.count == 1 && last.cancelled.first === started.token)
        #expect(graph.count == 0)
    }

    @Test("P6: the last to leave a picture that is being decoded stops the decode, and others keep theirs")
    func cancelsDecode() throws {
        var graph = Graph()
        let started = try #require(graph.add(1, small).effects.start)
        _ = graph.add(2, large, .high)
        let decodes = graph.finished(Self.url, token: started.token, with: "body").starts
        let own = try #require(decodes.first { $0.key == Self.small })
        #expect(own.token.priority == .normal)
        let raised = graph.setPriority(.veryHigh, of: 1, at: 0, goal: Self.small)
        #expect(raised.moved.contains { $0 === own.token && $0.priority == .veryHigh })
        let left = graph.cancel(1, at: 0, goal: Self.small)
        #expect(left.cancelled.count == 1 && left.cancelled.first === own.token)
        #expect(graph.finished(Self.small, token: own.token, with: "late").delivered.isEmpty)
        let other = try #require(decodes.first { $0.key == Self.large })
        #expect(graph.finished(Self.large, token: other.token, with: "pixels").delivered == [2])
        #expect(graph.count == 0)
    }

    @Test("P6: what comes in after a cancellation is dropped, even if the same work runs again")
    func lateResult() throws {
        var graph = Graph()
        let old = try #require(graph.add(1, small).effects.start)
        _ = graph.cancel(1, at: 0, goal: Self.small)
        let new = try #require(graph.add(2, small).effects.start)
        #expect(graph.finished(Self.url, token: old.token, with: "late").starts.isEmpty)
        #expect(graph.failed(Self.url, token: old.token).delivered.isEmpty)
        #expect(graph.finished(Self.url, token: new.token, with: "new").starts.map(\.input) == ["new"])
    }

    @Test("P6: a task that left cannot take another's place away")
    func latePlace() {
        var graph = Graph()
        _ = graph.add(1, small)
        _ = graph.cancel(1, at: 0, goal: Self.small)
        _ = graph.add(2, small)
        #expect(graph.cancel(1, at: 0, goal: Self.small).cancelled.isEmpty)
        #expect(graph.setPriority(.high, of: 1, at: 0, goal: Self.small).moved.isEmpty)
        #expect(graph.count == 2)
    }

    @Test("P13 W023 C034: shared work has the highest priority of its waiters, up and down")
    func priorities() throws {
        var graph = Graph()
        let started = try #require(graph.add(1, small, .low).effects.start)
        let high = graph.add(2, small, .high)
        #expect(high.effects.moved.contains { $0 === started.token && $0.priority == .high })
        let lowered = graph.cancel(2, at: high.place, goal: Self.small)
        #expect(lowered.moved.contains { $0 === started.token && $0.priority == .low })
        #expect(graph.setPriority(.veryHigh, of: 1, at: 0, goal: Self.small).moved.map(\.priority) == [.veryHigh])
        #expect(graph.setPriority(.veryHigh, of: 1, at: 0, goal: Self.small).moved.isEmpty)
    }

    @Test("W010 W011: a failed download ends every task of every size and step, and nothing stays behind")
    func failure() throws {
        var graph = Graph()
        let started = try #require(graph.add(1, small).effects.start)
        _ = graph.add(2, greyBlurred)
        _ = graph.add(3, bytes)
        _ = graph.add(4, other)
        #expect(Set(graph.failed(Self.url, token: started.token).delivered) == [1, 2, 3])
        #expect(graph.count == 2)
    }

    @Test("S074 P18 P19 W020: a million random events never lose, double or mix up an outcome")
    func randomWalk() {
        var walk = GraphWalk(seed: 0x5EED)
        for _ in 0..<1_000_000 { walk.step() }
        walk.drain()
        #expect(walk.violations == [])
        #expect(walk.outcomes > 100_000)
    }
}

extension WorkGraph.Effects {
    var starts: [WorkGraph.Start] { (start.map { [$0] } ?? []) + moreStarts }
}

extension WorkGraph {
    /// What became of a task that asked.
    struct Added {
        var place = 0
        var effects = Effects()
        var ready: Value?
    }

    /// What the pipeline does for every task that finds nothing in memory.
    mutating func add(_ waiter: Waiter, _ path: WorkPath, _ priority: ImagePriority = .normal) -> Added {
        switch join(waiter, goal: path.goal, priority: priority) {
        case .waiting(let place, let effects): Added(place: place, effects: effects)
        case .ready(let value): Added(ready: value)
        case nil: Added(effects: start(waiter, path: path, priority: priority))
        }
    }
}
