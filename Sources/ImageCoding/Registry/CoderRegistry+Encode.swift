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
                let fitted = try options.maximumPixelSize.map { limit throws(CodingError) in
                    try bitmap.shrunk(to: bitmap.size.fitted(into: limit))
                }
                guard let limit = options.maximumBytes else {
                    return try encoder.encode(fitted ?? bitmap, as: format, options: options)
                }
                return try encode(fitted ?? bitmap, as: format, by: encoder, options, within: limit)
            } catch {
                first = first ?? error
            }
        }
        throw first
            ?? CodingError(
                .unsupportedFormat, "There is no encoder for \(format).\(MissingLibrary.sentence(for: format))",
                format: format)
    }

    /// The best file that has no more than so many bytes.
    private func encode(
        _ bitmap: Bitmap, as format: ImageFormat, by encoder: any ImageEncoder, _ options: EncodeOptions,
        within limit: Int
    ) throws(CodingError) -> Bytes {
        try ByteBudget(
            limit: limit, format: format, hasQuality: encoder.usesQuality(for: format, options: options),
            quality: options.quality, size: bitmap.size
        ).search(count: \.count) { quality, side throws(CodingError) in
            var tried = options
            tried.quality = quality
            guard let side else { return try encoder.encode(bitmap, as: format, options: tried) }
            let size = bitmap.size.fitted(into: PixelSize(width: side, height: side))
            return try encoder.encode(bitmap.shrunk(to: size), as: format, options: tried)
        }
    }
}

extension PixelSize {
    /// The largest size of the same shape that fits into a box, and no larger than it is.
    fileprivate func fitted(into box: PixelSize) -> PixelSize {
        guard width > box.width || height > box.height else { return self }
        let scale = min(Double(box.width) / Double(width), Double(box.height) / Double(height))
        func side(_ length: Int, _ limit: Int) -> Int { max(1, min(limit, Int((Double(length) * scale).rounded()))) }
        return PixelSize(width: side(width, box.width), height: side(height, box.height))
    }
}
