/// The `Content-Range` field of a response in bytes (RFC 9110 §14.4).
struct ContentRange: Hashable, Sendable {
    /// The positions of the first and the last byte; nil where the range could not be satisfied.
    let range: ClosedRange<Int>?
    /// How many bytes the whole has; nil for `*`.
    let total: Int?

    /// - Returns: nil for another unit, for a broken form, for numbers that contradict each other or do not fit.
    init?(_ text: String) {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let total = Self.number(parts[1])
        guard total != nil || parts[1] == "*" else { return nil }
        if parts[0] == "*" {
            guard let total else { return nil }
            (self.range, self.total) = (nil, total)
            return
        }
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]),
            first <= last, last < total ?? .max
        else { return nil }
        (self.range, self.total) = (first...last, total)
    }

    private static func number(_ text: Substring) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text)
    }
}
