#if WebP
public import ByteBuffers
import Pixels

extension WebPDecoder: AnimationDecoder {
    public var animatedFormats: [ImageFormat] { [.animatedWebP] }

    /// Finds the frames through libwebp's demultiplexer. A frame that is cut off is left out, except the first.
    ///
    /// The canvas starts transparent, as in browsers, whatever background colour the file names.
    public func frames(of bytes: Bytes, options: AnimationOptions) throws(CodingError) -> any FrameSource {
        try WebPFrames(bytes, options)
    }
}

/// The frames of one animated WebP. Their places in the file are noted, so libwebp need not look for them again.
private struct WebPFrames: FrameSource {
    let header: AnimationHeader
    private let color: ColorDescription
    private let ranges: [Range<Int>]
    private let bytes: Bytes

    init(_ bytes: Bytes, _ options: AnimationOptions) throws(CodingError) {
        self.bytes = bytes
        (header, ranges, color) = try bytes.withUnsafeBytes { bytes throws(CodingError) in
            try WebPContainer.withContainer(of: bytes) { container throws(CodingError) in
                guard let container else {
                    throw CodingError(.malformed, "The WebP's chunks cannot be read.", format: .animatedWebP)
                }
                return try Self.read(container, bytes, options)
            }
        }
    }

    private static func read(
        _ container: WebPContainer, _ bytes: UnsafeRawBufferPointer, _ options: AnimationOptions
    ) throws(CodingError) -> (AnimationHeader, [Range<Int>], ColorDescription) {
        let frames = try container.frames(
            atMost: options.isFirstFrameOnly ? 1 : .max, limits: options.limits, startingAt: bytes.baseAddress)
        guard !frames.isEmpty else {
            throw container.isComplete
                ? CodingError(.malformed, "The animated WebP has no frame.", format: .animatedWebP)
                : CodingError(.truncated, "The animated WebP ends before its first frame.", format: .animatedWebP)
        }
        let header = AnimationHeader(
            format: .animatedWebP, canvas: container.canvas, orientation: container.orientation,
            loopCount: container.loopCount, frames: frames.map(\.header), isComplete: container.isComplete)
        return (header, frames.map(\.bytes), container.color)
    }

    func draw(_ index: Int, onto canvas: RowStrip, options: DecodeOptions) throws(CodingError) {
        let place = header.frames[index].place
        guard place.clamped(to: header.canvas) == place, !place.isEmpty else {
            throw CodingError(.malformed, "A frame of the WebP leaves the canvas.", format: .animatedWebP)
        }
        try CodingError.typed(.animatedWebP) {
            try bytes.withUnsafeBytes { bytes in
                let frame = try WebPFrame(BoundedBytes(bytes).slice(ranges[index]), format: .animatedWebP)
                guard frame.size == place.size, !frame.isAnimated else {
                    throw CodingError(
                        .malformed, "A frame of the WebP contradicts its header.", format: .animatedWebP)
                }
                try draw(frame, at: place, isBlended: header.frames[index].blending == .over, onto: canvas, options)
            }
        }
    }

    private func draw(
        _ frame: WebPFrame, at place: PixelRect, isBlended: Bool, onto canvas: RowStrip, _ options: DecodeOptions
    ) throws {
        let corner = canvas.base + place.y * canvas.bytesPerRow + place.x * 4
        let target = RowStrip(base: corner, bytesPerRow: canvas.bytesPerRow, rowCount: place.height)
        guard isBlended, frame.hasAlpha else {
            return try frame.decode(scaledTo: frame.size, color: color, options: options, into: target)
        }
        let stride = place.width * 4
        // Of one size for all frames, and that of the canvases: the pool would keep a block of each size.
        let pixels = try RegionPool.shared.allocate(byteCount: canvas.bytesPerRow * canvas.rowCount)
        defer { RegionPool.shared.release(pixels) }
        try frame.decode(
            scaledTo: frame.size, color: color, options: options,
            into: RowStrip(base: pixels.base, bytesPerRow: stride, rowCount: place.height))
        for row in 0..<place.height {
            SourceOver.blend(pixels.base + row * stride, onto: corner + row * target.bytesPerRow, count: place.width)
        }
    }
}
#endif
