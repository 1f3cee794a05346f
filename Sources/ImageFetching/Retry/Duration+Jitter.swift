import SystemThreads

extension Duration {
    /// This long and up to a tenth more, so that those who were told the same moment do not all come at it. At least
    /// nothing.
    func lengthened(using random: inout some RandomNumberGenerator) -> Duration {
        let exact = max(0, clampedNanoseconds)
        let (sum, overflow) = exact.addingReportingOverflow(Int64.random(in: 0...exact / 10, using: &random))
        return .nanoseconds(overflow ? .max : sum)
    }
}
