public import ByteBuffers

/// A picture in memory: rows of pixels from top to bottom.
///
/// A bitmap is a value: copies share their memory until one of them changes (copy on write), and it may be read from any
/// thread. Rows start at multiples of 64 bytes unless the memory belongs to an outside owner; the bytes between a row's
/// last pixel and the next row are undefined.
public struct Bitmap: Sendable {
    /// Rows start at multiples of this many bytes.
    public static let rowAlignment = 64

    public let size: PixelSize
    public let format: PixelFormat
    /// The distance in bytes from one row's start to the next one's.
    public let bytesPerRow: Int

    private(set) var storage: PixelStorage

    public var width: Int { size.width }
    public var height: Int { size.height }

    /// The exact number of bytes that the pixels occupy, padding of rows included. This is what a memory cache counts.
    public var byteCost: Int { bytesPerRow * height }

    /// A bitmap whose pixels are not set yet.
    ///
    /// - Parameters:
    ///   - size: both sides at least 1.
    ///   - format: how pixels are stored.
    ///   - pool: where the memory comes from.
    /// - Throws: ``AllocationError`` when the size is not positive, overflows, or the system has no memory.
    public init(
        uninitialized size: PixelSize, format: PixelFormat = .rgba8, pool: RegionPool = .shared
    ) throws(AllocationError) {
        let row = try Self.alignedRow(size, format)
        let (byteCount, overflow) = row.multipliedReportingOverflow(by: size.height)
        guard !overflow else { throw AllocationError(byteCount: .max) }
        storage = try PixelStorage(byteCount: byteCount, pool: pool)
        self.size = size
        self.format = format
        bytesPerRow = row
    }

    /// Wraps pixels that somebody else owns, a toolkit's texture or a mapped file for example.
    ///
    /// - Parameters:
    ///   - pixels: `bytesPerRow × height` bytes that stay unchanged until `release` is called. They are never written to.
    ///   - release: called once, on any thread, when the last copy goes.
    /// - Returns: `nil`, after calling `release`, when the size is not positive or a row does not fit in `bytesPerRow`.
    public init?(
        wrapping pixels: UnsafeMutableRawPointer, size: PixelSize, format: PixelFormat, bytesPerRow: Int,
        release: @escaping @Sendable () -> Void
    ) {
        let (row, overflow) = size.width.multipliedReportingOverflow(by: format.bytesPerPixel)
        guard size.isPositive, !overflow, row <= bytesPerRow,
            !bytesPerRow.multipliedReportingOverflow(by: size.height).overflow
        else {
            release()
            return nil
        }
        storage = PixelStorage(wrapping: pixels, release: release)
        self.size = size
        self.format = format
        self.bytesPerRow = bytesPerRow
    }

    init(storage: PixelStorage, size: PixelSize, format: PixelFormat, bytesPerRow: Int) {
        self.storage = storage
        self.size = size
        self.format = format
        self.bytesPerRow = bytesPerRow
    }

    /// Calls `body` with all rows, padding included. The pointer is valid only during the call.
    public func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let result = try body(UnsafeRawBufferPointer(start: storage.base, count: byteCost))
        withExtendedLifetime(storage) {}
        return result
    }

    /// Calls `body` with all rows for writing, after a copy if somebody else sees them too.
    ///
    /// - Throws: ``AllocationError`` when there is no memory for the copy, or whatever `body` throws.
    public mutating func withUnsafeMutableBytes<Result>(
        _ body: (UnsafeMutableRawBufferPointer) throws -> Result
    ) throws -> Result {
        if !storage.isWritable || !isKnownUniquelyReferenced(&storage) {
            let copy = try PixelStorage(byteCount: byteCost, pool: .shared)
            copy.base.copyMemory(from: storage.base, byteCount: byteCost)
            storage = copy
        }
        let result = try body(UnsafeMutableRawBufferPointer(start: storage.base, count: byteCost))
        withExtendedLifetime(storage) {}
        return result
    }

    /// The first rows, in the same memory: whoever holds the rest may go on filling it.
    package func top(rows: Int) -> Bitmap {
        Bitmap(
            storage: storage, size: PixelSize(width: width, height: min(max(1, rows), height)), format: format,
            bytesPerRow: bytesPerRow)
    }

    /// The same memory read in another format.
    ///
    /// - Parameter format: its pixels have as many bytes as this one's.
    package func relabelled(as format: PixelFormat) -> Bitmap {
        precondition(format.bytesPerPixel == self.format.bytesPerPixel, "the pixels have another length")
        return Bitmap(storage: storage, size: size, format: format, bytesPerRow: bytesPerRow)
    }

    private static func alignedRow(_ size: PixelSize, _ format: PixelFormat) throws(AllocationError) -> Int {
        let (row, overflow) = size.width.multipliedReportingOverflow(by: format.bytesPerPixel)
        guard size.isPositive, !overflow, row <= Int.max - rowAlignment else {
            throw AllocationError(byteCount: .max)
        }
        return (row + rowAlignment - 1) / rowAlignment * rowAlignment
    }
}
