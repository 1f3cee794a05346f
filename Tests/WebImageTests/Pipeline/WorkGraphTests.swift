import ImageCaching
import Testing
import WebImageTesting

@testable import WebImage

/// The transitions of the work graph, one by one.
@Suite struct WorkGraphTests {
    typealias Graph = WorkGraph<Int, String>

    static func key(_ name: String) -> Graph.Key {
        Graph.Key(digest: KeyFields(name).digest, policy: 0)
    }

    let small = key("small"), large = key("large"), url = key("url"), other = key("other")

    @Test("S068 S069 P14: a second task for the same picture joins and starts nothing")
    func joinsPicture() {
        var graph = Graph()
        let first = graph.add(1, picture: small, bytes: url, priority: .normal)
        let second = graph.add(2, picture: small, bytes: url, priority: .normal)
        #expect(first.startBytes?.waiter == 1)
        #expect(second.startBytes == nil && second.startPictures.isEmpty && second.moved.isEmpty)
        #expect(graph.counts == (1, 1))
    }

    @Test("C145: another size shares the download and gets a decode of its own")
    func sharesBytes() throws {
        var graph = Graph()
        let started = try #require(graph.add(1, picture: small, bytes: url, priority: .normal).startBytes)
        let joined = graph.add(2, picture: large, bytes: url, priority: .normal)
        #expect(joined.startBytes == nil && joined.startPictures.isEmpty)
        let loaded = graph.bytesLoaded("body", key: url, token: started.token)
        #expect(Set(loaded.startPictures.map(\.key)) == [small, large])
        #expect(loaded.startPictures.allSatisfy { $0.bytes == "body" })
    }

    @Test("C146: a size that is asked for while another is decoded starts from the bytes that are there")
    func joinsLoadedBytes() throws {
        var graph = Graph()
        let started = try #require(graph.add(1, picture: small, bytes: url, priority: .normal).startBytes)
        _ = graph.bytesLoaded("body", key: url, token: started.token)
        let late = graph.add(2, picture: large, bytes: url, priority: .normal)
        #expect(late.startBytes == nil)
        #expect(late.startPictures.map(\.key) == [large])
    }

    @Test("S074 P6: the last of two to leave cancels, the first does not")
    func lastCancels() throws {
        var graph = Graph()
        let started = try #require(graph.add(1, picture: small, bytes: url, priority: .normal).startBytes)
        _ = graph.add(2, picture: large, bytes: url, priority: .normal)
        let first = graph.cancel(1, picture: small)
        #expect(first.cancelled.isEmpty)
        let last = graph.cancel(2, picture: large)
        #expect(last.cancelled.contains { $0 === started.token })
        #expect(graph.counts == (0, 0))
    }

    @Test("P6: the last to leave a picture that is being decoded stops the decode, and others keep theirs")
    func cancelsDecode() throws {
        var graph = Graph()
        let started = try #require(graph.add(1, picture: small, bytes: url, priority: .normal).startBytes)
        _ = graph.add(2, picture: large, bytes: url, priority: .high)
        let decodes = graph.bytesLoaded("body", key: url, token: started.token).startPictures
        let own = try #require(decodes.first { $0.key == small })
        #expect(own.token.priority == .normal)
        let raised = graph.setPriority(.veryHigh, of: 1, picture: small)
        #expect(raised.moved.contains { $0 === own.token && $0.priority == .veryHigh })
        let left = graph.cancel(1, picture: small)
        #expect(left.cancelled.count == 1 && left.cancelled.first === own.token)
        #expect(graph.pictureFinished(key: small, token: own.token).delivered.isEmpty)
        let other = try #require(decodes.first { $0.key == large })
        #expect(graph.pictureFinished(key: large, token: other.token).delivered == [2])
        #expect(graph.counts == (0, 0))
    }

