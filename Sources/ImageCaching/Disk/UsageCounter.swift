import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// How many bytes and entries each shard has, in a file of 8 KiB that every process with this cache shares.
///
/// The numbers are counted as entries come and go, and put right whenever a shard is listed: a process that was killed
/// between a rename and its count leaves them wrong for a while, never for good. Threads take turns through a mutex,
/// processes through `flock`. The file is read and written, not mapped: whoever cuts a mapped file short ends the
/// processes that look at it. A file that was cut short or written over counts nothing any more; ``isLost`` tells, and
/// the folder puts a measured one in its place.
final class UsageCounter: Sendable {
    static let fileName = "usage"
    static let shardCount = 256
    /// Version, cursor, padding to 4 KiB; then bytes and entries of each shard.
    static let size = 4_096 + shardCount * 16
    static let magic = 0x5357_4943_5553_4731

    private static let cursor = 1
    private static let firstShard = 512

    private struct State {
        /// What the file held when it was last read, as 64-bit words.
        var words = [Int](repeating: 0, count: UsageCounter.size / 8)
        var isLost = false
    }

    private let file: Int32
    private let state = Mutex(State())

    /// - Parameter file: a descriptor open for reading and writing, which stays open as long as the counter is used.
    /// - Throws: ``SystemError/damaged`` when the file is not one of ours.
    init(file: Int32) throws(SystemError) {
        self.file = file
        access { _ in }
        guard !isLost else { throw .damaged }
    }

    /// The bytes of a new file, with everything counted as zero.
    static var initialBytes: [UInt8] {
        withUnsafeBytes(of: magic.littleEndian) { Array($0) } + [UInt8](repeating: 0, count: size - 8)
    }

    /// Whether the file was once found cut short, written over or unreadable.
    var isLost: Bool { state.withLock { $0.isLost } }

    struct Usage: Hashable {
        var bytes = 0
        var entries = 0
    }

    subscript(shard: Int) -> Usage {
        access { $0.usage(of: shard) } ?? Usage()
    }

    /// What all shards have; never below zero.
    var total: Usage {
        let total = access { counts in
            (0..<Self.shardCount).reduce(into: Usage()) { total, shard in
                let usage = counts.usage(of: shard)
                total.bytes &+= usage.bytes
                total.entries &+= usage.entries
            }
        }
        return Usage(bytes: max(0, total?.bytes ?? 0), entries: max(0, total?.entries ?? 0))
    }

    /// Changes a shard's folder and its numbers together, while no other process does either: only a process that is killed
    /// between two system calls leaves them apart.
    ///
    /// - Parameter change: works on the folder, once, and says by how much the numbers change. It is called also where
    ///   they are lost.
    func update(_ shard: Int, _ change: () throws(SystemError) -> Usage) throws(SystemError) {
        var outcome: Result<Usage, SystemError>?
        access { counts in
            let result = Result { () throws(SystemError) in try change() }
            outcome = result
            guard case .success(let difference) = result else { return }
            let usage = counts.usage(of: shard)
            counts.set(
                shard, Usage(bytes: usage.bytes &+ difference.bytes, entries: usage.entries &+ difference.entries))
        }
        if let outcome { _ = try outcome.get() } else { _ = try change() }
    }

    /// Puts a shard's numbers right, unless they changed since `before` was read.
    func correct(_ shard: Int, from before: Usage, to measured: Usage) {
        guard before != measured else { return }
        access { counts in
            if counts.usage(of: shard) == before { counts.set(shard, measured) }
        }
    }

    /// The next `count` shards that a sweep visits. All processes share the cursor.
    func advance(by count: Int) -> Range<Int> {
        let start = access { counts in
            let start = counts.words[Self.cursor]
            counts.words[Self.cursor] = start &+ count
            counts.changed = Self.cursor..<Self.cursor + 1
            return start
        }
        let first = Int(UInt(bitPattern: start ?? 0) % UInt(Self.shardCount))
        return first..<first + count
    }

    /// The file's words while nobody else can touch them.
    private struct Counts {
        var words: [Int]
        /// What has to be written back.
        var changed = 0..<0

        func usage(of shard: Int) -> Usage {
            let word = UsageCounter.firstShard + shard * 2
            return Usage(bytes: words[word], entries: words[word + 1])
        }

        mutating func set(_ shard: Int, _ usage: Usage) {
            let word = UsageCounter.firstShard + shard * 2
            words[word] = usage.bytes
            words[word + 1] = usage.entries
            changed = word..<word + 2
        }
    }

    /// Locks the file, reads it, and writes back what `body` changed. Nil once the counts are lost.
    @discardableResult
    private func access<Result: Sendable>(_ body: (inout Counts) -> Result) -> Result? {
        state.withLock { state in
            guard !state.isLost, lock() else { return nil }
            defer { flock(file, LOCK_UN) }
            // Moved out and back, so that the words are never copied.
            var counts = Counts(words: [])
            swap(&counts.words, &state.words)
            defer { swap(&counts.words, &state.words) }
            let count = counts.words.withUnsafeMutableBytes { Self.retrying(on: $0) { pread(file, $0, $1, 0) } }
            guard count == Self.size, counts.words[0] == Self.magic.littleEndian else {
                state.isLost = true
                return nil
            }
            let result = body(&counts)
            guard !counts.changed.isEmpty else { return result }
            let changed = counts.changed.lowerBound * 8..<counts.changed.upperBound * 8
            let written = counts.words.withUnsafeMutableBytes { words in
                Self.retrying(on: UnsafeMutableRawBufferPointer(rebasing: words[changed])) {
                    pwrite(file, $0, $1, off_t(changed.lowerBound))
                }
            }
            if written != changed.count { state.isLost = true }
            return result
        }
    }

    private func lock() -> Bool {
        while flock(file, LOCK_EX) != 0 {
            guard errno == EINTR else { return false }
        }
        return true
    }

    private static func retrying(
        on bytes: UnsafeMutableRawBufferPointer, _ call: (UnsafeMutableRawPointer?, Int) -> Int
    ) -> Int {
        while true {
            let count = call(bytes.baseAddress, bytes.count)
            guard count < 0, errno == EINTR else { return count }
        }
    }
}
