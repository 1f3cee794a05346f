import Pixels

/// What has to be done to bring rows of one size to another, found out once before the first row.
struct ResamplingPlan {
    let source: PixelSize
    let scaled: PixelSize
    let crop: PixelRect
    let filter: ResampleFilter
    /// How many source pixels are averaged to one before the filter runs.
    let factor: (x: Int, y: Int)

    /// Nothing is scaled.
    var isIdentity: Bool { source == scaled }
    var isWhole: Bool { crop == PixelRect(scaled) }

    /// The picture's size after averaging; the last column and row may stand for fewer pixels.
    var reduced: PixelSize {
        PixelSize(
            width: (source.width + factor.x - 1) / factor.x, height: (source.height + factor.y - 1) / factor.y)
    }

    /// Averaging leaves the filter a reduction by at least this much. With 3, noise, checks and a zone plate stay within
    /// 1.8 levels of the filter alone on average; with 2, which takes half the time, they were up to 4.6 away.
    static let defaultGap = 3.0

    /// - Parameter gap: how much reduction averaging has to leave to the filter; `nil` switches averaging off.
    init(
        source: PixelSize, format: PixelFormat, scaled: PixelSize, crop: PixelRect?, filter: ResampleFilter,
        gap: Double?
    ) throws(ProcessingError) {
        let longest = Int(Int32.max)
        for size in [source, scaled] {
            guard size.isPositive, size.width <= longest, size.height <= longest else {
                throw ProcessingError(.invalidSize, "A picture of \(size) pixels can't be resampled.")
            }
        }
        let crop = crop ?? PixelRect(scaled)
        guard !crop.isEmpty, crop == crop.clamped(to: scaled) else {
            throw ProcessingError(
                .invalidCrop, "The part at (\(crop.x), \(crop.y)) of \(crop.size) pixels is not inside \(scaled).")
        }
        // Blocks are averaged as bytes; floats are filtered in one step.
        let gap = format == .rgba8 || format == .rgbx8 ? gap : nil
        self.source = source
        self.scaled = scaled
        self.crop = crop
        self.filter = filter
        factor = (
            Self.factor(source.width, scaled.width, filter, gap), Self.factor(source.height, scaled.height, filter, gap)
        )
    }

    /// A box over a whole number of pixels is the average itself; any other box is filtered in one step.
    private static func factor(_ source: Int, _ scaled: Int, _ filter: ResampleFilter, _ gap: Double?) -> Int {
        guard let gap, scaled < source else { return 1 }
        if filter == .box { return source % scaled == 0 && source / scaled <= largestFactor ? source / scaled : 1 }
        return min(max(1, Int(Double(source) / Double(scaled) / gap)), largestFactor)
    }

    /// The sum over a square of this many pixels fits in 32 bits, and its average is exact for flat ones: from 2,902 on
    /// the quotient by multiplication can be 256.
    private static let largestFactor = 2_048

    func columns() throws(ProcessingError) -> FilterWindows {
        try FilterWindows(
            source: reduced.width, extent: Double(source.width) / Double(factor.x), scaled: scaled.width,
            kept: crop.x..<crop.x + crop.width, filter: filter, copies: 4)
    }

    func rows() throws(ProcessingError) -> FilterWindows {
        try FilterWindows(
            source: reduced.height, extent: Double(source.height) / Double(factor.y), scaled: scaled.height,
            kept: crop.y..<crop.y + crop.height, filter: filter, copies: 1)
    }
}
