#if AVIF
import CAVIF
public import Pixels

/// Decodes AVIF, and the first picture of an AVIF sequence, through libavif.
///
/// 8 to 12 bits a channel, grids, and alpha of either kind are read. The container's crop is applied, its turn and mirror
/// are reported as the orientation, and EXIF's is ignored, since the container wins. libavif decodes at full size, in one go: a request to stop is heard before and after.
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
        // libavif would call a picture beyond its limit damaged; asked without a limit it tells the size.
        try options.limits.check(AVIFContainer(bytes).codedSize, format: .avif)
        try options.checkCancellation()
        let container = try AVIFContainer(bytes, maxPixels: options.limits.maxPixels)
        let (codedSize, crop) = (container.codedSize, container.crop)
        try container.decodeFirst()
        guard container.codedSize == codedSize else {
            throw CodingError(.malformed, "The AVIF's picture contradicts its header.", format: .avif)
        }
        try options.checkCancellation()
        let transform = Self.transform(container, options)
        // The whole is made even for a crop: colours at its edge come from what lies outside, too.
        try sink.deliverWhole(codedSize, crop: crop, through: transform, options: options) { frame in
            try container.convert(into: frame, component: transform.source.component)
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
