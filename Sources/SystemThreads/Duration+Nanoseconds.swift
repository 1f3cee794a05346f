extension Duration {
    /// Whole nanoseconds; what does not fit is the nearest `Int64`, about 292 years.
    package var clampedNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, tooLarge) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, overflow) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
        return tooLarge || overflow ? (seconds < 0 ? .min : .max) : sum
    }
}