    @Test("P6: what comes in after a cancellation is dropped, even if the same work runs again")
    func lateResult() throws {
        var graph = Graph()
        let old = try #require(graph.add(1, picture: small, bytes: url, priority: .normal).startBytes)
        _ = graph.cancel(1, picture: small)
        let new = try #require(graph.add(2, picture: small, bytes: url, priority: .normal).startBytes)
        #expect(graph.bytesLoaded("late", key: url, token: old.token).startPictures.isEmpty)
        #expect(graph.bytesFailed(key: url, token: old.token).delivered.isEmpty)
        #expect(graph.bytesLoaded("new", key: url, token: new.token).startPictures.map(\.bytes) == ["new"])
    }

    @Test("P13 W023: shared work has the highest priority of its waiters, up and down")
    func priorities() throws {
        var graph = Graph()
        let started = try #require(graph.add(1, picture: small, bytes: url, priority: .low).startBytes)
        let raised = graph.add(2, picture: small, bytes: url, priority: .high)
        #expect(raised.moved.contains { $0 === started.token && $0.priority == .high })
        let lowered = graph.cancel(2, picture: small)
        #expect(lowered.moved.contains { $0 === started.token && $0.priority == .low })
        let moved = graph.setPriority(.veryHigh, of: 1, picture: small)
        #expect(moved.moved.map(\.priority) == [.veryHigh])
        #expect(graph.setPriority(.veryHigh, of: 1, picture: small).moved.isEmpty)
    }

    @Test("W010 W011: a failed download ends every task of every size, and nothing stays behind")
    func failure() throws {
        var graph = Graph()
        let started = try #require(graph.add(1, picture: small, bytes: url, priority: .normal).startBytes)
        _ = graph.add(2, picture: large, bytes: url, priority: .normal)
        _ = graph.add(3, picture: Self.key("third"), bytes: other, priority: .normal)
        #expect(Set(graph.bytesFailed(key: url, token: started.token).delivered) == [1, 2])
        #expect(graph.counts == (1, 1))
    }

    @Test("P18 P19: a million random events never lose, double or mix up an outcome")
    func randomWalk() {
        var walk = GraphWalk(seed: 0x5EED)
        for _ in 0..<1_000_000 { walk.step() }
        walk.drain()
        #expect(walk.violations == [])
        #expect(walk.outcomes > 100_000)
    }
}

/// Plays tasks, downloads and decodes against a graph in random order and keeps its own books.
private struct GraphWalk {
    typealias Graph = WorkGraph<Int, String>
    struct Running {
        let key: Graph.Key
        let token: WorkToken
    }

    private var random: SeededGenerator
    private var graph = Graph()
    private var next = 0
    private var waiting: [Int: (picture: Int, bytes: Int)] = [:]
    private var priorities: [Int: ImagePriority] = [:]
    private var announced: [ObjectIdentifier: ImagePriority] = [:]
    private var order: [Int] = []
    private var downloads: [Running] = []
    private var decodes: [Running] = []
    private(set) var violations: [String] = []
    private(set) var outcomes = 0

