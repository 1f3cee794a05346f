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

    public init(
        maxPixels: Int = 1 << 27, maxSide: Int = 65_535, maxInputBytes: Int = 256 << 20, maxScans: Int = 500
    ) {
        self.maxPixels = maxPixels
        self.maxSide = maxSide
        self.maxInputBytes = maxInputBytes
        self.maxScans = maxScans
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
}
