import Benchmark
import CControls
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
    init(capacity: Int, keyCount: Int) {
        cache = MemoryCache(costLimit: .max, countLimit: capacity)
        keys = Keys(keyCount)
        for key in keys.all.prefix(capacity) { cache.insert(Value(), forKey: key, cost: 1) }
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

func memoryBenchmarks() {
    measure("memory hit", .measuring(scale: .kilo)) {
        CacheState(capacity: 10_000, keyCount: 10_000)
    } run: { state, count in
        for _ in 0..<count { blackHole(state.cache.value(forKey: state.keys.take())) }
    }

    measure("memory hit (C)", .measuring(scale: .kilo)) {
        try TableState(count: 10_000)
    } run: { state, count in
        for _ in 0..<count {
            let key = state.keys.take()
            blackHole(ctl_table_find(state.table, key.high, key.low))
        }
    }

    for (name, capacity) in [("1k", 1_000), ("16k", 16_384), ("131k", 131_072), ("1M", 1_048_576)] {
        measure("memory insert and evict \(name)", .measuring(scale: .kilo)) {
            CacheState(capacity: capacity, keyCount: capacity * 2)
        } run: { state, count in
            for _ in 0..<count { state.cache.insert(state.value, forKey: state.keys.take(), cost: 1) }
        }
    }
}
