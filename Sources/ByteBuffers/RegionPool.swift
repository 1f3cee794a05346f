import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A block of uninitialised memory, aligned to 64 bytes. Whoever allocated it gives it back to the same pool, once.
// Unchecked: an address and a length; who may touch the memory is its owner's rule.
public struct RawRegion: @unchecked Sendable {
    public let base: UnsafeMutableRawPointer
    /// Usable bytes, at least as many as were asked for.
    public let capacity: Int
}

/// Hands out memory for pixels and keeps large blocks for the next picture.
///
/// The first touch of a fresh 36 MB frame costs 14.5 ms of page faults, a third of the time that decoding a 12 MP JPEG
/// takes. A block that is used again costs nothing. Blocks below 256 KiB come from `malloc`; larger ones are mapped by
/// themselves in pages of 4 KiB, so that they cost what they hold and go back to the system at once when they are not
/// kept. The pool keeps the blocks that were given back last, and uses one again only where no more than an eighth of it
/// would lie idle.
public final class RegionPool: Sendable {
    /// The pool that bitmaps use unless told otherwise. Keeps at most 64 MiB.
    public static let shared = RegionPool(retainedLimit: 64 << 20)

    static let mappedThreshold = 256 << 10
    static let page = 4 << 10
    static let hugePage = 2 << 20
    static let alignment = 64

    /// The most bytes that idle blocks may hold together.
    public let retainedLimit: Int

    private let idle = Mutex<[RawRegion]>([])

    /// - Parameter retainedLimit: the most bytes that idle blocks may hold together; zero keeps none.
    public init(retainedLimit: Int) {
        self.retainedLimit = max(0, retainedLimit)
    }

    deinit { trim() }

    /// Bytes that idle blocks hold now.
    public var retainedBytes: Int {
        idle.withLock { $0.reduce(0) { $0 + $1.capacity } }
    }

    /// A block of at least `byteCount` bytes. Its content is undefined.
    ///
    /// - Throws: ``AllocationError`` when the system has no memory, or when `byteCount` is negative.
    public func allocate(byteCount: Int) throws(AllocationError) -> RawRegion {
        guard byteCount >= 0, byteCount < Int.max / 2 else { throw AllocationError(byteCount: byteCount) }
        if byteCount < Self.mappedThreshold { return try small(max(1, byteCount)) }
        let capacity = (byteCount + Self.page - 1) / Self.page * Self.page
        if let kept = takeIdle(capacity) { return kept }
        return try mapped(capacity)
    }

    /// Takes a block back. Nobody may touch it from here on.
    public func release(_ region: RawRegion) {
        guard region.capacity >= Self.mappedThreshold else {
            free(region.base)
            return
        }
        let dropped = idle.withLock { idle in
            guard region.capacity <= retainedLimit else { return [region][...] }
            idle.append(region)
            // The oldest go first: sizes are so many that those of yesterday may never be asked for again.
            var held = idle.reduce(0) { $0 + $1.capacity }
            let firstKept = idle.firstIndex { block in
                if held <= retainedLimit { return true }
                held -= block.capacity
                return false
            }
            let dropped = idle[..<(firstKept ?? idle.endIndex)]
            idle.removeFirst(dropped.count)
            return dropped
        }
        for region in dropped { munmap(region.base, region.capacity) }
    }

    /// Gives every idle block back to the system.
    public func trim() {
        let all = idle.withLock { idle in
            defer { idle.removeAll() }
            return idle
        }
        for region in all { munmap(region.base, region.capacity) }
    }

    /// The smallest idle block that fits without wasting more than an eighth of itself.
    private func takeIdle(_ capacity: Int) -> RawRegion? {
        idle.withLock { idle in
            let fitting = idle.indices.filter { index in
                let waste = idle[index].capacity - capacity
                return waste >= 0 && waste <= idle[index].capacity / 8
            }
            guard let best = fitting.min(by: { idle[$0].capacity < idle[$1].capacity }) else { return nil }
            return idle.remove(at: best)
        }
    }

    private func small(_ byteCount: Int) throws(AllocationError) -> RawRegion {
        var memory: UnsafeMutableRawPointer?
        guard posix_memalign(&memory, Self.alignment, byteCount) == 0, let memory else {
            throw AllocationError(byteCount: byteCount)
        }
        return RawRegion(base: memory, capacity: byteCount)
    }

    private func mapped(_ capacity: Int) throws(AllocationError) -> RawRegion {
        let memory = mmap(nil, capacity, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0)
        guard let memory, memory != MAP_FAILED else { throw AllocationError(byteCount: capacity) }
        #if os(Linux)
        // Only a hint: where huge pages are switched off the block works all the same. Only whole ones: a huge page that
        // reached past the block's end would hold memory that nobody asked for.
        let whole = Self.hugePages(of: UInt(bitPattern: memory), byteCount: capacity)
        if whole.count > 0 { madvise(memory + whole.offset, whole.count, MADV_HUGEPAGE) }
        #endif
        return RawRegion(base: memory, capacity: capacity)
    }

    /// The part of a block that whole, aligned huge pages can lie under; `count` is zero where there is none.
    static func hugePages(of address: UInt, byteCount: Int) -> (offset: Int, count: Int) {
        let offset = (hugePage - Int(address % UInt(hugePage))) % hugePage
        return (offset, max(0, byteCount - offset) / hugePage * hugePage)
    }
}
