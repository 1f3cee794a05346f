#if WebP
import ByteBuffers
import CWebP
import Pixels

/// What a WebP's chunks say, read through libwebp's demultiplexer; it copies no pixels. Lives only inside
/// ``withContainer(of:_:)``.
struct WebPContainer {
    let handle: OpaquePointer
    /// All chunks are there and follow the rules.
    let isComplete: Bool

    /// Opens a file, or the beginning of one. `nil` goes to `body` when it cannot be read as a container.
    static func withContainer<Result, Failure: Error>(
        of bytes: UnsafeRawBufferPointer, _ body: (WebPContainer?) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var data = WebPData(bytes: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), size: bytes.count)
        var state = WEBP_DEMUX_PARSE_ERROR
        guard let handle = WebPDemuxPartial(&data, &state) else { return try body(nil) }
        defer { WebPDemuxDelete(handle) }
        return try body(WebPContainer(handle: handle, isComplete: state == WEBP_DEMUX_DONE))
    }

    var canvas: PixelSize {
        PixelSize(width: Int(feature(WEBP_FF_CANVAS_WIDTH)), height: Int(feature(WEBP_FF_CANVAS_HEIGHT)))
    }

    var hasAlpha: Bool { feature(WEBP_FF_FORMAT_FLAGS) & ALPHA_FLAG.rawValue != 0 }

    /// `nil` when the file is cut off, since more frames could have followed.
    var frameCount: Int? { isComplete ? Int(feature(WEBP_FF_FRAME_COUNT)) : nil }

    /// Of EXIF; of XMP where EXIF does not say.
    var orientation: Orientation {
        withChunk("EXIF") { ExifOrientation.read(fromTIFF: TIFFReader.skippingIntroduction(of: $0)) }
            ?? withChunk("XMP ") { XMPPacket($0).orientation } ?? .up
    }

    /// The file's profile; without one the format says that colours are sRGB.
    var color: ColorDescription { profile.map { ColorDescription.icc($0).simplified } ?? .unspecified }

    private var profile: ICCProfile? {
        withChunk("ICCP") { chunk in
            chunk.count <= ICCProfile.maximumByteCount ? (try? Bytes(copying: chunk)).flatMap(ICCProfile.init) : nil
        }
    }

    var metadata: ImageMetadata {
        // A chunk lies in the file's own bytes, so it may be looked at as long as those.
        ImageMetadata(
            copyingExif: withChunk("EXIF", TIFFReader.skippingIntroduction), xmp: withChunk("XMP ") { $0 },
            profile: profile)
    }

    /// Calls `body` with the content of the first chunk of a name, where there is one.
    func withChunk<Result>(_ name: String, _ body: (UnsafeRawBufferPointer) -> Result?) -> Result? {
        var chunk = WebPChunkIterator()
        defer { WebPDemuxReleaseChunkIterator(&chunk) }
        guard WebPDemuxGetChunk(handle, name, 1, &chunk) != 0 else { return nil }
        return body(UnsafeRawBufferPointer(start: chunk.chunk.bytes, count: chunk.chunk.size))
    }

    /// The first frame: where it lies on the canvas, and its own compressed bytes, cut where the file ends.
    var firstFrame: Frame? {
        var frame = WebPIterator()
        defer { WebPDemuxReleaseIterator(&frame) }
        guard WebPDemuxGetFrame(handle, 1, &frame) != 0 else { return nil }
        return Frame(
            place: PixelRect(
                x: Int(frame.x_offset), y: Int(frame.y_offset), width: Int(frame.width), height: Int(frame.height)),
            bytes: UnsafeRawBufferPointer(start: frame.fragment.bytes, count: frame.fragment.size),
            hasAlpha: frame.has_alpha != 0)
    }

    struct Frame {
        let place: PixelRect
        let bytes: UnsafeRawBufferPointer
        let hasAlpha: Bool
    }

    func feature(_ feature: WebPFormatFeature) -> UInt32 { WebPDemuxGetI(handle, feature) }
}
#endif
