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

    /// `1 picture`, `2 pictures`.
    static func count(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

    /// Seconds in their largest whole unit: `45s`, `12m`, `3h`, `6d`. Less than none, after a clock was set, is none.
    static func age(_ seconds: Int) -> String {
        let seconds = max(0, seconds)
        for (unit, letter) in [(86_400, "d"), (3_600, "h"), (60, "m")] where seconds >= unit {
            return "\(seconds / unit)\(letter)"
        }
        return "\(seconds)s"
    }

    /// One decimal.
    static func tenths(_ value: Double) -> String {
        let scaled = Int((value * 10).rounded())
        return "\(scaled / 10).\(scaled % 10)"
    }

    /// Two decimals at the most: `2.2`, `0.45`.
    static func hundredths(_ value: Double) -> String {
        let scaled = (value * 100).rounded() / 100
        return scaled == scaled.rounded() && abs(scaled) < 1e9 ? "\(Int(scaled))" : "\(scaled)"
    }

    /// Milliseconds with three decimals at the most, for machines.
    static func milliseconds(_ duration: Duration) -> Double {
        let (seconds, attoseconds) = duration.components
        let microseconds = Double(seconds) * 1e6 + Double(attoseconds) / 1e12
        return microseconds.rounded() / 1_000
    }
}
