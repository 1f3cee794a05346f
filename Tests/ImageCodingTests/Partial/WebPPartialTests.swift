#if WebP
import ByteBuffers
import Pixels
import Testing

@testable import ImageCoding

/// WebPs that are looked at while they come.
@Suite struct WebPPartialTests {
    private static let stills = [
        "lossy", "lossy-alpha", "lossless", "lossless-opaque", "large", "large-alpha", "one",
    ]

    @Test(
        "C191: every eighth of the rows is seen when its bytes have come, with loss and without",
        arguments: [true, false])
    func eighths(isLossless: Bool) throws {
        let options = EncodeOptions(isLossless: isLossless)
        let bytes = try CoderRegistry.standard.encode(
            Bitmap.detailed(PixelSize(width: 120, height: 400)), as: .webp, options: options
        ).array
        let viewing = Viewing(bytes, step: 64)
        #expect(viewing.looks.count >= 5)
        for look in viewing.looks {
            #expect(abs(look.count - bytes.count * look.progress.rows / 400) <= bytes.count / 4)
        }
    }

    @Test("C201: a small size is looked at in that size", arguments: ["large", "large-alpha", "lossless"])
    func scaled(name: String) throws {
        let bytes = try Fixture.bytes("webp/\(name).webp")
        let wanted = PixelSize(width: 40, height: 30)
        let whole = try WebPDecoder().decode(bytes, minimumSize: wanted)
        let viewing = Viewing(bytes, step: 100, minimumSize: wanted)
        #expect(viewing.looks.allSatisfy { $0.rows.size.width == whole.size.width })
        #expect(viewing.looks.last?.rows == whole)
    }

    @Test("W024: libwebp gets bytes few times, however small the portions are", arguments: stills)
    func feeds(name: String) throws {
        let bytes = try Fixture.bytes("webp/\(name).webp")
        let (frame, size) = try withExactCopy(of: bytes) { bytes in
            let frame = try WebPFrame(bytes, format: .webp)
            return (
                try WebPGrowingFrame(frame, scaledTo: frame.size, byteCount: bytes.count, format: .webp), frame.size
            )
        }
        var worked = 0
        for count in 1...bytes.count {
            let (before, rows) = (frame.feeds, frame.rowCount)
            try withExactCopy(of: Array(bytes[..<count])) { try frame.grow(to: $0) }
            // Before the first row all may be repeated; after it, eight rows.
            if frame.feeds > before {
                worked += rows == 0 ? count * size.height / bytes.count : frame.rowCount - rows + 8
            }
        }
        #expect(frame.rowCount == size.height)
        #expect(frame.feeds <= 8 + bytes.count.bitWidth - bytes.count.leadingZeroBitCount)
        #expect(worked <= 3 * size.height + 64)
    }

    @Test("an animation is shown when its first frame covers the canvas, a picture when its way up is known")
    func unshown() throws {
        for name in ["offset", "exif-6"] {
            let viewing = Viewing(try Fixture.bytes("webp/\(name).webp"), step: 100)
            #expect(viewing.failure == nil && viewing.sinks == 0)
        }
    }

    @Test("colours are brought into sRGB, and kept, as in the whole picture", arguments: [ColorHandling.sRGB, .keep])
    func colors(color: ColorHandling) throws {
        let bytes = try Fixture.bytes("color/p3-alpha.webp")
        let sink = BitmapSink()
        try withExactCopy(of: bytes) {
            try WebPDecoder().decode($0, options: DecodeOptions(color: color), into: sink)
        }
        #expect(Viewing(bytes, step: 200, color: color).looks.last?.rows == sink.takeBitmap()?.rows)
    }
}
#endif
