public import ByteBuffers
public import Pixels

extension CoderRegistry {
    /// Encodes a bitmap with the first encoder for the format; when it fails the next one gets its turn.
    ///
    /// The options' largest size and largest number of bytes hold for every format.
    ///
    /// - Throws: ``CodingError`` of the first encoder that was asked; `unsupportedFormat` when there is none;
    ///   `tooManyBytes` when even a single pixel takes more than ``EncodeOptions/maximumBytes``.
    public func encode(
        _ bitmap: Bitmap, as format: ImageFormat, options: EncodeOptions = EncodeOptions()
    ) throws(CodingError) -> Bytes {
        var first: CodingError?
        for encoder in encoders where encoder.encodableFormats.contains(format) {
            do {
                let fitted = try bitmap.shrunk(to: options.fitted(bitmap.size))
                return try options.search(
                    fitted.size, format, hasQuality: encoder.usesQuality(for: format, options: options)
                ) { size, options throws(CodingError) in
                    try encoder.encode(fitted.shrunk(to: size), as: format, options: options)
                }
            } catch {
                first = first ?? error
            }
        }
        throw first
            ?? CodingError(
                .unsupportedFormat, "There is no encoder for \(format).\(MissingLibrary.sentence(for: format))",
                format: format)
    }
}

extension EncodeOptions {
    /// The size that a picture is written in as far as ``maximumPixelSize`` says.
    func fitted(_ size: PixelSize) -> PixelSize { maximumPixelSize.map(size.fitted(into:)) ?? size }

    /// The best file that has no more than ``maximumBytes``.
    ///
    /// - Parameters:
    ///   - size: the picture's, still or moving, which already fits ``maximumPixelSize``.
    ///   - hasQuality: whether less quality makes a smaller file.
    ///   - encode: makes a file of a size of the same shape.
    func search(
        _ size: PixelSize, _ format: ImageFormat, hasQuality: Bool,
        encode: (PixelSize, EncodeOptions) throws(CodingError) -> Bytes
    ) throws(CodingError) -> Bytes {
        guard let limit = maximumBytes else { return try encode(size, self) }
        return try ByteBudget(limit: limit, format: format, hasQuality: hasQuality, quality: quality, size: size)
            .search(count: \.count) { quality, side throws(CodingError) in
                var tried = self
                tried.quality = quality
                return try encode(side.map { size.fitted(into: PixelSize(width: $0, height: $0)) } ?? size, tried)
            }
    }
}
