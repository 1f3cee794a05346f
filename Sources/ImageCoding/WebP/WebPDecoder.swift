#if WebP
import CWebP
public import Pixels

/// Decodes WebP, and the first picture of an animated one, through libwebp.
///
/// A smaller size is made while decoding: exactly the options' minimum size when that has the picture's shape. The first
/// frame of an animation is laid on a transparent canvas, as browsers do, whatever background colour the file names.
/// The file is decoded in slices, and a request to stop is heard between them.
public struct WebPDecoder: ImageDecoder {
    public init() {}

    public var library: CodecLibrary {
        CodecLibrary(name: "libwebp", version: Self.text(ofVersion: WebPGetDecoderVersion()))
    }

    public var decodableFormats: [ImageFormat] { [.webp, .animatedWebP] }

    /// libwebp packs a version in three bytes.
    static func text(ofVersion version: Int32) -> String {
        "\(version >> 16 & 0xFF).\(version >> 8 & 0xFF).\(version & 0xFF)"
    }

    public func info(of bytes: UnsafeRawBufferPointer) throws(CodingError) -> ImageInfo {
        let frame = try WebPFrame(bytes, format: ImageFormat(sniffing: bytes))
        return WebPContainer.withContainer(of: bytes) { container in
            var info = ImageInfo(
                format: frame.isAnimated ? .animatedWebP : .webp, storedSize: frame.size, hasAlpha: frame.hasAlpha,
                frameCount: frame.isAnimated ? container?.frameCount : 1)
            if let container {
                info.orientation = container.orientation
                info.color = container.color
                // Only the frames of an animation can leave the canvas bare.
                if frame.isAnimated, let first = container.firstFrame {
                    info.hasAlpha = first.hasAlpha || first.place != PixelRect(frame.size)
                }
            }
            return info
        }
    }

    public func metadata(of bytes: UnsafeRawBufferPointer) throws(CodingError) -> ImageMetadata {
        _ = try WebPFrame(bytes, format: ImageFormat(sniffing: bytes))
        return WebPContainer.withContainer(of: bytes) { $0?.metadata ?? ImageMetadata() }
    }

    public func decode(_ bytes: UnsafeRawBufferPointer, options: DecodeOptions, into sink: any RowSink) throws {
        try options.limits.check(inputBytes: bytes.count)
        let still = try WebPFrame(bytes, format: ImageFormat(sniffing: bytes))
        let format: ImageFormat = still.isAnimated ? .animatedWebP : .webp
        try options.limits.check(still.size, format: format)
        try options.checkCancellation()
        try WebPContainer.withContainer(of: bytes) { container in
            let color = container?.color ?? .unspecified
            guard still.isAnimated else { return try decode(still, color, options: options, into: sink) }
            guard let first = container?.firstFrame else {
                throw Self.missingFrame(isComplete: container?.isComplete ?? true)
            }
            let frame = try WebPFrame(first.bytes, format: .animatedWebP)
            guard frame.size == first.place.size else {
                throw CodingError(.malformed, "The WebP's first frame contradicts its header.", format: .animatedWebP)
            }
            if first.place == PixelRect(still.size) { return try decode(frame, color, options: options, into: sink) }
            try compose(frame, color, at: first.place, on: still.size, options: options, into: sink)
        }
    }

    private func decode(_ frame: WebPFrame, _ color: ColorDescription, options: DecodeOptions, into sink: any RowSink)
        throws
    {
        let size = frame.size(covering: options.minimumSize)
        let header = RowHeader(size: size, format: frame.hasAlpha ? .rgba8 : .rgbx8)
        try sink.deliverWhole(header, options: options) { target in
            try frame.decode(scaledTo: size, color: color, options: options, into: target)
        }
    }

    /// A frame that leaves a part of the canvas bare.
    private func compose(
        _ frame: WebPFrame, _ color: ColorDescription, at place: PixelRect, on canvas: PixelSize,
        options: DecodeOptions, into sink: any RowSink
    ) throws {
        guard place.clamped(to: canvas) == place, !place.isEmpty else {
            throw CodingError(.malformed, "The WebP's first frame leaves the canvas.", format: .animatedWebP)
        }
        try sink.deliverWhole(RowHeader(size: canvas, format: .rgba8), options: options) { target in
            target.fill(width: canvas.width, rows: canvas.height)
            let corner = target.base + place.y * target.bytesPerRow + place.x * 4
            let strip = RowStrip(base: corner, bytesPerRow: target.bytesPerRow, rowCount: place.height)
            try frame.decode(scaledTo: frame.size, color: color, options: options, into: strip)
        }
    }

    private static func missingFrame(isComplete: Bool) -> CodingError {
        isComplete
            ? CodingError(.malformed, "The animated WebP has no frame.", format: .animatedWebP)
            : CodingError(.truncated, "The animated WebP ends before its first frame.", format: .animatedWebP)
    }
}
#endif
