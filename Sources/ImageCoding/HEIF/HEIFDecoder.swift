#if HEIF
import CHEIF
public import Pixels

/// Decodes the pictures of HEIC and HEIF files through libheif, the primary one first.
///
/// libheif itself turns, mirrors and crops as the container says, so pictures come upright; EXIF's orientation is ignored,
/// since the container wins. Grids, overlays and alpha are read. A smaller size is served by an embedded thumbnail of the
/// same shape, where one is large enough. Of a file with an image sequence the still picture is read; one without it needs a
/// later libheif than 1.15, and is refused. A picture is decoded in one go: a request to stop is heard before and after.
public struct HEIFDecoder: ImageDecoder {
    public init() {}

    public var library: CodecLibrary { HEIFStatus.library }

    public var decodableFormats: [ImageFormat] { [.heic, .heif] }

    public func info(of bytes: UnsafeRawBufferPointer) throws(CodingError) -> ImageInfo {
        let format = Self.format(of: bytes)
        let container = try HEIFContainer(bytes, format: format)
        return ImageInfo(
            format: format, storedSize: container.picture.size, hasAlpha: container.picture.hasAlpha,
            frameCount: container.pictureCount, color: container.picture.color,
            bitsPerComponent: container.picture.bitsPerComponent)
    }

    public func metadata(of bytes: UnsafeRawBufferPointer) throws(CodingError) -> ImageMetadata {
        try HEIFContainer(bytes, format: Self.format(of: bytes)).picture.metadata
    }

    public func decode(_ bytes: UnsafeRawBufferPointer, options: DecodeOptions, into sink: any RowSink) throws {
        try decode(bytes, identifier: nil, options: options, into: sink)
    }

    /// - Parameter identifier: of the picture, `nil` for the primary one.
    func decode(
        _ bytes: UnsafeRawBufferPointer, identifier: UInt32?, options: DecodeOptions, into sink: any RowSink
    ) throws {
        let format = Self.format(of: bytes)
        try options.limits.check(inputBytes: bytes.count)
        let container = try HEIFContainer(bytes, format: format, identifier: identifier)
        try options.limits.check(container.picture.size, format: format)
        // A crop may show little of much.
        try options.limits.check(container.picture.codedSize, format: format)
        try options.checkCancellation()
        let limited = try HEIFContainer(
            bytes, format: format, maxSide: options.limits.maxSide, identifier: identifier)
        if let minimum = options.minimumSize, let thumbnail = limited.picture.thumbnail(covering: minimum) {
            // A damaged thumbnail is no reason to show nothing.
            if let pixels = try? thumbnail.decode(isDeep: false), pixels.size == thumbnail.size {
                return try deliver(pixels, of: thumbnail, isDeep: false, format, options: options, into: sink)
            }
        }
        // libheif cuts the lower bits of 10 off; the transform rounds. Multiplied colours are divided in 8 bits only.
        let isDeep = limited.picture.bitsPerComponent > 8 && !limited.picture.isPremultiplied
        let pixels = try limited.picture.decode(isDeep: isDeep)
        guard pixels.size == limited.picture.size else {
            throw CodingError(.malformed, "The HEIF's picture contradicts its header.", format: format)
        }
        try deliver(pixels, of: limited.picture, isDeep: isDeep, format, options: options, into: sink)
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

    static func format(of bytes: UnsafeRawBufferPointer) -> ImageFormat {
        ImageFormat(sniffing: bytes) == .heic ? .heic : .heif
    }
}
#endif
