#if HEIF
public import ByteBuffers
import Pixels

extension HEIFDecoder: AnimationDecoder {
    public var animatedFormats: [ImageFormat] { [.heic, .heif] }

    /// Lists the pictures that share the file, the primary one first and the others as they stand there: neither
    /// thumbnails nor parts of other pictures. They are pages, nothing to play.
    ///
    /// The canvas is the primary picture. Each other one lies in its middle, at its own size, or smaller where it does not
    /// fit; what it leaves free is transparent.
    public func frames(of bytes: Bytes, options: AnimationOptions) throws(CodingError) -> any FrameSource {
        let format = bytes.withUnsafeBytes(Self.format(of:))
        let (identifiers, pages) = try bytes.withUnsafeBytes { bytes throws(CodingError) in
            try Self.pages(of: bytes, format, options)
        }
        return PageSource(format, pages: pages) { index, options, sink in
            try bytes.withUnsafeBytes {
                try decode($0, identifier: identifiers[index], options: options, into: sink)
            }
        }
    }

    private static func pages(
        of bytes: UnsafeRawBufferPointer, _ format: ImageFormat, _ options: AnimationOptions
    ) throws(CodingError) -> (identifiers: [UInt32], pages: [PageSource.Page]) {
        let container = try HEIFContainer(bytes, format: format)
        if !options.isFirstFrameOnly {
            try options.limits.check(frames: container.pictureCount, format: format)
        }
        let identifiers = container.identifiers(atMost: options.isFirstFrameOnly ? 1 : container.pictureCount)
        var pages: [PageSource.Page] = []
        for identifier in identifiers.prefix(options.isFirstFrameOnly ? 1 : .max) {
            pages.append(try container.page(identifier, format))
        }
        return (identifiers, pages)
    }
}
#endif
