#if AVIF
import CAVIF
public import Pixels

/// Decodes AVIF and AVIF sequences through libavif.
///
/// 8 to 12 bits a channel, grids, and alpha of either kind are read. The container's crop is applied, its turn and mirror
/// are reported as the orientation, and EXIF's is ignored, since the container wins. libavif decodes at full size, in one go: a request to stop is heard before and after.
/// A smaller size is served, down to an eighth, by averaging the planes of opaque 8-bit pictures.
public struct AVIFDecoder: ImageDecoder {
    public init() {}

    public var library: CodecLibrary { CodecLibrary(name: "libavif", version: String(cString: avifVersion())) }

    public var decodableFormats: [ImageFormat] { [.avif] }

    public func info(of bytes: UnsafeRawBufferPointer) throws(CodingError) -> ImageInfo {
        let container = try AVIFContainer(bytes)
        return ImageInfo(
            format: .avif, storedSize: container.crop.size, orientation: container.orientation,
            hasAlpha: container.hasAlpha, frameCount: container.frameCount, color: container.color,
            bitsPerComponent: container.bitsPerComponent)
    }

    public func metadata(of bytes: UnsafeRawBufferPointer) throws(CodingError) -> ImageMetadata {
        try AVIFContainer(bytes, readsMetadata: true).metadata
    }

    public func decode(_ bytes: UnsafeRawBufferPointer, options: DecodeOptions, into sink: any RowSink) throws {
        try options.limits.check(inputBytes: bytes.count)
        let container = try Self.open(bytes, options.limits)
        try options.checkCancellation()
        try Self.deliver(0, of: container, options: options, into: sink)
    }

    /// Opens a file whose coded pictures keep to the limits.
    static func open(_ bytes: UnsafeRawBufferPointer, _ limits: DecodeLimits) throws(CodingError) -> AVIFContainer {
        // libavif would call a picture beyond its limit damaged; asked without a limit it tells the size.
        try limits.check(AVIFContainer(bytes).codedSize, format: .avif)
        return try AVIFContainer(bytes, maxPixels: limits.maxPixels)
    }

    /// Decodes a frame and delivers what of it is to be seen.
    static func deliver(
        _ frame: Int, of container: borrowing AVIFContainer, options: DecodeOptions, into sink: any RowSink
    ) throws {
        let (codedSize, crop) = (container.codedSize, container.crop)
        try container.decode(frame: frame, options: options)
        guard container.codedSize == codedSize else {
            throw CodingError(.malformed, "The AVIF's picture contradicts its header.", format: .avif)
        }
        try options.checkCancellation()
        let transform = transform(container, options)
        if crop == PixelRect(codedSize),
            let reduced = try container.reduced(covering: options.minimumSize, options: options)
        {
            return try deliver(reduced, through: transform, options: options, into: sink)
        }
        // The whole is made even for a crop: colours at its edge come from what lies outside, too.
        try sink.deliverWhole(codedSize, crop: crop, through: transform, options: options) { frame in
            try container.convert(into: frame, component: transform.source.component)
        }
    }

    private static func deliver(
        _ reduced: borrowing AVIFReduction, through transform: ColorTransform, options: DecodeOptions,
        into sink: any RowSink
    ) throws {
        let image = reduced.image
        let size = PixelSize(width: Int(image.pointee.width), height: Int(image.pointee.height))
        try sink.deliverWhole(size, crop: PixelRect(size), through: transform, options: options) { frame in
            try AVIFContainer.convert(image, into: frame, component: transform.source.component)
        }
    }

    /// libavif itself makes 8 bits of 10 and 12, unless the colours are converted: then the lower bits count.
    private static func transform(_ container: borrowing AVIFContainer, _ options: DecodeOptions) -> ColorTransform {
        let color = container.color
        let channels: SampleLayout.Channels = container.hasAlpha ? .rgba : .rgbx
        let plain = ColorTransform(
            from: color, layout: SampleLayout(channels: channels, component: .uint8), options: options)
        guard container.bitsPerComponent > 8, options.depth == .asStored || !plain.isIdentity else { return plain }
        return ColorTransform(
            from: color, layout: SampleLayout(channels: channels, component: .uint16), options: options)
    }
}
#endif
