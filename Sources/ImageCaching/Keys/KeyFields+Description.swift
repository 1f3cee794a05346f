extension KeyFields: CustomStringConvertible {
    /// The domain and the fields for people: `bytes("https://example.org/cat.jpg", 400, nil)`.
    public var description: String {
        Self.texts(of: encoded).map(Self.description) ?? "\(encoded.count) bytes"
    }

    private static func description(_ texts: [String]) -> String {
        "\(texts.first ?? "")(\(texts.dropFirst().joined(separator: ", ")))"
    }

    /// The domain as it is and each field as a literal; nil when the bytes are not what the encoding writes.
    ///
    /// - Parameter depth: how deep fields may be nested. The bytes may come from a file that somebody prepared.
    static func texts(of encoded: [UInt8], depth: Int = 8) -> [String]? {
        guard depth > 0, encoded.first == version else { return nil }
        var rest = encoded.dropFirst()
        var texts: [String] = []
        while let byte = rest.popFirst() {
            guard let tag = Tag(rawValue: byte), let text = text(tag, &rest, depth) else { return nil }
            texts.append(texts.isEmpty ? String(text.dropFirst().dropLast()) : text)
            if texts.count == 1, tag != .text { return nil }
        }
        return texts.isEmpty ? nil : texts
    }

    private static func text(_ tag: Tag, _ rest: inout ArraySlice<UInt8>, _ depth: Int) -> String? {
        switch tag {
        case .yes: return "true"
        case .no: return "false"
        case .missing: return "nil"
        case .signed: return fixed(&rest).map { "\(Int64(bitPattern: $0))" }
        case .unsigned: return fixed(&rest).map { "\($0)" }
        case .double: return fixed(&rest).map { "\(Double(bitPattern: $0))" }
        case .text: return counted(&rest).map { "\"\(String(decoding: $0, as: UTF8.self))\"" }
        case .bytes: return counted(&rest).map { "\($0.count) bytes" }
        case .nested: return counted(&rest).flatMap { texts(of: Array($0), depth: depth - 1) }.map(description)
        }
    }

    private static func fixed(_ rest: inout ArraySlice<UInt8>) -> UInt64? {
        guard rest.count >= 8 else { return nil }
        defer { rest = rest.dropFirst(8) }
        return rest.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static func counted(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let count = fixed(&rest), count <= UInt64(rest.count) else { return nil }
        defer { rest = rest.dropFirst(Int(count)) }
        return rest.prefix(Int(count))
    }
}
