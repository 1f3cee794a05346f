import ArgumentParser

/// A number of bytes on the command line: `500MB`, `1.5GiB`, `4096`.
///
/// `KB`, `MB`, `GB` and `TB` are powers of 1,000; `KiB`, `MiB`, `GiB` and `TiB`, and the bare letters, powers of 1,024.
/// Capitals do not matter.
struct ByteCountArgument: ExpressibleByArgument, Hashable {
    let bytes: Int

    init?(argument: String) {
        let digits = argument.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        guard let unit = Self.units[argument.dropFirst(digits.count).lowercased()],
            let number = Quantity.decimal(digits)
        else { return nil }
        guard let bytes = Int(exactly: (number * unit).rounded(.down)) else { return nil }
        self.bytes = bytes
    }

    private static let units: [String: Double] = {
        var units: [String: Double] = ["": 1, "b": 1]
        for (power, letter) in ["k", "m", "g", "t"].enumerated() {
            let binary = Double(1 << (10 * (power + 1)))
            units[letter] = binary
            units["\(letter)ib"] = binary
            units["\(letter)b"] = (0...power).reduce(1) { product, _ in product * 1_000 }
        }
        return units
    }()
}

/// A length of time on the command line: `45s`, `90m`, `12h`, `3d`, `2w`, and several in a row, `1d12h`.
struct DurationArgument: ExpressibleByArgument, Hashable {
    let duration: Duration

    init?(argument: String) {
        var rest = argument[...]
        var seconds = 0.0
        repeat {
            let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
            rest = rest.dropFirst(digits.count)
            guard let number = Quantity.decimal(digits), let letter = rest.popFirst(),
                let unit = Self.units[letter]
            else { return nil }
            seconds += number * unit
        } while !rest.isEmpty
        // A century is enough, and far from what a duration cannot hold.
        guard seconds <= 36_525 * 86_400 else { return nil }
        duration = .milliseconds(Int64((seconds * 1_000).rounded()))
    }

    private static let units: [Character: Double] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800]
}

private enum Quantity {
    /// Digits with at most one point between them.
    static func decimal(_ text: Substring) -> Double? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), parts.allSatisfy({ !$0.isEmpty }) else { return nil }
        return Double(text)
    }
}
