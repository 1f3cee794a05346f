public import ByteBuffers
public import Pixels

/// The library that does a coder's work, as it is loaded now.
public struct CodecLibrary: Hashable, Sendable {
    /// Its own name, `libjpeg-turbo` for example.
    public let name: String
    /// The version that runs, not the one that was compiled against.
    public let version: String

    public init(name: String, version: String) {
        self.name = name
        self.version = version
    }
}

/// Turns bytes into pixels. Coders are stateless: one value serves any number of threads.
public protocol ImageDecoder: Sendable {
    var library: CodecLibrary { get }

    /// The formats that ``decode(_:options:into:)`` takes.
    var decodableFormats: [ImageFormat] { get }

    /// Reads the header, no pixels. Allocates nothing of the picture's size.
    ///
    /// - Throws: ``CodingError``. The limits are not checked here: information about a huge picture may be asked for.
    func info(of bytes: UnsafeRawBufferPointer) throws(CodingError) -> ImageInfo

    /// Reads what stands beside the pixels, as it stands there.
    ///
    /// Nothing by default.
    ///
    /// - Throws: ``CodingError`` where ``info(of:)`` would.
    func metadata(of bytes: UnsafeRawBufferPointer) throws(CodingError) -> ImageMetadata

    /// Decodes the first picture into a sink: stored rows, top to bottom, ``PixelFormat/rgba8`` or ``PixelFormat/rgbx8``;
    /// with more bits a channel only when the options' depth asks for what is stored. Colours are sRGB unless the options
    /// keep them.
    ///
    /// The limits of `options` are checked before memory is allocated. A file that ends early is an error, though the
    /// sink may have got rows by then.
    ///
    /// - Throws: ``CodingError``, or whatever the sink throws.
    func decode(_ bytes: UnsafeRawBufferPointer, options: DecodeOptions, into sink: any RowSink) throws
}

extension ImageDecoder {
    public func metadata(of bytes: UnsafeRawBufferPointer) throws(CodingError) -> ImageMetadata { ImageMetadata() }
}

/// Turns pixels into bytes. Coders are stateless: one value serves any number of threads.
public protocol ImageEncoder: Sendable {
    var library: CodecLibrary { get }

    /// The formats that ``encode(_:as:options:)`` makes.
    var encodableFormats: [ImageFormat] { get }

    /// Whether a lower ``EncodeOptions/quality`` makes a smaller file; `true` by default.
    func usesQuality(for format: ImageFormat, options: EncodeOptions) -> Bool

    /// Encodes a bitmap of ``PixelFormat/rgba8`` or ``PixelFormat/rgbx8``, at its own size.
    ///
    /// ``CoderRegistry/encode(_:as:options:)`` sees to ``EncodeOptions/maximumPixelSize`` and
    /// ``EncodeOptions/maximumBytes`` before. Transparent pixels are laid over the options' background where the format has
    /// no alpha.
    ///
    /// - Throws: ``CodingError`` with `encodingFailed`, `unsupportedFormat`, `unsupportedFeature` for another pixel
    ///   format, or `outOfMemory`.
    func encode(_ bitmap: Bitmap, as format: ImageFormat, options: EncodeOptions) throws(CodingError) -> Bytes
}

extension ImageEncoder {
    public func usesQuality(for format: ImageFormat, options: EncodeOptions) -> Bool { true }
}
