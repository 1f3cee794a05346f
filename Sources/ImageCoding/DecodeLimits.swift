public import Pixels

/// What a decode may cost at the most. Checked against the header, before anything is allocated for pixels.
public struct DecodeLimits: Hashable, Sendable {
    /// The most pixels of one picture. Default 134,217,728: 512 MiB as RGBA, enough for a 12,000 × 9,000 photograph.
    public var maxPixels: Int
    /// The longest side in pixels. Default 65,535, the most that JPEG can say.
    public var maxSide: Int
    /// The most encoded bytes. Default 256 MiB.
    public var maxInputBytes: Int
    /// The most scans of a progressive JPEG. Default 500; real files have fewer than 20.
    public var maxScans: Int
    /// The most frames of an animation, or pages of a document. Default 10,000: ten minutes at 16 frames a second.
    public var maxFrames: Int
    /// The most pixels of all frames together, each counted as large as the canvas. Default 2³²: 2,000 frames of
    /// 1920 × 1080. What is held at a time is another matter, see ``AnimationOptions/keptBytes``.
    public var maxTotalPixels: Int
    /// The longest that decoding one picture, or one frame with those it is drawn on, may take by the wall clock. Default
    /// 30 seconds. Looked at as often as ``DecodeOptions/shouldContinue`` is asked.
    public var maxDuration: Duration
    /// How many pictures may lie in each other, a PNG in an icon for example. Default 4.
    public var maxNesting: Int

    public init(
        maxPixels: Int = 1 << 27, maxSide: Int = 65_535, maxInputBytes: Int = 256 << 20, maxScans: Int = 500,
        maxFrames: Int = 10_000, maxTotalPixels: Int = 1 << 32, maxDuration: Duration = .seconds(30),
        maxNesting: Int = 4
    ) {
        self.maxPixels = maxPixels
        self.maxSide = maxSide
        self.maxInputBytes = maxInputBytes
        self.maxScans = maxScans
        self.maxFrames = maxFrames
        self.maxTotalPixels = maxTotalPixels
        self.maxDuration = maxDuration
        self.maxNesting = maxNesting
    }

    public static let `default` = DecodeLimits()

    /// Refuses a picture that its header announces.
    ///
    /// - Throws: ``CodingError`` with `sideTooLong`, `tooManyPixels`, or `malformed` for a side of zero.
    public func check(_ size: PixelSize, format: ImageFormat) throws(CodingError) {
        guard size.isPositive else {
            throw CodingError(
                .malformed, "The picture's header says \(size) pixels: there is nothing to show.", format: format)
        }
        guard size.width <= maxSide, size.height <= maxSide else {
            throw CodingError(
                .sideTooLong, "The picture is \(size) pixels; a side may have at most \(maxSide).", format: format)
        }
        guard let count = size.pixelCount, count <= maxPixels else {
            throw CodingError(
                .tooManyPixels, "The picture is \(size) pixels; at most \(maxPixels) are allowed in all.",
                format: format)
        }
    }

    /// Refuses input that is too long.
    ///
    /// - Throws: ``CodingError`` with `tooManyBytes`.
    public func check(inputBytes count: Int) throws(CodingError) {
        guard count <= maxInputBytes else {
            throw CodingError(.tooManyBytes, "The file has \(count) bytes; at most \(maxInputBytes) are allowed.")
        }
    }

    /// Refuses a number of frames.
    ///
    /// - Throws: ``CodingError`` with `tooManyFrames`.
    public func check(frames count: Int, format: ImageFormat) throws(CodingError) {
        guard count <= maxFrames else {
            throw CodingError(
                .tooManyFrames, "The picture has more frames than the \(maxFrames) that are allowed.", format: format)
        }
    }

    /// Refuses an animation that its headers announce.
    ///
    /// - Throws: ``CodingError`` with `tooManyFrames`, `tooManyPixels`, `sideTooLong`, or `malformed` for a canvas or an
    ///   animation that is empty.
    public func check(_ header: AnimationHeader) throws(CodingError) {
        guard !header.frames.isEmpty else {
            throw CodingError(.malformed, "The animation has no frame.", format: header.format)
        }
        try check(frames: header.frames.count, format: header.format)
        try check(header.canvas, format: header.format)
        let (total, overflow) = (header.canvas.pixelCount ?? .max).multipliedReportingOverflow(by: header.frames.count)
        guard !overflow, total <= maxTotalPixels else {
            throw CodingError(
                .tooManyPixels,
                "The animation has \(header.frames.count) frames of \(header.canvas) pixels; at most \(maxTotalPixels) "
                    + "pixels are allowed in all.", format: header.format)
        }
    }

    /// The limits for a picture inside of the one that these are for.
    ///
    /// - Throws: ``CodingError`` with `tooComplex` when none may lie in it.
    public func nested(in format: ImageFormat) throws(CodingError) -> DecodeLimits {
        guard maxNesting > 0 else {
            throw CodingError(.tooComplex, "Too many pictures lie inside of each other.", format: format)
        }
        var inner = self
        inner.maxNesting -= 1
        return inner
    }
}