    private static let pictures = (0..<12).map { WorkGraphTests.key("picture \($0)") }
    private static let urls = (0..<4).map { WorkGraphTests.key("url \($0)") }

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func step() {
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<4: add()
        case 4: cancel()
        case 5: move()
        case 6, 7: finishDownload()
        default: finishDecode()
        }
        if order.count > 4_096 { order = order.filter { waiting[$0] != nil } }
        if next % 64 == 0 { checkPriority() }
    }

    mutating func drain() {
        var rounds = 0
        while !downloads.isEmpty || !decodes.isEmpty, rounds < 1_000_000 {
            rounds += 1
            finishDownload()
            finishDecode()
        }
        if !waiting.isEmpty { violations.append("\(waiting.count) tasks without an outcome") }
        if graph.counts != (0, 0) { violations.append("work left: \(graph.counts)") }
    }

    /// A download is as urgent as the most urgent of those who wait for it.
    private mutating func checkPriority() {
        guard let work = downloads.randomElement(using: &random), !work.token.isCancelled else { return }
        let url = Self.urls.firstIndex(of: work.key)
        let highest = waiting.filter { $0.value.bytes == url }.compactMap { priorities[$0.key] }.max()
        if announced[ObjectIdentifier(work.token)] != highest { violations.append("a download of the wrong priority") }
    }

    private mutating func add() {
        next += 1
        let picture = Int.random(in: 0..<12, using: &random)
        waiting[next] = (picture, picture / 3)
        order.append(next)
        let priority = ImagePriority.allCases.randomElement(using: &random) ?? .normal
        priorities[next] = priority
        take(graph.add(next, picture: Self.pictures[picture], bytes: Self.urls[picture / 3], priority: priority))
    }

    private mutating func cancel() {
        guard let waiter = order.randomElement(using: &random), let work = waiting.removeValue(forKey: waiter) else {
            return
        }
        outcomes += 1
        take(graph.cancel(waiter, picture: Self.pictures[work.picture]))
    }

    private mutating func move() {
        guard let waiter = order.randomElement(using: &random), let work = waiting[waiter] else { return }
        let priority = ImagePriority.allCases.randomElement(using: &random) ?? .normal
        priorities[waiter] = priority
        take(graph.setPriority(priority, of: waiter, picture: Self.pictures[work.picture]))
    }

    private mutating func finishDownload() {
        guard let index = downloads.indices.randomElement(using: &random) else { return }
        let work = downloads.remove(at: index)
        if Bool.random(using: &random) {
            take(graph.bytesLoaded("body", key: work.key, token: work.token))
        } else {
            let url = Self.urls.firstIndex(of: work.key)
            let effects = graph.bytesFailed(key: work.key, token: work.token)
            deliver(effects, of: work) { $0.bytes == url }
        }
    }

    private mutating func finishDecode() {
        guard let index = decodes.indices.randomElement(using: &random) else { return }
        let work = decodes.remove(at: index)
        let picture = Self.pictures.firstIndex(of: work.key)
        deliver(graph.pictureFinished(key: work.key, token: work.token), of: work) { $0.picture == picture }
    }

    private mutating func deliver(
        _ effects: Graph.Effects, of work: Running, isRight: ((picture: Int, bytes: Int)) -> Bool
    ) {
        if work.token.isCancelled, !effects.delivered.isEmpty { violations.append("a cancelled work delivered") }
        for waiter in effects.delivered {
            guard let work = waiting.removeValue(forKey: waiter) else {
                violations.append("task \(waiter) got a second outcome")
                continue
            }
            if !isRight(work) { violations.append("task \(waiter) got another's outcome") }
            outcomes += 1
        }
        take(effects)
    }

    private mutating func take(_ effects: Graph.Effects) {
        for token in effects.moved { announced[ObjectIdentifier(token)] = token.priority }
        if let (key, token, waiter) = effects.startBytes {
            announced[ObjectIdentifier(token)] = priorities[waiter]
            if downloads.contains(where: { $0.key == key && !$0.token.isCancelled }) {
                violations.append("two downloads of one URL")
            }
            downloads.append(Running(key: key, token: token))
        }
        for (key, token, waiter, _) in effects.startPictures {
            if waiting[waiter] == nil { violations.append("a decode for a task that is gone") }
            decodes.append(Running(key: key, token: token))
        }
        for token in effects.cancelled { token.cancel() }
    }
}

extension WorkGraph {
    /// What the pipeline does for every task that finds nothing in memory.
    fileprivate mutating func add(
        _ waiter: Waiter, picture: Key, bytes: Key, priority: ImagePriority
    ) -> Effects {
        join(waiter, picture: picture, priority: priority)
            ?? start(waiter, picture: picture, bytes: bytes, priority: priority)
    }
}
