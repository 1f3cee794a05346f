#if JPEG
import Foundation
import Pixels
import Testing

@testable import ImageCoding

/// What a decode delivered, without padding of rows.
struct DecodedPixels {
    let size: PixelSize
    let format: PixelFormat
    /// Four bytes a pixel.
    let bytes: [UInt8]

    init(jpeg: [UInt8], options: DecodeOptions = DecodeOptions()) throws {
        let sink = BitmapSink()
        try jpeg.withUnsafeBytes { try JPEGDecoder().decode($0, options: options, into: sink) }
        let bitmap = try #require(sink.takeBitmap())
        size = bitmap.size
        format = bitmap.format
        bytes = bitmap.withUnsafeBytes { all in
            var bytes: [UInt8] = []
            for start in stride(from: 0, to: all.count, by: bitmap.bytesPerRow) {
                bytes += UnsafeRawBufferPointer(rebasing: all[start..<start + 4 * bitmap.width])
            }
            return bytes
        }
    }

    /// Red, green and blue of every pixel.
    var colours: [UInt8] {
        bytes.indices.filter { $0 % 4 != 3 }.map { bytes[$0] }
    }

    /// FNV-1a over ``colours``, as the fixtures' script counts it.
    var hash: UInt64 {
        colours.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    /// Peak signal to noise in decibels; infinite for equal pixels.
    func difference(from other: DecodedPixels) -> Double {
        let squares = zip(bytes, other.bytes).reduce(0) { sum, pair in
            let distance = Int(pair.0) - Int(pair.1)
            return sum + distance * distance
        }
        // A quarter of the bytes are always 255.
        return 10 * log10(255 * 255 / (Double(squares) / Double(bytes.count * 3 / 4)))
    }
}

/// A plain PPM file that another program made.
struct ExpectedPixels {
    let size: PixelSize
    let colours: [UInt8]

    init(ppm bytes: [UInt8]) throws {
        let fields = bytes.split(maxSplits: 4, whereSeparator: { $0 == 10 || $0 == 32 })
        let numbers = fields.dropFirst().prefix(2).compactMap { Int(String(decoding: $0, as: UTF8.self)) }
        try #require(fields.count == 5 && numbers.count == 2)
        size = PixelSize(width: numbers[0], height: numbers[1])
        colours = Array(bytes.suffix(3 * numbers[0] * numbers[1]))
    }
}

extension [UInt8] {
    /// The file with a segment put in right after its start marker.
    func inserting(marker: UInt8, _ payload: [UInt8], times: Int = 1) -> [UInt8] {
        let length = payload.count + 2
        let segment = [0xFF, marker, UInt8(length >> 8), UInt8(length & 255)] + payload
        var result = Array(prefix(2))
        result.reserveCapacity(count + times * segment.count)
        for _ in 0..<times { result += segment }
        return result + dropFirst(2)
    }

    /// Where a marker stands, the first one from `start`.
    func offset(ofMarker marker: UInt8, from start: Int = 0) throws -> Int {
        try #require((start..<count - 1).first { self[$0] == 0xFF && self[$0 + 1] == marker })
    }

    /// An EXIF segment's payload with one orientation tag.
    static func exif(orientation: UInt16) -> [UInt8] {
        Array("Exif\0\0MM\0".utf8) + [42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1]
            + [UInt8(orientation >> 8), UInt8(orientation & 255), 0, 0, 0, 0, 0, 8]
    }
}

/// The code that `body` fails with, `nil` when it does not fail.
func failure(_ body: () throws -> Void) rethrows -> CodingError.Code? {
    do {
        try body()
        return nil
    } catch let error as CodingError {
        return error.code
    }
}
#endif
