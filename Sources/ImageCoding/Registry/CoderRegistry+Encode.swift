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
                return try ByteBudget(limit: limit, encoder: encoder, format: format)
                    .encode(fitted ?? bitmap, options: options)
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

/// Searches the best file that has no more than so many bytes.
private struct ByteBudget {
    let limit: Int
    let encoder: any ImageEncoder
    let format: ImageFormat

    func encode(_ bitmap: Bitmap, options: EncodeOptions) throws(CodingError) -> Bytes {
        let whole = try encoder.encode(bitmap, as: format, options: options)
        if whole.count <= limit { return whole }
        var options = options
        if encoder.usesQuality(for: format, options: options) {
            let lowest = min(options.quality, EncodeOptions.lowestSearchedQuality)
            if let found = try search(
                lowest..<options.quality,
                { quality throws(CodingError) in
                    options.quality = quality
                    return try encoder.encode(bitmap, as: format, options: options)
                })
            {
                return found
            }
            options.quality = lowest
        }
        // The longer side is what is searched; the other follows it.
        let longest = max(bitmap.width, bitmap.height)
        let found = try search(
            1..<longest,
            { side throws(CodingError) in
                let size = bitmap.size.fitted(into: PixelSize(width: side, height: side))
                return try encoder.encode(bitmap.shrunk(to: size), as: format, options: options)
            })
        guard let found else {
            throw CodingError(
                .tooManyBytes, "The picture does not fit into \(limit) bytes as \(format), however small it is made.",
                format: format)
        }
        return found
    }

    /// The file of the highest number whose file fits, to within a sixteenth where there are many.
    ///
    /// What fits is taken to fit at every lower number too, which is nearly so.
    private func search(
        _ numbers: Range<Int>, _ encode: (Int) throws(CodingError) -> Bytes
    ) throws(CodingError) -> Bytes? {
        var (low, high) = (numbers.lowerBound, numbers.upperBound)
        var best: Bytes?
        while low < high, best == nil || high - low > high / 16 {
            let middle = low + (high - low) / 2
            let found = try encode(middle)
            if found.count <= limit {
                (best, low) = (found, middle + 1)
            } else {
                high = middle
            }
        }
        return best
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
