import Benchmark
import CControls
import Foundation
import WebImage

/// What a memory cache keeps; its size does not matter for a hit.
private final class Value: Sendable {}

private struct Keys {
    let all: [KeyDigest]
    private var next = 0

    init(_ count: Int) {
        all = (0..<count).map { number in
            var fields = KeyFields("benchmark")
            fields.append(number)
            return fields.digest
        }
    }

    /// All keys again and again, always in the same order. The digests are random, so it says nothing of where they lie.
    mutating func take() -> KeyDigest {
        next = next == all.count - 1 ? 0 : next + 1
        return all[next]
    }
}

private final class CacheState {
    let cache: MemoryCache<KeyDigest, Value>
    var keys: Keys
    let value = Value()

    /// - Parameter keyCount: more than `capacity`, and a key has been evicted when its turn comes again.
    init(capacity: Int, keyCount: Int, weakLevel: WeakLevel<Value>? = nil) {
        cache = MemoryCache(costLimit: .max, countLimit: capacity, weakLevel: weakLevel)
        keys = Keys(keyCount)
        for key in keys.all.prefix(capacity) { cache.insert(Value(), forKey: key, cost: 1) }
    }

    /// What a new entry over a full cache takes at most in 99 of 100 cases, in thousandths of a nanosecond, without what
    /// reading the clock takes.
    func insertionTail(of count: Int) -> Int {
        func p99(_ work: () -> Void) -> Int {
            var times: [UInt64] = []
            times.reserveCapacity(count)
            for _ in 0..<count {
                let start = now()
                work()
                times.append(now() - start)
            }
            return Int(times.sorted()[count / 100 * 99])
        }
        let clock = p99 {}
        return max(0, p99 { cache.insert(value, forKey: keys.take(), cost: 1) } - clock) * 1_000
    }
}

private final class TableState {
    let table: OpaquePointer
    var keys: Keys

    init(count: Int) throws {
        guard let table = ctl_table_create(count) else { throw ControlFailure(name: "table") }
        self.table = table
        keys = Keys(count)
        let value = UnsafeRawPointer(table)
        for key in keys.all { ctl_table_insert(table, key.high, key.low, value) }
    }

    deinit { ctl_table_destroy(table) }
}

/// Two threads that look up all keys of one cache, each from another place on.
private final class TwoThreads {
    let cache: MemoryCache<KeyDigest, Value>
    let keys: [[KeyDigest]]
    static let rounds = 20

    init(count: Int) {
        let state = CacheState(capacity: count, keyCount: count)
        cache = state.cache
        let all = state.keys.all
        keys = [all, Array(all[(count / 2)...] + all[..<(count / 2)])]
    }

    /// Every thread looks up all keys `rounds` times.
    ///
    /// - Returns: what all of it took for each look-up, in thousandths of a nanosecond.
    func run(threads: Int) -> Int {
        let (cache, keys) = (cache, keys)
        let start = now()
        DispatchQueue.concurrentPerform(iterations: threads) { thread in
            for _ in 0..<Self.rounds {
                for key in keys[thread] { blackHole(cache.value(forKey: key)) }
            }
        }
        return Int(now() - start) * 1_000 / (keys[0].count * Self.rounds * threads)
    }
}

/// Another program's cache that holds all keys it can.
private final class OtherState<Cache> {
    let cache: Cache
    var keys: Keys
    let value = Value()

    init(count: Int, _ cache: Cache, insert: (Cache, KeyDigest) -> Void) {
        self.cache = cache
        keys = Keys(count)
        for key in keys.all { insert(cache, key) }
    }
}

private func now() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

func memoryBenchmarks() {
    for (name, count) in [("", 10_000), (" 1k", 1_000), (" 100k", 100_000), (" 1M", 1_000_000)] {
        measure("memory hit\(name)", .measuring(scale: .kilo)) {
            CacheState(capacity: count, keyCount: count)
        } run: { state, count in
            for _ in 0..<count { blackHole(state.cache.value(forKey: state.keys.take())) }
        }

        measure("memory hit\(name) (C)", .measuring(scale: .kilo)) {
            try TableState(count: count)
        } run: { state, count in
            for _ in 0..<count {
                let key = state.keys.take()
                blackHole(ctl_table_find(state.table, key.high, key.low))
            }
        }
    }

    // What others take for the same.
    measure("memory hit, dictionary and list", .measuring(scale: .kilo)) {
        OtherState(count: 10_000, LinkedListCache<KeyDigest, Value>(capacity: 10_000)) {
            $0.insert(Value(), forKey: $1)
        }
    } run: { state, count in
        for _ in 0..<count { blackHole(state.cache.value(forKey: state.keys.take())) }
    }
    measure("memory hit, NSCache", .measuring(scale: .kilo)) {
        OtherState(count: 10_000, NSCache<KeyObject, Value>()) { $0.setObject(Value(), forKey: KeyObject($1)) }
    } run: { state, count in
        for _ in 0..<count { blackHole(state.cache.object(forKey: KeyObject(state.keys.take()))) }
    }

    for threads in [1, 2] {
        let configuration = Benchmark.Configuration.measuring([.each], atMost: 200)
        Benchmark("memory hit, threads \(threads)", configuration: configuration) {
            (benchmark: Benchmark, state: TwoThreads) in
            benchmark.measurement(.each, state.run(threads: threads))
        } setup: {
            TwoThreads(count: 10_000)
        }
    }

    for (name, capacity) in [("1k", 1_000), ("16k", 16_384), ("131k", 131_072), ("1M", 1_048_576)] {
        measure("memory insert and evict \(name)", .measuring(scale: .kilo)) {
            CacheState(capacity: capacity, keyCount: capacity * 2)
        } run: { state, count in
            for _ in 0..<count { state.cache.insert(state.value, forKey: state.keys.take(), cost: 1) }
        }
    }

    measure("memory insert and evict 16k, weak level", .measuring(scale: .kilo)) {
        CacheState(capacity: 16_384, keyCount: 32_768, weakLevel: .objects)
    } run: { state, count in
        for _ in 0..<count { state.cache.insert(state.value, forKey: state.keys.take(), cost: 1) }
    }
    measure("memory insert and evict 16k, dictionary and list", .measuring(scale: .kilo)) {
        OtherState(count: 32_768, LinkedListCache<KeyDigest, Value>(capacity: 16_384)) {
            $0.insert(Value(), forKey: $1)
        }
    } run: { state, count in
        for _ in 0..<count { state.cache.insert(state.value, forKey: state.keys.take()) }
    }
    measure("memory insert and evict 16k, NSCache", .measuring(scale: .kilo)) {
        let cache = NSCache<KeyObject, Value>()
        cache.countLimit = 16_384
        return OtherState(count: 32_768, cache) { $0.setObject(Value(), forKey: KeyObject($1)) }
    } run: { state, count in
        for _ in 0..<count { state.cache.setObject(state.value, forKey: KeyObject(state.keys.take())) }
    }

    for (name, level) in [("", nil), (", weak level", WeakLevel<Value>.objects)] {
        let configuration = Benchmark.Configuration.measuring([.each], atMost: 200)
        Benchmark("memory insert and evict 16k, p99\(name)", configuration: configuration) {
            (benchmark: Benchmark, state: CacheState) in
            benchmark.measurement(.each, state.insertionTail(of: 10_000))
        } setup: {
            CacheState(capacity: 16_384, keyCount: 32_768, weakLevel: level)
        }
    }
}
