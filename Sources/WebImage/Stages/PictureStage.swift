import ByteBuffers
import ImageCoding
import ImageProcessing
import Pixels

/// Bytes to a picture: upright and in the wanted size.
///
/// The decoder shrinks while it decodes as far as its format allows, and writes its rows into a resampler that makes the
/// final size, strip by strip. The full picture exists in memory only when the full size is wanted, or when the format
/// leaves no choice.
public struct PictureStage: Sendable {
    /// The coders that are asked.
    public var coders: CoderRegistry

    public init(coders: CoderRegistry = .standard) {
        self.coders = coders
    }

    /// Whether bytes begin like a picture that can be decoded.
    func isPicture(_ bytes: Bytes) -> Bool {
        (try? bytes.withUnsafeBytes { try coders.info(of: $0) }) != nil
    }

    /// Decodes a picture.
    ///
    /// - Parameters:
    ///   - bytes: a whole file.
    ///   - target: the wanted size, `nil` for the picture's own.
    ///   - byteLimit: the most bytes of pixels; a picture that would have more is made smaller in its own shape. `nil`, the
    ///     default, for no limit but `limits`.
    ///   - limits: what it may cost.
    ///   - color: what becomes of its colours.
    ///   - usesEmbeddedThumbnail: whether a thumbnail that is in the file and large enough may stand in for the picture.
    ///   - shouldContinue: asked for every strip; `false` ends the decode.
    /// - Throws: `CodingError`, `ProcessingError`, or `AllocationError`.
    public func picture(
        from bytes: Bytes, target: TargetSize? = nil, byteLimit: Int? = nil, limits: DecodeLimits = .default,
        color: ColorHandling = .sRGB, usesEmbeddedThumbnail: Bool = false,
        shouldContinue: @escaping @Sendable () -> Bool = { true }
    ) throws -> (bitmap: Bitmap, info: ImageInfo) {
        let wish = PictureWish(target: target, byteLimit: byteLimit)
        return try bytes.withUnsafeBytes { raw in
            let result = try coders.decode(
                raw, limits: limits,
                optionsFor: { info in
                    DecodeOptions(
                        minimumSize: Plan(info, wish).minimumSize,
                        usesEmbeddedThumbnail: usesEmbeddedThumbnail, color: color, limits: limits,
                        shouldContinue: shouldContinue)
                },
                into: { try makeSink($0, wish, limits: limits) })
            guard let stored = result.sink.takeBitmap() else {
                throw CodingError(
                    .malformed, "The decoder ended before the last row.", format: result.info.format)
            }
            return (try stored.oriented(by: result.info.orientation), result.info)
        }
    }
}

extension PictureStage {
    /// Decodes a picture as a request wants it, up to its processing.
    func picture(
        from bytes: Bytes, for request: ImageRequest, shouldContinue: @escaping @Sendable () -> Bool
    ) throws -> (bitmap: Bitmap, info: ImageInfo) {
        try picture(
            from: bytes, target: request.target, byteLimit: request.options.byteLimit, limits: request.limits,
            color: request.options.color,
            usesEmbeddedThumbnail: request.options.usesEmbeddedThumbnail, shouldContinue: shouldContinue)
    }

    /// The smallest size of stored rows that is enough.
    func minimumSize(_ info: ImageInfo, _ wish: PictureWish) -> PixelSize? { Plan(info, wish).minimumSize }

    /// Makes the wanted size of the rows that a decoder delivers.
    ///
    /// - Throws: `CodingError` when the wanted picture is larger than a picture may be.
    func makeSink(_ info: ImageInfo, _ wish: PictureWish, limits: DecodeLimits) throws(CodingError) -> ResamplingSink {
        try Plan(info, wish).makeSink(limits: limits, format: info.format)
    }

    /// The size of the stored rows that a sink makes.
    func storedSize(_ info: ImageInfo, _ wish: PictureWish) -> PixelSize { Plan(info, wish).size }

    /// The wanted size in the axes of the stored rows.
    private struct Plan {
        let minimumSize: PixelSize?
        private let scaled: PixelSize
        private let crop: PixelRect

        var size: PixelSize { crop.size }

        init(_ info: ImageInfo, _ wish: PictureWish) {
            guard let placement = wish.target(for: info.size)?.placement(of: info.size) else {
                minimumSize = nil
                scaled = info.storedSize
                crop = PixelRect(info.storedSize)
                return
            }
            scaled = info.orientation.applied(to: placement.scaled)
            crop = info.orientation.inverse.applied(to: placement.crop, in: placement.scaled)
            minimumSize = scaled
        }

        /// - Throws: `CodingError` when the wanted picture is larger than a picture may be, as only enlarging can make it.
        func makeSink(limits: DecodeLimits, format: ImageFormat) throws(CodingError) -> ResamplingSink {
            try limits.check(scaled, format: format)
            return ResamplingSink(scaledTo: scaled, crop: crop)
        }
    }
}
