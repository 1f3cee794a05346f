/// What of a response's head shows, if it comes again, that every byte is the same (RFC 9110 §8.8.1).
enum StrongValidator {
    /// The strong `ETag`; without any `ETag` the `Last-Modified` date if it is a strong validator.
    ///
    /// A date is not taken where there is a weak tag: §13.1.5 allows a date in `If-Range` only to those who have no tag.
    static func of(_ headers: HTTPHeaders) -> String? {
        let tags = headers.values(for: "ETag")
        guard tags.isEmpty else {
            return tags.count == 1 && isStrongTag(tags[0]) ? tags[0] : nil
        }
        return strongDate(headers)
    }

    /// RFC 9110 §8.8.3: `"` any visible characters but the quote `"`, without the `W/` of a weak one.
    static func isStrongTag(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.count >= 2, bytes.first == UInt8(ascii: "\""), bytes.last == UInt8(ascii: "\"") else {
            return false
        }
        return bytes[1..<(bytes.count - 1)].allSatisfy { $0 == 0x21 || ($0 >= 0x23 && $0 != 0x7F) }
    }

    /// Whether it has one of the forms that an `If-Range` may have.
    static func isUsable(_ text: String) -> Bool {
        isStrongTag(text) || HTTPDate.nanoseconds(from: text, now: 0) != nil
    }

    /// RFC 9110 §8.8.2.2: a resource may change twice in a second, so that a date says something only about one that
    /// had not changed for a while when the response was made. The RFC asks for a second and tells of a minute for
    /// clocks that differ; this asks for a minute.
    private static func strongDate(_ headers: HTTPHeaders) -> String? {
        // A year of two digits in `Date` is taken for one of the 20th century, which makes the answer nil.
        guard let text = headers["Last-Modified"], let sent = headers["Date"],
            let made = HTTPDate.nanoseconds(from: sent, now: 0),
            let changed = HTTPDate.nanoseconds(from: text, now: made)
        else { return nil }
        let (age, overflow) = made.subtractingReportingOverflow(changed)
        return overflow || age < 60_000_000_000 ? nil : text
    }
}
