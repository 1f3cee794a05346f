#if HEIF
import CHEIF
public import Pixels

/// Decodes the primary picture of HEIC and HEIF files through libheif.
///
/// libheif itself turns, mirrors and crops as the container says, so pictures come upright; EXIF's orientation is ignored,
/// since the container wins. Grids, overlays and alpha are read. A smaller size is served by an embedded thumbnail of the
/// same shape, where one is large enough. Image sequences without a still picture need a later libheif than 1.15. The
/// picture is decoded in one go: a request to stop is heard before and after.
public struct HEIFDecoder: ImageDecoder {
    public init() {}

    public var library: CodecLibrary { HEIFStatus.library }

    public var decodableFormats: [ImageFormat] { [.heic, .heif] }

    public func info(of bytes: UnsafeRawBufferPointer) throws(CodingError) -> ImageInfo {
        let format = Self.format(of: bytes)
        let container = try HEIFContainer(bytes, format: format)
        return ImageInfo(
            format: format, storedSize: container.primary.size, hasAlpha: container.primary.hasAlpha,
            color: container.primary.color, bitsPerComponent: container.primary.bitsPerComponent)
    }

    public func metadata(of bytes: UnsafeRawBufferPointer) throws(CodingError) -> ImageMetadata {
        try HEIFContainer(bytes, format: Self.format(of: bytes)).primary.metadata
    }

    public func decode(_ bytes: UnsafeRawBufferPointer, options: DecodeOptions, into sink: any RowSink) throws {
        let format = Self.format(of: bytes)
        try options.limits.check(inputBytes: bytes.count)
        let container = try HEIFContainer(bytes, format: format)
        try options.limits.check(container.primary.size, format: format)
        // A crop may show little of much.
        try options.limits.check(container.primary.codedSize, format: format)
        try options.checkCancellation()
        let limited = try HEIFContainer(bytes, format: format, maxSide: options.limits.maxSide)
        if let minimum = options.minimumSize, let thumbnail = limited.primary.thumbnail(covering: minimum) {
            // A damaged thumbnail is no reason to show nothing.
            if let pixels = try? thumbnail.decode(isDeep: false), pixels.size == thumbnail.size {
                return try deliver(pixels, of: thumbnail, isDeep: false, format, options: options, into: sink)
            }
        }
        // libheif cuts the lower bits of 10 off; the transform rounds. Multiplied colours are divided in 8 bits only.
        let isDeep = limited.primary.bitsPerComponent > 8 && !limited.primary.isPremultiplied
        let pixels = try limited.primary.decode(isDeep: isDeep)
        guard pixels.size == limited.primary.size else {
            throw CodingError(.malformed, "The HEIF's picture contradicts its header.", format: format)
        }
        try deliver(pixels, of: limited.primary, isDeep: isDeep, format, options: options, into: sink)
    }

    private func deliver(
        _ pixels: borrowing HEIFPixels, of item: borrowing HEIFItem, isDeep: Bool, _ format: ImageFormat,
        options: DecodeOptions, into sink: any RowSink
    ) throws {
        let (size, bytesPerRow, bits) = (pixels.size, pixels.bytesPerRow, pixels.bits)
        let layout = SampleLayout(channels: item.hasAlpha ? .rgba : .rgbx, component: isDeep ? .uint16 : .uint8)
        guard let base = pixels.base, bytesPerRow >= size.width * layout.bytesPerPixel else {
            throw CodingError(.malformed, "libheif made no RGB of this picture.", format: format)
        }
        for row in 0..<size.height {
            let pixels = base + row * bytesPerRow
            if isDeep { SampleRows.widen(pixels, bits: bits, count: size.width * 4) }
            if item.isPremultiplied, !isDeep { Premultiplication.divide(pixels, into: pixels, count: size.width) }
        }
        try options.checkCancellation()
        let transform = ColorTransform(from: item.color, layout: layout, options: options)
        try sink.deliver(base, bytesPerRow: bytesPerRow, size: size, through: transform, options: options)
    }

    private static func format(of bytes: UnsafeRawBufferPointer) -> ImageFormat {
        ImageFormat(sniffing: bytes) == .heic ? .heic : .heif
    }
}
#endif
