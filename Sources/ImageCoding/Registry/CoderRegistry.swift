public import ByteBuffers
public import Pixels

/// The coders that are there, in the order in which they are asked.
///
/// A value: adding a coder makes a new registry and changes nobody else's. The format is decided by the bytes; of the
/// coders for that format the one added last is asked first, and when it fails the next one gets its turn.
public struct CoderRegistry: Sendable {
    /// Asked from the first to the last.
    public private(set) var decoders: [any ImageDecoder]
    /// Asked from the first to the last.
    public private(set) var encoders: [any ImageEncoder]

    /// An empty registry; ``standard`` has the coders of this package.
    public init(decoders: [any ImageDecoder] = [], encoders: [any ImageEncoder] = []) {
        self.decoders = decoders
        self.encoders = encoders
    }

    /// A registry that asks `decoder` before the others.
    public func adding(_ decoder: any ImageDecoder) -> CoderRegistry {
        CoderRegistry(decoders: [decoder] + decoders, encoders: encoders)
    }

    /// A registry that asks `encoder` before the others.
    public func adding(_ encoder: any ImageEncoder) -> CoderRegistry {
        CoderRegistry(decoders: decoders, encoders: [encoder] + encoders)
    }

    /// The formats that can be decoded, each once, in the order of the coders.
    public var decodableFormats: [ImageFormat] { Self.unique(decoders.flatMap(\.decodableFormats)) }

    /// The formats that can be encoded, each once, in the order of the coders.
    public var encodableFormats: [ImageFormat] { Self.unique(encoders.flatMap(\.encodableFormats)) }

    /// Reads a picture's header.
    ///
    /// - Throws: ``CodingError``.
    public func info(of bytes: UnsafeRawBufferPointer) throws(CodingError) -> ImageInfo {
        throw CodingError(.unsupportedFormat, "not written yet")
    }

    /// Decodes a picture's stored rows into a sink of the caller's.
    ///
    /// - Parameter makeSink: makes a fresh sink for each coder that is tried.
    /// - Returns: the sink that the last coder filled, and the header that it was filled from.
    /// - Throws: ``CodingError`` of the first coder that was tried, or whatever the sink throws.
    public func decode<Sink: RowSink>(
        _ bytes: UnsafeRawBufferPointer, options: DecodeOptions, into makeSink: (ImageInfo) throws -> Sink
    ) throws -> (sink: Sink, info: ImageInfo) {
        throw CodingError(.unsupportedFormat, "not written yet")
    }

    /// Encodes a bitmap.
    ///
    /// - Throws: ``CodingError``.
    public func encode(
        _ bitmap: Bitmap, as format: ImageFormat, options: EncodeOptions = EncodeOptions()
    ) throws(CodingError) -> Bytes {
        throw CodingError(.unsupportedFormat, "not written yet")
    }

    private static func unique(_ formats: [ImageFormat]) -> [ImageFormat] {
        var seen: Set<ImageFormat> = []
        return formats.filter { seen.insert($0).inserted }
    }
}
