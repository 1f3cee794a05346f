extension Duration {
    /// So many ticks of a clock that a file describes; zero when its clock stands still.
    ///
    /// - Parameters:
    ///   - ticks: a file's number, whatever it is.
    ///   - seconds: how many seconds `perSeconds` ticks take.
    init(ticks: UInt32, of seconds: UInt32 = 1, perTicks count: UInt32) {
        guard count > 0 else {
            self = .zero
            return
        }
        // Two factors of 32 bits fit into 64.
        let (whole, rest) = (UInt64(ticks) * UInt64(seconds)).quotientAndRemainder(dividingBy: UInt64(count))
        self = .seconds(Int64(clamping: whole)) + .seconds(Int64(rest)) / Int64(count)
    }
}
