/// A `Set-Cookie` field taken apart (RFC 6265 §5.2). Knows nothing of where it came from.
struct SetCookie: Sendable, Equatable {
    /// Empty when the field gives no cookie.
    var name = ""
    var value = ""
    var expires: Int64?
    var maxAge: Int64?
    var domain = ""
    /// Nil for the default path.
    var path: String?
    var isSecure = false
    var isHTTPOnly = false

    /// The most bytes of a name with its value, and of an attribute's value (RFC 6265bis §5.6).
    static let maxPairBytes = 4_096
    static let maxAttributeBytes = 1_024

    init(_ line: String) {
        let parts = line.split(separator: ";", omittingEmptySubsequences: false)
        guard let pair = parts.first, let equals = pair.firstIndex(of: "="), !Self.hasControls(line) else { return }
        let name = Self.trimmed(pair[..<equals])
        let value = Self.trimmed(pair[pair.index(after: equals)...])
        guard !name.isEmpty, name.utf8.count + value.utf8.count <= Self.maxPairBytes else { return }
        self.name = name
        self.value = value
        for part in parts.dropFirst() {
            let equals = part.firstIndex(of: "=")
            let key = Self.trimmed(part[..<(equals ?? part.endIndex)]).lowercased()
            let value = equals.map { Self.trimmed(part[part.index(after: $0)...]) } ?? ""
            if value.utf8.count <= Self.maxAttributeBytes { take(key, value) }
        }
    }

    /// The last of several attributes of a name counts.
    private mutating func take(_ key: String, _ value: String) {
        switch key {
        case "expires":
            if let date = CookieDate.seconds(value) { expires = date }
        case "max-age":
            if let age = Self.age(value) { maxAge = age }
        case "domain":
            // RFC 6265 §5.2.3: a dot in front has no meaning.
            domain = (value.hasPrefix(".") ? String(value.dropFirst()) : value).lowercased()
        case "path":
            path = value.hasPrefix("/") ? value : nil
        case "secure":
            isSecure = true
        case "httponly":
            isHTTPOnly = true
        default:
            break
        }
    }

    /// RFC 6265 §5.2.2. More digits than fit are more seconds than matter.
    private static func age(_ text: String) -> Int64? {
        let digits = text.hasPrefix("-") ? text.dropFirst() : Substring(text)
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int64(text) ?? (text.hasPrefix("-") ? .min : .max)
    }

    /// RFC 6265bis §5.6 step 1: controls other than the tab.
    private static func hasControls(_ line: String) -> Bool {
        line.utf8.contains { ($0 < 0x20 && $0 != 0x09) || $0 == 0x7F }
    }

    private static func trimmed(_ text: Substring) -> String {
        let bytes = text.utf8
        guard let first = bytes.firstIndex(where: { $0 != 0x20 && $0 != 0x09 }),
            let last = bytes.lastIndex(where: { $0 != 0x20 && $0 != 0x09 })
        else { return "" }
        return String(text[first...last])
    }
}
