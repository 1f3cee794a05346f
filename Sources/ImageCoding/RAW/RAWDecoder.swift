#if RAW
import CLibRaw
public import Pixels

/// Decodes the raw pictures of cameras (DNG, NEF, CR2, CR3, ARW and others) through LibRaw.
///
/// A smaller size is served by the embedded preview, where it is large enough and of the same shape, else by a picture of
/// half the size, which needs no interpolation between the sensor's points. The full picture is developed to sRGB of 8
/// bits, or of 16 when the stored depth is asked for, with the camera's white balance. The orientation is reported, not applied. LibRaw works in one go: a request to stop is
/// heard between its steps.
public struct RAWDecoder: ImageDecoder {
    public init() {}

    public var library: CodecLibrary {
        // "0.20.2-Release"
        let version = String(cString: libraw_version()).prefix { $0 != "-" }
        return CodecLibrary(name: "LibRaw", version: String(version))
    }

    public var decodableFormats: [ImageFormat] { [.raw] }

    public func info(of bytes: UnsafeRawBufferPointer) throws(CodingError) -> ImageInfo {
        let picture = try RAWPicture(bytes, maxPixels: .max)
        return ImageInfo(
            format: .raw, storedSize: picture.size, orientation: picture.orientation, hasAlpha: false, color: .sRGB)
    }

    /// Of cameras that build their files like a TIFF, as nearly all do but Canon's CR3 and Fujifilm's RAF.
    public func metadata(of bytes: UnsafeRawBufferPointer) throws(CodingError) -> ImageMetadata {
        _ = try RAWPicture(bytes, maxPixels: .max)
        return TIFFMetadata.read(from: bytes)
    }

    public func decode(_ bytes: UnsafeRawBufferPointer, options: DecodeOptions, into sink: any RowSink) throws {
        try options.limits.check(inputBytes: bytes.count)
        let isDeep = options.depth == .asStored
        let picture = try RAWPicture(bytes, isDeep: isDeep, maxPixels: options.limits.maxPixels)
        try options.limits.check(picture.size, format: .raw)
        try options.checkCancellation()
        guard let minimum = options.minimumSize else { return try develop(picture, options: options, into: sink) }
        if try deliverPreview(picture, covering: minimum, options: options, into: sink) { return }
        let half = try RAWPicture(bytes, isHalf: true, isDeep: isDeep, maxPixels: options.limits.maxPixels)
        let isEnough = half.size.width >= minimum.width && half.size.height >= minimum.height
        try isEnough
            ? develop(half, options: options, into: sink) : develop(picture, options: options, into: sink)
    }

    private func develop(_ picture: borrowing RAWPicture, options: DecodeOptions, into sink: any RowSink) throws {
        let image = try picture.develop()
        try options.checkCancellation()
        // Sensors whose points are not square, or lie on a diagonal, give another size than the header has.
        try options.limits.check(image.size, format: .raw)
        try deliver(image, options: options, into: sink)
    }

    /// - Returns: `false` when there is no preview that would do; then the sink has seen nothing.
    private func deliverPreview(
        _ picture: borrowing RAWPicture, covering minimum: PixelSize, options: DecodeOptions, into sink: any RowSink
    ) throws -> Bool {
        // The header's size spares unpacking what is too small; where it says nothing, the preview itself is asked.
        let told = picture.previewSize
        guard !told.isPositive || (told.width >= minimum.width && told.height >= minimum.height),
            let preview = try? picture.preview()
        else { return false }
        guard preview.isJPEG else {
            guard isGood(preview.size, for: picture.size, covering: minimum), preview.layout != nil else {
                return false
            }
            try deliver(preview, options: options, into: sink)
            return true
        }
        #if JPEG
        // A JPEG with a turn of its own lies otherwise than the sensor's rows.
        guard let info = try? JPEGDecoder().info(of: preview.bytes),
            info.orientation == .up || info.orientation == picture.orientation,
            isGood(info.storedSize, for: picture.size, covering: minimum)
        else { return false }
        try JPEGDecoder().decode(preview.bytes, options: options, into: sink)
        return true
        #else
        return false
        #endif
    }

    /// Large enough, and of the same shape but for a few rows that cameras cut off.
    private func isGood(_ size: PixelSize, for full: PixelSize, covering minimum: PixelSize) -> Bool {
        guard size.width >= minimum.width, size.height >= minimum.height else { return false }
        let (shape, wanted) = (Double(size.width) / Double(size.height), Double(full.width) / Double(full.height))
        return abs(shape / wanted - 1) < 0.02
    }

    private func deliver(_ image: borrowing RAWImage, options: DecodeOptions, into sink: any RowSink) throws {
        let (size, bytes) = (image.size, image.bytes)
        guard let layout = image.layout, let base = bytes.baseAddress,
            bytes.count >= size.width * size.height * layout.bytesPerPixel
        else {
            throw CodingError(.unsupportedFeature, "LibRaw made no RGB of this picture.", format: .raw)
        }
        let transform = ColorTransform(from: .sRGB, layout: layout, options: options)
        try sink.deliver(
            base, bytesPerRow: size.width * layout.bytesPerPixel, size: size, through: transform, options: options)
    }
}
#endif
