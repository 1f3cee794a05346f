public import ByteBuffers
public import Pixels

extension CoderRegistry {
    /// Decodes a picture's stored rows into a sink of the caller's.
    ///
    /// Each coder's header is read and checked against the limits before a sink is made, so nothing of the picture's size
    /// is allocated for one that is too big. When a coder fails the next one for the same format is tried with a fresh
    /// sink; not when a limit was exceeded, memory ran out, somebody asked to stop, or the sink itself threw.
    ///
    /// - Parameter makeSink: makes a fresh sink for each coder that is tried.
    /// - Returns: the sink that the last coder filled, and the header that it was filled from.
    /// - Throws: ``CodingError`` of the first coder that was tried, or whatever the sink throws.
    public func decode<Sink: RowSink>(
        _ bytes: UnsafeRawBufferPointer, options: DecodeOptions, into makeSink: (ImageInfo) throws -> Sink
    ) throws -> (sink: Sink, info: ImageInfo) {
        try decode(bytes, limits: options.limits, optionsFor: { _ in options }, into: makeSink)
    }

    /// Decodes a picture into an upright bitmap.
    ///
    /// - Parameters:
    ///   - bytes: the encoded picture.
    ///   - minimumSize: the smallest size that is good enough, as the picture is seen; `nil`, the default, for full size.
    ///     What comes is at least this large, and no larger than the picture is.
    ///   - color: what becomes of its colours; sRGB by default. Of kept colours ``info(of:)`` says what they are.
    ///   - depth: how many bits a channel has; eight by default.
    ///   - limits: what the decode may cost.
    ///   - shouldContinue: asked again and again; `false` ends the decode with `cancelled`.
    /// - Throws: ``CodingError``.
    public func decode(
        _ bytes: Bytes, minimumSize: PixelSize? = nil, color: ColorHandling = .sRGB,
        depth: DecodedDepth = .eightBits, limits: DecodeLimits = .default,
        shouldContinue: @escaping @Sendable () -> Bool = { true }
    ) throws(CodingError) -> Bitmap {
        do {
            return try bytes.withUnsafeBytes { bytes in
                let (sink, info) = try decode(bytes, limits: limits) { info in
                    // The orientations that swap the axes do so in both directions.
                    let stored = minimumSize.map { info.orientation.applied(to: $0) }
                    return DecodeOptions(
                        minimumSize: stored, color: color, depth: depth, limits: limits, shouldContinue: shouldContinue)
                } into: { _ in
                    BitmapSink()
                }
                guard let bitmap = sink.takeBitmap() else {
                    throw CodingError(.malformed, "The decoder delivered too few rows.", format: info.format)
                }
                return try bitmap.oriented(by: info.orientation)
            }
        } catch let error as CodingError {
            throw error
        } catch let error as AllocationError {
            throw CodingError(.outOfMemory, error.description)
        } catch {
            throw CodingError(.malformed, "The decoder failed: \(error)")
        }
    }

    /// The same with options that depend on the header: how far a decoder may shrink, for example.
    public func decode<Sink: RowSink>(
        _ bytes: UnsafeRawBufferPointer, limits: DecodeLimits, optionsFor options: (ImageInfo) -> DecodeOptions,
        into makeSink: (ImageInfo) throws -> Sink
    ) throws -> (sink: Sink, info: ImageInfo) {
        try limits.check(inputBytes: bytes.count)
        var first: CodingError?
        // One for all coders that are tried.
        let deadline = DecodeDeadline(after: limits.maxDuration)
        for decoder in try decoders(for: bytes) {
            do {
                let info = try decoder.info(of: bytes)
                try limits.check(info.storedSize, format: info.format)
                let sink = WatchedSink(try makeSink(info))
                var options = options(info)
                options.deadline = options.deadline ?? deadline
                do {
                    try decoder.decode(bytes, options: options, into: sink)
                } catch {
                    throw sink.failure.map(SinkFailure.init) ?? error
                }
                return (sink.target, info)
            } catch let error as CodingError {
                if error.isFinal { throw first ?? error }
                first = first ?? error
            } catch let failure as SinkFailure {
                throw failure.error
            }
        }
        throw first ?? CodingError(.unsupportedFormat, "There is no decoder for this picture.")
    }
}

extension CodingError {
    /// Another coder would end the same way, or must not be tried.
    var isFinal: Bool {
        switch code {
        case .cancelled, .tooManyPixels, .sideTooLong, .tooManyBytes, .tooComplex, .outOfMemory, .tooManyFrames,
            .tookTooLong:
            true
        default: false
        }
    }

    /// Gives an error of another type one, where it is known what it can be.
    static func typed<Result>(
        _ format: ImageFormat, _ body: () throws -> Result
    ) throws(CodingError) -> Result {
        do {
            return try body()
        } catch let error as CodingError {
            throw error
        } catch let error as AllocationError {
            throw CodingError(.outOfMemory, error.description, format: format)
        } catch {
            throw CodingError(.malformed, "The decoder failed: \(error)", format: format)
        }
    }
}

/// Tells an error of the sink from one of the decoder, whatever its type.
private struct SinkFailure: Error {
    let error: any Error
}

/// Passes rows on and remembers whether the sink threw.
private final class WatchedSink<Target: RowSink>: RowSink {
    let target: Target
    private(set) var failure: (any Error)?

    init(_ target: Target) {
        self.target = target
    }

    func begin(_ header: RowHeader) throws {
        try noting { try target.begin(header) }
    }

    func nextStrip() throws -> RowStrip {
        try noting { try target.nextStrip() }
    }

    func commit(rows: Int) throws {
        try noting { try target.commit(rows: rows) }
    }

    private func noting<Result>(_ call: () throws -> Result) throws -> Result {
        do {
            return try call()
        } catch {
            failure = error
            throw error
        }
    }
}
