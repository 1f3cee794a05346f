/// Grows a run of bytes piece by piece, up to a limit, and hands it over as ``Bytes`` without a copy.
///
/// The room doubles, so that a body of unknown length costs a constant number of copies for each byte.
public struct ByteAccumulator: ~Copyable {
    /// More bytes came than the limit allows. What was appended before stays as it was.
    public struct LimitExceeded: Error, Hashable, Sendable {
        /// The limit, in bytes.
        public let limit: Int
    }

    private var memory: UnsafeMutableRawPointer?
    private var capacity = 0

    /// How many bytes were appended.
    public private(set) var count = 0

    /// The most bytes that it takes.
    public let limit: Int

    /// - Parameters:
    ///   - limit: the most bytes that it takes.
    ///   - expected: a hint of the final count, zero if unknown. It is not trusted: no more than 1 MiB is reserved for it.
    public init(limit: Int, expected: Int = 0) {
        self.limit = max(0, limit)
        firstCapacity = min(max(expected, 4_096), 1 << 20)
    }

    private let firstCapacity: Int

    deinit {
        if let memory { BlockPool.shared.release(memory, capacity: capacity) }
    }

    /// Appends a piece.
    ///
    /// - Throws: ``LimitExceeded`` or ``AllocationError``; then nothing of the piece was taken.
    public mutating func append(_ piece: UnsafeRawBufferPointer) throws {
        guard let source = piece.baseAddress, !piece.isEmpty else { return }
        guard piece.count <= limit - count else { throw LimitExceeded(limit: limit) }
        let target = try reserve(count + piece.count)
        (target + count).copyMemory(from: source, byteCount: piece.count)
        count += piece.count
    }

    /// Calls `body` with what was appended so far. The pointer is valid only during the call.
    public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try body(UnsafeRawBufferPointer(start: memory, count: count))
    }

    /// Ends the growth and hands the bytes over.
    public consuming func finish() -> Bytes {
        guard let memory else { return Bytes() }
        self.memory = nil
        return Bytes(pooled: memory, capacity: capacity, count: count)
    }

    private mutating func reserve(_ needed: Int) throws -> UnsafeMutableRawPointer {
        if let memory, needed <= capacity { return memory }
        let doubled = max(firstCapacity, capacity > limit / 2 ? limit : capacity * 2)
        let wanted = BlockPool.capacity(for: max(needed, doubled))
        guard let grown = BlockPool.shared.grow(memory, capacity: capacity, keeping: count, to: wanted) else {
            throw AllocationError(byteCount: wanted)
        }
        memory = grown
        capacity = wanted
        return grown
    }
}
