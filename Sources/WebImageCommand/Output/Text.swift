extension String {
    /// With everything that a terminal would obey, or that would hide text from the reader, as `\u001b`: control characters
    /// (ECMA-48, Unicode's general category Cc), line separators, and what turns the direction of writing.
    ///
    /// JSON spells them the same way (RFC 8259 §7), and none of them stands outside its strings here.
    var visible: String {
        guard unicodeScalars.contains(where: \.isHidden) else { return self }
        var result = ""
        for scalar in unicodeScalars {
            guard scalar.isHidden else {
                result.unicodeScalars.append(scalar)
                continue
            }
            let digits = String(scalar.value, radix: 16)
            result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
        return result
    }
}

extension Unicode.Scalar {
    fileprivate var isHidden: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
