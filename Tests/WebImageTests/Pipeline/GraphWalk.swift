import ImageCaching
import WebImageTesting

@testable import WebImage

/// Plays tasks and work against a graph in random order and keeps its own books.
///
/// Every result is the text of its key, so that a task can tell whether it got what it asked for.
struct GraphWalk {
    typealias Graph = WorkGraph<Int, String>

    private struct Waiting {
        let path: Int
        let place: Int
        var priority: ImagePriority
    }

    private var random: SeededGenerator
    private var graph = Graph()
    private var next = 0
    private var waiting: [Int: Waiting] = [:]
    private var announced: [ObjectIdentifier: ImagePriority] = [:]
    private var order: [Int] = []
    private var running: [Graph.Start] = []
    private(set) var violations: [String] = []
    private(set) var outcomes = 0

    /// Four URLs, three sizes each, and for each size: the picture, one step, two steps. The bytes themselves, too.
    private static let paths: [WorkPath] = (0..<4).flatMap { url -> [WorkPath] in
        let source = WorkGraphTests.key("url \(url)")
        return [WorkPath(source: source)]
            + (0..<3).flatMap { size -> [WorkPath] in
                let picture = WorkGraphTests.key("url \(url), size \(size)")
                let steps = ["grey", "grey, blurred"].map { WorkGraphTests.key("url \(url), size \(size), \($0)") }
                return (0...2).map { WorkPath(source: source, picture: picture, steps: Array(steps.prefix($0))) }
            }
    }

    private static let names = Dictionary(
        uniqueKeysWithValues: Set(paths.flatMap { path in (0..<path.count).map { path[$0] } }).enumerated().map {
            ($1, "\($0)")
        })

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func step() {
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<4: add()
        case 4: cancel()
        case 5: move()
        default: finish()
        }
        if order.count > 4_096 { order = order.filter { waiting[$0] != nil } }
        if next % 64 == 0 { checkPriority() }
    }

    mutating func drain() {
        var rounds = 0
        while !running.isEmpty, rounds < 1_000_000 {
            rounds += 1
            finish()
        }
        if !waiting.isEmpty { violate("\(waiting.count) tasks without an outcome") }
        if graph.count != 0 { violate("\(graph.count) works left") }
    }

    /// Work is as urgent as the most urgent of those who need it: those on whose way it is the last that runs. Whoever has
    /// something later running needs nothing of what comes before.
    private mutating func checkPriority() {
        guard let work = running.randomElement(using: &random), !work.token.isCancelled else { return }
        let depths = Dictionary(
            uniqueKeysWithValues: running.filter { !$0.token.isCancelled }.map { ($0.key, $0.depth) })
        let highest = waiting.values.filter { entry in
            let path = Self.paths[entry.path]
            return (0..<path.count).compactMap { depths[path[$0]] }.max() == work.depth
                && work.depth < path.count && path[work.depth] == work.key
        }.map(\.priority).max()
        if announced[ObjectIdentifier(work.token)] != highest { violate("work of the wrong priority") }
    }

    /// The first few are enough to read.
    private mutating func violate(_ what: String) {
        if violations.count < 8 { violations.append(what) }
    }

    private mutating func add() {
        next += 1
        let path = Int.random(in: 0..<Self.paths.count, using: &random)
        let priority = ImagePriority.allCases.randomElement(using: &random) ?? .normal
        let added = graph.add(next, Self.paths[path], priority)
        if let value = added.ready {
            check(value, path, next)
            outcomes += 1
            return
        }
        waiting[next] = Waiting(path: path, place: added.place, priority: priority)
        order.append(next)
        take(added.effects)
    }

    private mutating func cancel() {
        guard let waiter = order.randomElement(using: &random), let entry = waiting.removeValue(forKey: waiter) else {
            return
        }
        outcomes += 1
        take(graph.cancel(waiter, at: entry.place, goal: Self.paths[entry.path].goal))
    }

    private mutating func move() {
        guard let waiter = order.randomElement(using: &random), let entry = waiting[waiter] else { return }
        let priority = ImagePriority.allCases.randomElement(using: &random) ?? .normal
        waiting[waiter]?.priority = priority
        take(graph.setPriority(priority, of: waiter, at: entry.place, goal: Self.paths[entry.path].goal))
    }

    private mutating func finish() {
        guard let index = running.indices.randomElement(using: &random) else { return }
        let work = running.remove(at: index)
        let fails = Int.random(in: 0..<5, using: &random) == 0
        let value = Self.names[work.key] ?? ""
        let effects =
            fails
            ? graph.failed(work.key, token: work.token)
            : graph.finished(work.key, token: work.token, with: value)
        if work.token.isCancelled, !effects.delivered.isEmpty { violate("cancelled work delivered") }
        for waiter in effects.delivered {
            guard let entry = waiting.removeValue(forKey: waiter) else {
                violate("task \(waiter) got a second outcome")
                continue
            }
            outcomes += 1
            if !fails { check(value, entry.path, waiter) }
            let path = Self.paths[entry.path]
            if fails, work.depth >= path.count || path[work.depth] != work.key {
                violate("task \(waiter) got another's failure")
            }
        }
        take(effects)
    }

    private mutating func check(_ value: String, _ path: Int, _ waiter: Int) {
        if Self.names[Self.paths[path].goal] != value { violate("task \(waiter) got another's result") }
    }

    private mutating func take(_ effects: Graph.Effects) {
        for token in effects.moved { announced[ObjectIdentifier(token)] = token.priority }
        for start in effects.starts {
            announced[ObjectIdentifier(start.token)] = start.token.priority
            if running.contains(where: { $0.key == start.key && !$0.token.isCancelled }) {
                violate("work of one name twice at a time")
            }
            if start.depth > 0, start.input == nil { violate("work without its input") }
            running.append(start)
        }
        for token in effects.cancelled { token.cancel() }
    }
}
