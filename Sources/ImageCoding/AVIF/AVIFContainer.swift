#if AVIF
import ByteBuffers
import CAVIF
import Pixels

/// An AVIF file opened by libavif, which reads the bytes where they are: they have to outlive it.
// Unchecked: it is never copied, so who has it is the only one to use its libavif decoder.
struct AVIFContainer: ~Copyable, @unchecked Sendable {
    /// The most pixels that libavif can be told to allow.
    private static let largestSizeLimit = 1 << 28
    /// The most frames that are listed: over an hour, and less than 20 MB of libavif's memory. Callers allow fewer.
    private static let largestFrameCount: UInt32 = 1 << 17

    let decoder: UnsafeMutablePointer<avifDecoder>
    /// An empty picture, for a decoder that has none any more.
    private let noImage: UnsafeMutablePointer<avifImage>

    /// The picture as it is now: a decoder that is reset throws the one it had away.
    private var image: UnsafeMutablePointer<avifImage> { decoder.pointee.image ?? noImage }

    /// Reads a file's boxes, no pixels.
    ///
    /// - Parameters:
    ///   - maxPixels: what libavif and the AV1 decoder below it refuse to exceed, whatever the boxes say.
    ///   - readsMetadata: EXIF and XMP are copied too.
    init(
        _ bytes: UnsafeRawBufferPointer, maxPixels: Int = .max, readsMetadata: Bool = false
    ) throws(CodingError) {
        guard let noImage = avifImageCreateEmpty() else { throw Self.noMemory }
        guard let decoder = avifDecoderCreate() else {
            avifImageDestroy(noImage)
            throw Self.noMemory
        }
        decoder.pointee.maxThreads = 1
        decoder.pointee.imageSizeLimit = UInt32(max(1, min(maxPixels, Self.largestSizeLimit)))
        // The caller's own limit on sides gives the better error.
        decoder.pointee.imageDimensionLimit = 0
        decoder.pointee.imageCountLimit = Self.largestFrameCount
        decoder.pointee.ignoreExif = readsMetadata ? 0 : 1
        decoder.pointee.ignoreXMP = readsMetadata ? 0 : 1
        // Early encoders left the list of bit depths out; a bad crop shows the whole picture, as in browsers.
        decoder.pointee.strictFlags =
            AVIF_STRICT_ENABLED.rawValue & ~AVIF_STRICT_PIXI_REQUIRED.rawValue & ~AVIF_STRICT_CLAP_VALID.rawValue
        var status = avifDecoderSetIOMemory(
            decoder, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
        // A file that is cut off would be refused for its length, though some of its frames are whole.
        decoder.pointee.io?.pointee.sizeHint = 0
        if status == AVIF_RESULT_OK { status = avifDecoderParse(decoder) }
        guard status == AVIF_RESULT_OK, decoder.pointee.image != nil else {
            defer {
                avifDecoderDestroy(decoder)
                avifImageDestroy(noImage)
            }
            throw AVIFStatus.error(status, decoder.pointee.diag)
        }
        self.decoder = decoder
        self.noImage = noImage
    }

    deinit {
        avifDecoderDestroy(decoder)
        avifImageDestroy(noImage)
    }

    private static var noMemory: CodingError {
        CodingError(.outOfMemory, "There is no memory to open the AVIF.", format: .avif)
    }

    /// The size before the crop; read anew after ``decodeNext()``, since the pixels may contradict the boxes.
    var codedSize: PixelSize { PixelSize(width: Int(image.pointee.width), height: Int(image.pointee.height)) }

    var hasAlpha: Bool { decoder.pointee.alphaPresent != 0 }

    /// More than one for a sequence.
    var frameCount: Int { Int(decoder.pointee.imageCount) }

    /// What of the coded picture is to be seen (clean aperture, ISO/IEC 14496-12 §12.1.4); all of it without a valid crop.
    var crop: PixelRect {
        guard has(AVIF_TRANSFORM_CLAP) else { return PixelRect(codedSize) }
        var rect = avifCropRect()
        var diagnostics = avifDiagnostics()
        let isValid = avifCropRectConvertCleanApertureBox(
            &rect, &image.pointee.clap, image.pointee.width, image.pointee.height, image.pointee.yuvFormat,
            &diagnostics)
        let crop = PixelRect(x: Int(rect.x), y: Int(rect.y), width: Int(rect.width), height: Int(rect.height))
        guard isValid != 0, !crop.isEmpty, crop.clamped(to: codedSize) == crop else { return PixelRect(codedSize) }
        return crop
    }

    /// What the container says; EXIF is not asked, as the standard wants it (ISO/IEC 23008-12 §6.5.10 and 6.5.12).
    var orientation: Orientation {
        let turns = has(AVIF_TRANSFORM_IROT) ? Int(image.pointee.irot.angle) : 0
        let mirror = has(AVIF_TRANSFORM_IMIR) ? Int(image.pointee.imir.mode) : nil
        return Orientation(quarterTurnsLeft: turns, thenMirroredLeftToRight: mirror.map { $0 == 1 })
    }

    /// Decodes the planes of the next picture: at first the first.
    func decodeNext() throws(CodingError) {
        try check(avifDecoderNextImage(decoder))
    }

    func check(_ status: avifResult) throws(CodingError) {
        guard status != AVIF_RESULT_OK else { return }
        let error = AVIFStatus.error(status, decoder.pointee.diag)
        // What the AV1 decoder holds now fits no other frame.
        avifDecoderReset(decoder)
        throw error
    }

    /// 8, 10 or 12.
    var bitsPerComponent: Int { Int(image.pointee.depth) }

    /// The profile wins over the code points, as the standard has it (ISO/IEC 23000-22 §7.3.6.4).
    var color: ColorDescription {
        if let profile = image.pointee.icc.data {
            return ColorDescription(profile: UnsafeRawBufferPointer(start: profile, count: image.pointee.icc.size))
        }
        return ColorDescription(
            primaries: Int(image.pointee.colorPrimaries), transfer: Int(image.pointee.transferCharacteristics),
            matrix: Int(image.pointee.matrixCoefficients), isFullRange: image.pointee.yuvRange == AVIF_RANGE_FULL)
    }

    /// The decoded planes divided by as much as `wanted` allows; `nil` where that is nothing.
    func reduced(covering wanted: PixelSize?, options: DecodeOptions) throws(CodingError) -> AVIFReduction? {
        let factor = AVIFReduction.factor(covering: wanted, of: image, hasAlpha: hasAlpha)
        return factor > 1 ? try AVIFReduction.reduce(image, over: factor, options: options) : nil
    }

    /// What stands beside the picture; of EXIF and XMP only when they were asked for.
    var metadata: ImageMetadata {
        func piece(_ data: avifRWData) -> UnsafeRawBufferPointer? {
            data.data.map { UnsafeRawBufferPointer(start: $0, count: data.size) }
        }
        let profile = piece(image.pointee.icc).flatMap { profile in
            profile.count <= ICCProfile.maximumByteCount ? (try? Bytes(copying: profile)).flatMap(ICCProfile.init) : nil
        }
        return ImageMetadata(
            copyingExif: piece(image.pointee.exif).map(TIFFReader.skippingIntroduction), xmp: piece(image.pointee.xmp),
            profile: profile)
    }

    /// Converts the decoded planes to RGBA of the coded size, with 8 or 16 bits, colours straight.
    func convert(into target: RowStrip, component: PixelFormat.Component) throws(CodingError) {
        try Self.convert(image, into: target, component: component)
    }

    static func convert(
        _ image: UnsafePointer<avifImage>, into target: RowStrip, component: PixelFormat.Component
    ) throws(CodingError) {
        var pixels = avifRGBImage()
        avifRGBImageSetDefaults(&pixels, image)
        pixels.depth = component == .uint16 ? 16 : 8
        pixels.format = AVIF_RGB_FORMAT_RGBA
        // libyuv cuts the lower bits of 10 off where libavif itself rounds.
        pixels.avoidLibYUV = image.pointee.depth > 8 ? 1 : 0
        pixels.pixels = target.base.assumingMemoryBound(to: UInt8.self)
        pixels.rowBytes = UInt32(clamping: target.bytesPerRow)
        try AVIFStatus.check(avifImageYUVToRGB(image, &pixels))
    }

    private func has(_ flag: avifTransformFlag) -> Bool { image.pointee.transformFlags & flag.rawValue != 0 }
}
#endif
