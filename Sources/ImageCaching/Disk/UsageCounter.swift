import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// How many bytes and entries each shard has, in a file of 8 KiB that every process with this cache maps.
///
/// The numbers are counted with atomics as entries come and go, and put right whenever a shard is listed: a process
/// that was killed between a rename and its count leaves them wrong for a while, never for good. The file is written in
/// full before it is mapped, because a store into a hole of a mapped file ends the process when the disk is full.
// Unchecked: the address is constant, the memory behind it is touched with atomics alone.
final class UsageCounter: @unchecked Sendable {
    static let fileName = "usage"
    static let shardCount = 256
    /// Version, cursor, padding to 4 KiB; then bytes and entries of each shard.
    static let size = 4_096 + shardCount * 16
    static let magic = 0x5357_4943_5553_4731

    private let memory: UnsafeMutableRawPointer

    /// - Parameter file: a descriptor open for reading and writing; it may be closed afterwards.
    init(mapping file: Int32) throws(SystemError) {
        let memory = mmap(nil, Self.size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
        guard let memory, memory != MAP_FAILED else { throw .last }
        self.memory = memory
    }

    deinit { munmap(memory, Self.size) }

    /// The bytes of a new file, with everything counted as zero.
    static var initialBytes: [UInt8] {
        withUnsafeBytes(of: magic.littleEndian) { Array($0) } + [UInt8](repeating: 0, count: size - 8)
    }

    var isOurs: Bool { number(at: 0).pointee.load(ordering: .relaxed) == Self.magic.littleEndian }

    struct Usage: Hashable {
        var bytes = 0
        var entries = 0
    }

    subscript(shard: Int) -> Usage {
        Usage(
            bytes: bytes(of: shard).pointee.load(ordering: .relaxed),
            entries: entries(of: shard).pointee.load(ordering: .relaxed))
    }

    /// What all shards have; never below zero.
    var total: Usage {
        var total = Usage()
        for shard in 0..<Self.shardCount {
            total.bytes &+= bytes(of: shard).pointee.load(ordering: .relaxed)
            total.entries &+= entries(of: shard).pointee.load(ordering: .relaxed)
        }
        return Usage(bytes: max(0, total.bytes), entries: max(0, total.entries))
    }

    func add(bytes: Int, entries: Int, to shard: Int) {
        self.bytes(of: shard).pointee.wrappingAdd(bytes, ordering: .relaxed)
        self.entries(of: shard).pointee.wrappingAdd(entries, ordering: .relaxed)
    }

    /// Puts a shard's numbers right, unless they changed since `before` was read.
    func correct(_ shard: Int, from before: Usage, to measured: Usage) {
        guard before != measured else { return }
        let (isExchanged, _) = bytes(of: shard).pointee.compareExchange(
            expected: before.bytes, desired: measured.bytes, ordering: .relaxed)
        guard isExchanged else { return }
        _ = entries(of: shard).pointee.compareExchange(
            expected: before.entries, desired: measured.entries, ordering: .relaxed)
    }

    /// The next `count` shards that a sweep visits. All processes share the cursor.
    func advance(by count: Int) -> Range<Int> {
        let (start, _) = number(at: 8).pointee.wrappingAdd(count, ordering: .relaxed)
        let first = Int(UInt(bitPattern: start) % UInt(Self.shardCount))
        return first..<first + count
    }

    private func bytes(of shard: Int) -> UnsafeMutablePointer<Atomic<Int>> { number(at: 4_096 + shard * 16) }
    private func entries(of shard: Int) -> UnsafeMutablePointer<Atomic<Int>> { number(at: 4_104 + shard * 16) }

    private func number(at offset: Int) -> UnsafeMutablePointer<Atomic<Int>> {
        (memory + offset).assumingMemoryBound(to: Atomic<Int>.self)
    }
}
