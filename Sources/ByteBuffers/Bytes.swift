#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// An immutable run of bytes that is shared, never copied, when it is passed on.
///
/// It holds a response's body, a cached file's payload or an encoder's output. A slice shares its parent's memory and
/// keeps all of it alive. Unlike Foundation's `Data` and an array, its memory comes from calls that can fail, so a size
/// that was read from outside can end in an ``AllocationError`` but never in a trap.
public struct Bytes: Sendable {
    private let storage: Storage?
    private let start: Int

    /// How many bytes there are.
    public let count: Int

    public var isEmpty: Bool { count == 0 }

    /// No bytes; needs no memory.
    public init() {
        storage = nil
        start = 0
        count = 0
    }

    /// Takes over memory that came from `malloc`; it is freed with the last copy of this value.
    package init(adopting memory: UnsafeMutableRawPointer, count: Int) {
        storage = Storage(base: UnsafeRawPointer(memory), owner: .malloc)
        start = 0
        self.count = count
    }

    /// Takes over a block of the pool, which goes back there with the last copy of this value.
    init(pooled memory: UnsafeMutableRawPointer, capacity: Int, count: Int, pool: BlockPool = .shared) {
        storage = Storage(base: UnsafeRawPointer(memory), owner: .pool(pool, capacity: capacity))
        start = 0
        self.count = count
    }

    /// Wraps memory that somebody else owns, a mapped file for example.
    ///
    /// - Parameters:
    ///   - memory: bytes that nobody changes until `release` is called.
    ///   - release: called once, on any thread, when the last copy of this value goes.
    public init(wrapping memory: UnsafeRawBufferPointer, release: @escaping @Sendable () -> Void) {
        storage = memory.baseAddress.map { Storage(base: $0, owner: .outside(release: release)) }
        start = 0
        count = memory.count
        if storage == nil { release() }
    }

    /// Allocates room for `capacity` bytes and lets `fill` write them.
    ///
    /// - Parameter fill: gets the uninitialised room, returns how many bytes it wrote from the start.
    /// - Throws: ``AllocationError``, or whatever `fill` throws.
    public init(capacity: Int, fill: (UnsafeMutableRawBufferPointer) throws -> Int) throws {
        guard capacity > 0 else {
            self.init()
            return
        }
        guard let memory = malloc(capacity) else { throw AllocationError(byteCount: capacity) }
        do {
            let written = try fill(UnsafeMutableRawBufferPointer(start: memory, count: capacity))
            precondition(written >= 0 && written <= capacity, "fill wrote \(written) of \(capacity) bytes")
            self.init(adopting: memory, count: written)
        } catch {
            free(memory)
            throw error
        }
    }

    /// Copies bytes.
    ///
    /// - Throws: ``AllocationError``.
    public init(copying bytes: UnsafeRawBufferPointer) throws {
        try self.init(capacity: bytes.count) { room in
            room.copyMemory(from: bytes)
            return bytes.count
        }
    }

    /// Wraps an array without copying it.
    public init(_ array: [UInt8]) {
        storage = array.isEmpty ? nil : Storage(array: array)
        start = 0
        count = array.count
    }

    private init(storage: Storage?, start: Int, count: Int) {
        self.storage = storage
        self.start = start
        self.count = count
    }

    /// Calls `body` with the bytes. The pointer is valid only during the call.
    // The memory does not move, though: decoders that stay in the middle of a file hold the bytes and rely on it.
    public func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard let storage else { return try body(UnsafeRawBufferPointer(start: nil, count: 0)) }
        let result = try body(UnsafeRawBufferPointer(start: storage.base + start, count: count))
        withExtendedLifetime(storage) {}
        return result
    }

    /// A part of the bytes, sharing their memory. The range is cut to what there is.
    public subscript(bounds: Range<Int>) -> Bytes {
        let bounds = bounds.clamped(to: 0..<count)
        return Bytes(storage: storage, start: start + bounds.lowerBound, count: bounds.count)
    }

    /// Whether these bytes are the other ones, or those and more.
    public func starts(with other: Bytes) -> Bool {
        guard other.count <= count else { return false }
        return withUnsafeBytes { own in
            other.withUnsafeBytes { other in
                guard let left = own.baseAddress, let right = other.baseAddress, left != right else { return true }
                return memcmp(left, right, other.count) == 0
            }
        }
    }

    /// A copy as an array, for tests and small pieces.
    public var array: [UInt8] {
        withUnsafeBytes { Array($0) }
    }
}

extension Bytes: Hashable {
    public static func == (left: Bytes, right: Bytes) -> Bool {
        left.count == right.count && left.starts(with: right)
    }

    public func hash(into hasher: inout Hasher) {
        withUnsafeBytes { hasher.combine(bytes: $0) }
    }
}

extension Bytes {
    /// The memory behind one or more `Bytes`.
    // Unchecked: the bytes are written before the first copy exists and never after; they are freed once, in deinit.
    private final class Storage: @unchecked Sendable {
        enum Owner {
            case malloc
            case pool(BlockPool, capacity: Int)
            case array(ContiguousArray<UInt8>)
            case outside(release: @Sendable () -> Void)
        }

        let base: UnsafeRawPointer
        private let owner: Owner

        init(base: UnsafeRawPointer, owner: Owner) {
            self.base = base
            self.owner = owner
        }

        init(array: [UInt8]) {
            let array = ContiguousArray(array)
            // The buffer of a non-empty native array does not move while the array is held unchanged.
            base = array.withUnsafeBytes { UnsafeRawPointer($0.baseAddress.unsafelyUnwrapped) }
            owner = .array(array)
        }

        deinit {
            switch owner {
            case .malloc: free(UnsafeMutableRawPointer(mutating: base))
            case .pool(let pool, let capacity):
                pool.release(UnsafeMutableRawPointer(mutating: base), capacity: capacity)
            case .array: break
            case .outside(let release): release()
            }
        }
    }
}
