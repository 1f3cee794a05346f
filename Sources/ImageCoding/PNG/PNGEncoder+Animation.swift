#if PNG
public import ByteBuffers
import Pixels

extension PNGEncoder: AnimationEncoder {
    public var encodableAnimations: [ImageFormat] { [.apng] }

    /// Encodes without loss: the first frame whole, of each other one the rectangle that changes. Durations are in
    /// milliseconds, above 65 seconds in tenths of a second or seconds. EXIF, XMP and a profile are written as the options say.
    public func encode(
        _ frames: FrameSequence, as format: ImageFormat, options: EncodeOptions
    ) throws(CodingError) -> Bytes {
        guard format == .apng else {
            throw CodingError(.unsupportedFormat, "The PNG encoder does not make moving \(format).", format: format)
        }
        try frames.checkCount(format)
        return try CodingError.typed(format) { try write(frames, options) }
    }

    private func write(_ frames: FrameSequence, _ options: EncodeOptions) throws -> Bytes {
        var writer = try PNGChunkWriter(limit: .max)
        var number: UInt32 = 0
        var before: Bitmap?
        // What stands beside the pixels is the file's, which is the first frame's.
        var plain = options
        (plain.metadata, plain.color) = (nil, .sRGB)
        for index in 0..<frames.count {
            let frame = try frames.frame(index, for: .apng)
            let place = before.map { FrameDifference.place(from: $0, to: frame.bitmap) } ?? PixelRect(frames.size)
            // All frames share one header, so all have alpha or none.
            let part = try frame.bitmap.part(place, as: frames.isOpaque ? .rgbx8 : .rgba8)
            try encode(part, as: .png, options: index == 0 ? options : plain).withUnsafeBytes { picture in
                if index == 0 { try Self.copyHeader(of: picture, frames, to: &writer) }
                try writer.write(.frameControl, bytes: Self.control(number, place, frame.duration))
                number += 1
                try Self.copyPixels(of: picture, number: index == 0 ? nil : number, to: &writer)
                if index > 0 { number += 1 }
            }
            before = frame.bitmap
        }
        try writer.write(.end)
        return writer.finish()
    }

    /// Everything in front of the pixels, and the number of frames and of plays.
    private static func copyHeader(
        of picture: UnsafeRawBufferPointer, _ frames: FrameSequence, to writer: inout PNGChunkWriter
    ) throws {
        for chunk in chunks(of: picture).prefix(while: { $0.type != .pixels }) {
            try writer.write(chunk.type, pieces: [chunk.content])
        }
        try writer.write(
            .animationControl,
            bytes: bigEndian(UInt32(clamping: frames.count)) + bigEndian(UInt32(min(frames.loopCount, 0x7FFF_FFFF))))
    }

    /// - Parameter number: where the pixels stand in the sequence; `nil` for those of the default picture.
    private static func copyPixels(
        of picture: UnsafeRawBufferPointer, number: UInt32?, to writer: inout PNGChunkWriter
    ) throws {
        let pixels = chunks(of: picture).filter { $0.type == .pixels }.map(\.content)
        guard let number else { return try writer.write(.pixels, pieces: pixels) }
        try bigEndian(number).withUnsafeBytes { try writer.write(.framePixels, pieces: [$0] + pixels) }
    }

    private static func chunks(of picture: UnsafeRawBufferPointer) -> [PNGChunks.Chunk] {
        PNGChunks(BoundedBytes(picture)).map(Array.init) ?? []
    }

    /// The frame stays, and takes the place of what was there (PNG 3rd ed. §11.3.6.2).
    private static func control(_ number: UInt32, _ place: PixelRect, _ duration: Duration) -> [UInt8] {
        let sides = [place.width, place.height, place.x, place.y].flatMap { bigEndian(UInt32(clamping: $0)) }
        let denominator = [1_000, 10, 1].first { duration * $0 < .seconds(65_535.5) } ?? 1
        let numerator = UInt16(clamping: Int((duration * denominator / .seconds(1)).rounded()))
        return bigEndian(number) + sides + bigEndian(numerator) + bigEndian(UInt16(denominator)) + [0, 0]
    }

    private static func bigEndian<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian, Array.init)
    }
}
#endif
