#if JPEGXL
import ByteBuffers
import CJXL

/// EXIF and XMP of JPEG XL's container (ISO/IEC 18181-2), each from the first box of its kind, unpacked where it is packed.
enum JXLBoxes {
    /// - Returns: what was found before the first thing that is broken.
    static func read(from bytes: UnsafeRawBufferPointer) -> (exif: Bytes?, xmp: Bytes?) {
        guard let decoder = JxlDecoderCreate(nil) else { return (nil, nil) }
        defer { JxlDecoderDestroy(decoder) }
        guard JxlDecoderSubscribeEvents(decoder, Int32(JXL_DEC_BOX.rawValue)) == JXL_DEC_SUCCESS,
            JxlDecoderSetDecompressBoxes(decoder, 1) == JXL_DEC_SUCCESS,
            JxlDecoderSetInput(decoder, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
                == JXL_DEC_SUCCESS
        else { return (nil, nil) }
        JxlDecoderCloseInput(decoder)
        var found: [String: Bytes] = [:]
        var box: Box?
        while found.count < 2 {
            let event = JxlDecoderProcessInput(decoder)
            if event == JXL_DEC_BOX_NEED_MORE_OUTPUT {
                // Too long a box is not unpacked any further, and nothing behind it is looked for.
                guard let box, box.take(from: decoder) else { break }
                box.lend(to: decoder)
                continue
            }
            guard event == JXL_DEC_BOX || event == JXL_DEC_SUCCESS else { break }
            if let ended = box, ended.take(from: decoder) { found[ended.name] = ended.finish() }
            guard event == JXL_DEC_BOX else { break }
            box = wantedName(decoder).flatMap { found[$0] == nil ? Box($0) : nil }
            box?.lend(to: decoder)
        }
        return (found["Exif"].flatMap(withoutOffset), found["xml "])
    }

    private static func wantedName(_ decoder: OpaquePointer) -> String? {
        var type = [CChar](repeating: 0, count: 4)
        guard JxlDecoderGetBoxType(decoder, &type, 1) == JXL_DEC_SUCCESS else { return nil }
        let name = String(decoding: type.map(UInt8.init(bitPattern:)), as: UTF8.self)
        return ["Exif", "xml "].contains(name) ? name : nil
    }

    /// Four bytes say how far behind them the TIFF structure starts.
    private static func withoutOffset(_ box: Bytes) -> Bytes? {
        guard let start = box.withUnsafeBytes({ BoundedBytes($0).bigEndian32(at: 0) }).map({ $0 + 4 }),
            start < box.count
        else { return nil }
        return box[start..<box.count]
    }
}

/// A box that is being read, piece by piece.
private final class Box {
    let name: String
    private var content = ByteAccumulator(limit: ImageMetadata.maximumByteCount)
    private let room = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 1 << 16)

    init(_ name: String) {
        self.name = name
    }

    deinit { room.deallocate() }

    func lend(to decoder: OpaquePointer) { _ = JxlDecoderSetBoxBuffer(decoder, room.baseAddress, room.count) }

    /// Takes over what was written into the room; `false` when the box is too long.
    func take(from decoder: OpaquePointer) -> Bool {
        let count = room.count - JxlDecoderReleaseBoxBuffer(decoder)
        let piece = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(room)[..<count])
        return (try? content.append(piece)) != nil
    }

    func finish() -> Bytes {
        var whole = ByteAccumulator(limit: 0)
        swap(&whole, &content)
        return whole.finish()
    }
}
#endif
