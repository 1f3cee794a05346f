/// Says when enough bytes are new for another look, where a look costs something even when it shows nothing: the number of
/// looks grows with the logarithm of the bytes, however small the portions are.
struct FreshBytes {
    private var next = 0

    /// - Parameter count: how many bytes have come.
    /// - Returns: whether another thirty-second of them has come since the last look, which counts as a look then.
    mutating func areEnough(at count: Int) -> Bool {
        guard count >= next else { return false }
        next = count + max(1, count / 32)
        return true
    }
}
