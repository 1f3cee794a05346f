extension Duration {
    /// Whole nanoseconds, at least 0; what does not fit is `Int64.max`, about 292 years.
    var clampedNanoseconds: Int64 {
        guard self > .zero else { return 0 }
        let (seconds, attoseconds) = components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow else { return .max }
        let (sum, isTooMuch) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
        return isTooMuch ? .max : sum
    }

    /// This long and up to a tenth more, so that those who were told the same moment do not all come at it.
    func lengthened(using random: inout some RandomNumberGenerator) -> Duration {
        let exact = clampedNanoseconds
        let (sum, overflow) = exact.addingReportingOverflow(Int64.random(in: 0...exact / 10, using: &random))
        return .nanoseconds(overflow ? .max : sum)
    }
}
