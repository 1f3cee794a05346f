public import ByteBuffers
public import Pixels

/// Encodes BMP without compression: 24 bits for an opaque bitmap, else 32 bits with a mask for straight alpha.
///
/// Always without loss: quality and effort are not looked at. Colours other than sRGB are named by their profile, in a header
/// of version 5. The format has no place for EXIF and XMP.
public struct BMPEncoder: ImageEncoder {
    public init() {}

    public var library: CodecLibrary { BMPDecoder().library }

    public var encodableFormats: [ImageFormat] { [.bmp] }

    public func usesQuality(for format: ImageFormat, options: EncodeOptions) -> Bool { false }

    public func encode(
        _ bitmap: Bitmap, as format: ImageFormat, options: EncodeOptions
    ) throws(CodingError) -> Bytes {
        guard format == .bmp else {
            throw CodingError(.unsupportedFormat, "The BMP encoder does not make \(format).", format: format)
        }
        let straight = try bitmap.straightened(for: .bmp)
        let channels = straight.format.isOpaque ? 3 : 4
        let profile = try options.profile(for: .bmp) ?? Bytes()
        let header = channels == 3 && profile.isEmpty ? 54 : 14 + 124
        let bytesPerRow = (bitmap.width * channels + 3) / 4 * 4
        let (pixels, overflow) = bytesPerRow.multipliedReportingOverflow(by: bitmap.height)
        guard !overflow, pixels <= Int(UInt32.max) - header - profile.count else {
            throw CodingError(.encodingFailed, "A BMP has at most 4 GiB.", format: .bmp)
        }
        do {
            return try Bytes(capacity: header + pixels + profile.count) { room in
                room.initializeMemory(as: UInt8.self, repeating: 0)
                Self.writeHeader(room, header, pixels, bitmap.size, channels)
                Self.write(profile, to: room, behind: header + pixels)
                straight.withUnsafeBytes { source in
                    for row in 0..<bitmap.height {
                        let from = row * straight.bytesPerRow
                        let to = header + (bitmap.height - 1 - row) * bytesPerRow
                        for x in 0..<bitmap.width {
                            for channel in 0..<3 {
                                room[to + x * channels + channel] = source[from + x * 4 + 2 - channel]
                            }
                            if channels == 4 { room[to + x * 4 + 3] = source[from + x * 4 + 3] }
                        }
                    }
                }
                return room.count
            }
        } catch {
            throw CodingError(.outOfMemory, "There is no memory to encode the BMP.", format: .bmp)
        }
    }

    private static func writeHeader(
        _ room: UnsafeMutableRawBufferPointer, _ header: Int, _ pixels: Int, _ size: PixelSize, _ channels: Int
    ) {
        func put(_ value: Int, at offset: Int) { Self.put(value, at: offset, in: room) }
        (room[0], room[1]) = (UInt8(ascii: "B"), UInt8(ascii: "M"))
        put(room.count, at: 2)
        put(header, at: 10)
        put(header - 14, at: 14)
        put(size.width, at: 18)
        put(size.height, at: 22)
        // One plane, and the bits above it.
        put(1 | channels * 8 << 16, at: 26)
        put(pixels, at: 34)
        guard header > 54 else { return }
        // "sRGB", its bytes in a number of 32 bits.
        put(0x7352_4742, at: 70)
        guard channels == 4 else { return }
        put(BMPHeader.Compression.masks.rawValue, at: 30)
        for (index, mask) in [0x00FF_0000, 0x0000_FF00, 0x0000_00FF, 0xFF00_0000].enumerated() {
            put(mask, at: 54 + index * 4)
        }
    }

    /// The header's offset counts from its own start, which is behind the file's 14 bytes.
    private static func write(_ profile: Bytes, to room: UnsafeMutableRawBufferPointer, behind end: Int) {
        guard !profile.isEmpty else { return }
        // "MBED", its bytes in a number of 32 bits.
        put(0x4D42_4544, at: 70, in: room)
        put(end - 14, at: 14 + 112, in: room)
        put(profile.count, at: 14 + 116, in: room)
        profile.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: room[end...]).copyMemory(from: $0) }
    }

    private static func put(_ value: Int, at offset: Int, in room: UnsafeMutableRawBufferPointer) {
        room.storeBytes(of: UInt32(truncatingIfNeeded: value).littleEndian, toByteOffset: offset, as: UInt32.self)
    }
}
