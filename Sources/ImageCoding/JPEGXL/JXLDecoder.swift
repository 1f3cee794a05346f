#if JPEGXL
import CJXL
public import Pixels

/// Decodes JPEG XL, still and moving, through libjxl.
///
/// A bare codestream and the container are read, with up to 16 bits a channel or floats. The orientation is reported, not
/// applied. libjxl decodes at full size, on the caller's thread alone and in one go: a request to stop is heard before and
/// after.
public struct JXLDecoder: ImageDecoder {
    public init() {}

    public var library: CodecLibrary {
        CodecLibrary(name: "libjxl", version: Self.text(ofVersion: JxlDecoderVersion()))
    }

    public var decodableFormats: [ImageFormat] { [.jpegXL] }

    /// libjxl packs a version in decimal digits, three for each part.
    static func text(ofVersion version: UInt32) -> String {
        "\(version / 1_000_000).\(version / 1_000 % 1_000).\(version % 1_000)"
    }

    public func info(of bytes: UnsafeRawBufferPointer) throws(CodingError) -> ImageInfo {
        let reader = try JXLReader(bytes, events: JXL_DEC_FRAME)
        var info = reader.imageInfo
        info.frameCount = reader.countFrames()
        return info
    }

    public func metadata(of bytes: UnsafeRawBufferPointer) throws(CodingError) -> ImageMetadata {
        let reader = try JXLReader(bytes, events: JXL_DEC_FRAME)
        let (exif, xmp) = JXLBoxes.read(from: bytes)
        return ImageMetadata(exif: exif, xmp: xmp, profile: reader.storedProfile)
    }

    public func decode(_ bytes: UnsafeRawBufferPointer, options: DecodeOptions, into sink: any RowSink) throws {
        try options.limits.check(inputBytes: bytes.count)
        let reader = try JXLReader(bytes, events: JXL_DEC_FULL_IMAGE)
        try options.limits.check(reader.size, format: .jpegXL)
        try options.checkCancellation()
        try Self.deliver(reader, options: options, into: sink)
    }

    /// Decodes the reader's next frame and delivers it.
    static func deliver(_ reader: JXLReader, options: DecodeOptions, into sink: any RowSink) throws {
        let transform = transform(reader, options)
        try sink.deliverWhole(reader.size, through: transform, options: options) { frame in
            try reader.decode(transform.source.component, into: frame)
        }
    }

    /// libjxl itself makes 8 bits of more, unless the colours are converted: then the lower bits count.
    static func transform(_ reader: JXLReader, _ options: DecodeOptions) -> ColorTransform {
        let channels: SampleLayout.Channels = reader.hasAlpha ? .rgba : .rgbx
        let plain = ColorTransform(
            from: reader.color, layout: SampleLayout(channels: channels, component: .uint8), options: options)
        guard reader.component != .uint8, options.depth == .asStored || !plain.isIdentity else { return plain }
        return ColorTransform(
            from: reader.color, layout: SampleLayout(channels: channels, component: reader.component), options: options)
    }
}
#endif
