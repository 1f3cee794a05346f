import Pixels

/// Searches the best file, still or moving, that has no more than so many bytes: in full first, then with less quality
/// where the format has that, then smaller with the lowest quality.
struct ByteBudget: Sendable {
    let limit: Int
    let format: ImageFormat
    /// Whether less quality makes a smaller file.
    let hasQuality: Bool
    let quality: Int
    let size: PixelSize

    init(limit: Int, format: ImageFormat, hasQuality: Bool, quality: Int, size: PixelSize) {
        self.limit = limit
        self.format = format
        self.hasQuality = hasQuality
        self.quality = quality
        self.size = size
    }

    /// - Parameters:
    ///   - count: how many bytes a file has.
    ///   - make: makes a file of a quality that fits into a square of a side, `nil` for full size.
    /// - Throws: ``CodingError`` with `tooManyBytes` when even a single pixel takes too many, or what `make` throws.
    func search<Made>(
        count: (Made) -> Int, make: (_ quality: Int, _ side: Int?) throws(CodingError) -> Made
    ) throws(CodingError) -> Made {
        let whole = try make(quality, nil)
        if count(whole) <= limit { return whole }
        let lowest = hasQuality ? min(quality, EncodeOptions.lowestSearchedQuality) : quality
        let better = try search(lowest..<quality, count) { quality throws(CodingError) in try make(quality, nil) }
        if let better { return better }
        // The longer side is what is searched; the other follows it.
        let smaller = try search(1..<max(1, size.width, size.height), count) { side throws(CodingError) in
            try make(lowest, side)
        }
        guard let smaller else {
            throw CodingError(
                .tooManyBytes, "The picture does not fit into \(limit) bytes as \(format), however small it is made.",
                format: format)
        }
        return smaller
    }

    /// The file of the highest number whose file fits, to within a sixteenth where there are many.
    ///
    /// What fits is taken to fit at every lower number too, which is nearly so.
    private func search<Made>(
        _ numbers: Range<Int>, _ count: (Made) -> Int, _ make: (Int) throws(CodingError) -> Made
    ) throws(CodingError) -> Made? {
        var (low, high) = (numbers.lowerBound, numbers.upperBound)
        var best: Made?
        while low < high, best == nil || high - low > high / 16 {
            let middle = low + (high - low) / 2
            let made = try make(middle)
            if count(made) <= limit {
                (best, low) = (made, middle + 1)
            } else {
                high = middle
            }
        }
        return best
    }
}
