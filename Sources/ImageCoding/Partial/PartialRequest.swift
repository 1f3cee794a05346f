public import Pixels

/// How somebody wants to see a picture that is still coming.
public struct PartialRequest {
    /// Checked against the header, before anything is allocated for pixels.
    public let limits: DecodeLimits
    /// How the picture is decoded, once its header is known.
    public let options: (ImageInfo) -> DecodeOptions
    /// Makes what takes the rows of a pass. Called for each pass.
    public let makeSink: (ImageInfo) throws -> any RowSink

    /// - Parameters:
    ///   - limits: default `DecodeLimits.default`.
    ///   - options: called once.
    ///   - makeSink: called for each pass.
    public init(
        limits: DecodeLimits = .default, optionsFor options: @escaping (ImageInfo) -> DecodeOptions,
        into makeSink: @escaping (ImageInfo) throws -> any RowSink
    ) {
        self.limits = limits
        self.options = options
        self.makeSink = makeSink
    }
}
