import Pixels

extension PixelSize {
    /// The longest side that a step makes.
    static let longestResultSide = TargetSize.maximumSide
    /// The most pixels that a step makes: 2 GiB as floats.
    static let mostResultPixels = 1 << 27

    /// Refuses a result before memory is asked for.
    ///
    /// - Throws: ``ProcessingError`` with the code `invalidSize` or `tooLarge`.
    func checkedAsResult() throws(ProcessingError) {
        guard isPositive else {
            throw ProcessingError(
                .invalidSize, "A picture of \(self) pixels can't be made; both sides have to be positive.")
        }
        guard width <= Self.longestResultSide, height <= Self.longestResultSide,
            let count = pixelCount, count <= Self.mostResultPixels
        else {
            throw ProcessingError(
                .tooLarge,
                "The result would be \(self) pixels. A side may have \(Self.longestResultSide), and all together "
                    + "\(Self.mostResultPixels). Ask for a smaller one.")
        }
    }
}
