import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Keeps blocks of memory that bodies were held in, for the bodies that come next.
///
/// A body is written by one thread and freed by another, which makes `malloc` give the memory back to the system and
/// take it again: 25 page faults for a body of 100 KB, more than the rest of its way costs. Blocks come from `malloc`,
/// from 16 KiB to 1 MiB in steps of a fifth to a quarter, so that different lengths share them; what is smaller or
/// larger is left to `malloc` alone.
final class BlockPool: Sendable {
    /// The pool of all bodies. Keeps at most 4 MiB.
    static let shared = BlockPool(retainedLimit: 4 << 20)

    static let smallest = 16 << 10
    static let largest = 1 << 20

    private struct State {
        /// The idle blocks of each size, as addresses.
        var idle: [[UInt]] = Array(repeating: [], count: BlockPool.sizes.count)
        var retained = 0
    }

    /// Four steps for each doubling.
    private static let sizes: [Int] = {
        var sizes = [smallest]
        while let last = sizes.last, last < largest {
            let octave = smallest << ((sizes.count - 1) / 4)
            sizes.append(last + octave / 4)
        }
        return sizes
    }()

    /// The most bytes that idle blocks may hold together.
    let retainedLimit: Int
    private let state = Mutex(State())

    init(retainedLimit: Int) { self.retainedLimit = retainedLimit }

    deinit {
        state.withLock { state in
            for block in state.idle.joined() { free(UnsafeMutableRawPointer(bitPattern: block)) }
        }
    }

    /// Bytes that idle blocks hold now.
    var retainedBytes: Int { state.withLock { $0.retained } }

    /// The size of the block that holds `byteCount` bytes: the next step, or as many as that beyond the steps.
    static func capacity(for byteCount: Int) -> Int {
        step(holding: byteCount).map { sizes[$0] } ?? byteCount
    }

    /// A block of ``capacity(for:)`` bytes that `free` takes, too. Its content is undefined.
    ///
    /// - Returns: nil when the system has no memory.
    func allocate(_ byteCount: Int) -> UnsafeMutableRawPointer? {
        guard let step = Self.step(holding: byteCount) else { return malloc(byteCount) }
        let kept = state.withLock { state -> UInt? in
            guard let block = state.idle[step].popLast() else { return nil }
            state.retained -= Self.sizes[step]
            return block
        }
        return kept.flatMap { UnsafeMutableRawPointer(bitPattern: $0) } ?? malloc(Self.sizes[step])
    }

    /// A larger block with the first `count` bytes of another one, which is taken back.
    ///
    /// - Returns: nil when the system has no memory; then the old block stays as it was.
    func grow(
        _ block: UnsafeMutableRawPointer?, capacity: Int, keeping count: Int, to byteCount: Int
    ) -> UnsafeMutableRawPointer? {
        // Beyond the pool's sizes the system may move pages instead of bytes.
        if block != nil, capacity > Self.largest { return realloc(block, byteCount) }
        guard let grown = allocate(byteCount) else { return nil }
        guard let block else { return grown }
        grown.copyMemory(from: block, byteCount: count)
        release(block, capacity: capacity)
        return grown
    }

    /// Takes a block of this capacity back. Nobody may touch it from here on.
    func release(_ block: UnsafeMutableRawPointer, capacity: Int) {
        guard let step = Self.step(holding: capacity), Self.sizes[step] == capacity else { return free(block) }
        let isKept = state.withLock { state in
            guard state.retained + capacity <= retainedLimit else { return false }
            state.retained += capacity
            state.idle[step].append(UInt(bitPattern: block))
            return true
        }
        if !isKept { free(block) }
    }

    /// Nil for what the pool does not keep.
    private static func step(holding byteCount: Int) -> Int? {
        guard byteCount > smallest / 2, byteCount <= largest else { return nil }
        if byteCount <= smallest { return 0 }
        // Of the octave that begins at the greatest doubling below, the first of four steps that is large enough.
        let octave = (byteCount - 1).bitWidth - 1 - (byteCount - 1).leadingZeroBitCount
        let base = 1 << octave
        let step = (byteCount - base + base / 4 - 1) / (base / 4)
        return (octave - smallest.trailingZeroBitCount) * 4 + step
    }
}
