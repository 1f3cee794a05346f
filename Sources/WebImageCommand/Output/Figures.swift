/// Numbers as people read them.
enum Figures {
    /// Bytes in the units that powers of 1,024 have: `812 B`, `9.8 KiB`, `3.2 MiB`.
    static func bytes(_ count: Int) -> String {
        guard count >= 1_024 else { return "\(count) B" }
        var value = Double(count) / 1_024
        for unit in ["KiB", "MiB", "GiB"] {
            if value < 1_024 { return "\(tenths(value)) \(unit)" }
            value /= 1_024
        }
        return "\(tenths(value)) TiB"
    }

    /// One decimal.
    static func tenths(_ value: Double) -> String {
        let scaled = Int((value * 10).rounded())
        return "\(scaled / 10).\(scaled % 10)"
    }

    /// Milliseconds with three decimals at the most, for machines.
    static func milliseconds(_ duration: Duration) -> Double {
        let (seconds, attoseconds) = duration.components
        let microseconds = Double(seconds) * 1e6 + Double(attoseconds) / 1e12
        return microseconds.rounded() / 1_000
    }
}
