import ByteBuffers
import Foundation
import ImageCoding
import Pixels
import Testing

/// What a decode delivered, row padding removed.
struct DecodedRows: Equatable {
    var size: PixelSize
    var format: PixelFormat
    var pixels: [UInt8]
}

/// Collects rows through a strip of its own with `stripRows` rows, so that a decoder never sees the whole picture.
final class StripSink: RowSink {
    private let stripRows: Int
    private var strip: UnsafeMutableRawBufferPointer?
    private var header: RowHeader?
    private var pixels: [UInt8] = []
    private(set) var commits: [Int] = []

    init(stripRows: Int) {
        self.stripRows = stripRows
    }

    deinit { strip?.deallocate() }

    func begin(_ header: RowHeader) throws {
        #expect(self.header == nil, "begin is called once")
        self.header = header
        strip = .allocate(byteCount: (header.size.width * 4 + 12) * stripRows, alignment: 4)
    }

    func nextStrip() throws -> RowStrip {
        let header = try #require(header)
        let strip = try #require(strip)
        // Old pixels must not shine through.
        strip.initializeMemory(as: UInt8.self, repeating: 0xAB)
        return RowStrip(
            base: try #require(strip.baseAddress), bytesPerRow: header.size.width * 4 + 12, rowCount: stripRows)
    }

    func commit(rows: Int) throws {
        let header = try #require(header)
        let strip = try #require(strip)
        #expect(rows >= 1 && rows <= stripRows)
        commits.append(rows)
        for row in 0..<rows {
            let start = row * (header.size.width * 4 + 12)
            pixels += strip[start..<start + header.size.width * 4]
            #expect(
                strip[(start + header.size.width * 4)..<(start + header.size.width * 4 + 12)].allSatisfy { $0 == 0xAB })
        }
    }

    var rows: DecodedRows? {
        header.map { DecodedRows(size: $0.size, format: $0.format, pixels: pixels) }
    }
}

/// Fails the test when a decoder gets as far as announcing rows.
final class ForbiddenSink: RowSink {
    struct Touched: Error {}

    func begin(_ header: RowHeader) throws {
        Issue.record("rows were announced: \(header.size)")
        throw Touched()
    }

    func nextStrip() throws -> RowStrip { throw Touched() }

    func commit(rows: Int) throws { throw Touched() }
}

extension ImageDecoder {
    func decode(
        _ bytes: [UInt8], minimumSize: PixelSize? = nil, limits: DecodeLimits = .default
    ) throws -> DecodedRows {
        let sink = BitmapSink()
        let options = DecodeOptions(minimumSize: minimumSize, limits: limits)
        try withExactCopy(of: bytes) { try decode($0, options: options, into: sink) }
        return try #require(sink.takeBitmap()).rows
    }

    func decode(_ bytes: [UInt8], stripRows: Int) throws -> DecodedRows {
        let sink = StripSink(stripRows: stripRows)
        try withExactCopy(of: bytes) { try decode($0, options: DecodeOptions(), into: sink) }
        return try #require(sink.rows)
    }

    func info(_ bytes: [UInt8]) throws -> ImageInfo {
        try withExactCopy(of: bytes) { try info(of: $0) }
    }

    /// A picture, or the code of a typed error; anything else fails the test.
    func outcome(_ bytes: [UInt8], minimumSize: PixelSize? = nil) -> Result<DecodedRows, CodingError> {
        do {
            return .success(try decode(bytes, minimumSize: minimumSize))
        } catch let error as CodingError {
            return .failure(error)
        } catch {
            Issue.record("an error that is not typed: \(error)")
            return .failure(CodingError(.malformed, "\(error)"))
        }
    }
}

extension Result where Failure == CodingError {
    var failureCode: CodingError.Code? {
        if case .failure(let error) = self { error.code } else { nil }
    }
}

extension Bitmap {
    /// The rows without their padding.
    var rows: DecodedRows {
        withUnsafeBytes { bytes in
            var pixels: [UInt8] = []
            for row in 0..<height {
                pixels += bytes[row * bytesPerRow..<row * bytesPerRow + width * format.bytesPerPixel]
            }
            return DecodedRows(size: size, format: format, pixels: pixels)
        }
    }

    /// The expected pixels of a fixture as a bitmap.
    static func fixture(_ name: String, _ size: PixelSize, opaque: Bool) throws -> Bitmap {
        try Bitmap(size, opaque ? .rgbx8 : .rgba8, Fixture.bytes("\(name).rgba"))
    }

    /// A bitmap of the given rows, four bytes a pixel.
    init(_ size: PixelSize, _ format: PixelFormat, _ pixels: [UInt8]) throws {
        try self.init(uninitialized: size, format: format)
        let stride = bytesPerRow
        try withUnsafeMutableBytes { room in
            for row in 0..<size.height {
                UnsafeMutableRawBufferPointer(rebasing: room[row * stride..<row * stride + size.width * 4])
                    .copyBytes(from: pixels[row * size.width * 4..<(row + 1) * size.width * 4])
            }
        }
    }
}

/// Calls `body` with a copy that ends where its allocation does, so that a sanitizer sees a read past the end.
func withExactCopy<Result>(
    of bytes: [UInt8], _ body: (UnsafeRawBufferPointer) throws -> Result
) rethrows -> Result {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
    defer { copy.deallocate() }
    copy.copyBytes(from: bytes)
    return try body(UnsafeRawBufferPointer(copy))
}

/// Every length for a small file, every sixteenth of a large one.
func cuts(of count: Int) -> [Int] {
    count <= 1_500 ? Array(0..<count) : (0..<16).map { count * $0 / 16 } + [count - 1]
}
