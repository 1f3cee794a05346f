import Dispatch

/// A ``DiskCache`` as a tier: one in another folder, on a volume that several machines mount for example.
///
/// The cache's calls block, so they run on threads of the adapter's own, two at a time; calls for one key keep their order.
/// The cache gives an entry the time at which it is stored, not that of the tier it comes from.
public final class DiskTier: CacheTier {
    public let cache: DiskCache
    public let name: String
    public let limits: TierLimits
    private let queues: [DispatchQueue]

    /// - Parameters:
    ///   - name: for warnings; the folder's path by default.
    ///   - limits: for a disk that may hang, as network volumes do.
    public init(_ cache: DiskCache, name: String? = nil, limits: TierLimits = TierLimits()) {
        self.cache = cache
        self.name = name ?? cache.configuration.path
        self.limits = limits
        queues = (0..<2).map { DispatchQueue(label: "webimage-tier-\($0)") }
    }

    public func entry(for key: DiskKey) async throws -> CacheEntry? {
        try await run(key) { [cache] () throws(CacheError) in try cache.entry(for: key) }
    }

    public func contains(_ key: DiskKey) async throws -> Bool {
        try await run(key) { [cache] () throws(CacheError) in try cache.contains(key) }
    }

    public func store(_ entry: CacheEntry, for key: DiskKey) async throws {
        try await run(key) { [cache] () throws(CacheError) in
            do throws(CacheError) {
                try cache.store(entry.payload, metadata: entry.metadata, for: key)
            } catch  where error.code == .tooLarge {
                // It works, and does not want this one.
            }
        }
    }

    public func remove(_ key: DiskKey) async throws {
        try await run(key) { [cache] () throws(CacheError) in try cache.remove(key) }
    }

    public func removeAll() async throws {
        _ = try await run(nil) { [cache] () throws(CacheError) in try cache.removeAll() }
    }

    private func run<Value: Sendable>(
        _ key: DiskKey?, _ body: @escaping @Sendable () throws(CacheError) -> Value
    ) async throws(CacheError) -> Value {
        let queue = queues[(key?.shard ?? 0) % queues.count]
        return try await withUnsafeContinuation { (done: UnsafeContinuation<Result<Value, CacheError>, Never>) in
            queue.async { done.resume(returning: Result { () throws(CacheError) in try body() }) }
        }.get()
    }
}
