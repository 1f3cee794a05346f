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
    /// - Throws: ``CodingError`` of the first coder that was asked; `empty`, `notAnImage` or `unsupportedFormat` when
    ///   there is none to ask.
    public func info(of bytes: UnsafeRawBufferPointer) throws(CodingError) -> ImageInfo {
        var first: CodingError?
        for decoder in try decoders(for: bytes) {
            do {
                return try decoder.info(of: bytes)
            } catch {
                first = first ?? error
            }
        }
        throw first ?? Self.missing(.unknown)
    }

    /// Reads what stands beside a picture's pixels: EXIF, XMP and the profile.
    ///
    /// - Throws: as ``info(of:)``.
    public func metadata(of bytes: UnsafeRawBufferPointer) throws(CodingError) -> ImageMetadata {
        var first: CodingError?
        for decoder in try decoders(for: bytes) {
            do {
                return try decoder.metadata(of: bytes)
            } catch {
                first = first ?? error
            }
        }
        throw first ?? Self.missing(.unknown)
    }

    /// The decoders to try for some bytes, at least one.
    func decoders(for bytes: UnsafeRawBufferPointer) throws(CodingError) -> [any ImageDecoder] {
        guard !bytes.isEmpty else { throw CodingError(.empty, "There are no bytes to decode.") }
        let format = ImageFormat(sniffing: bytes)
        let candidates = decoders.filter { $0.decodableFormats.contains(format) }
        guard candidates.isEmpty else { return candidates }
        guard format != .unknown else { throw CodingError(.notAnImage, ContentHint.sentence(for: bytes)) }
        throw Self.missing(format)
    }

    private static func missing(_ format: ImageFormat) -> CodingError {
        CodingError(
            .unsupportedFormat,
            "The picture is \(format), and there is no decoder for it.\(MissingLibrary.sentence(for: format))",
            format: format)
    }

    private static func unique(_ formats: [ImageFormat]) -> [ImageFormat] {
        var seen: Set<ImageFormat> = []
        return formats.filter { seen.insert($0).inserted }
    }
}
