/// The header fields of a request or a response, in their order, a name as often as it came.
///
/// Names are compared without regard to case (RFC 9110 §5.1). Anything may be put in; a field that would not be legal
/// on the wire, one with a line break for example, makes the fetch fail before anything is sent.
public struct HTTPHeaders: Sendable, Hashable {
    /// One header field.
    public struct Field: Sendable, Hashable {
        /// The name as it was given.
        public let name: String
        /// The value without white space around it.
        public let value: String
        /// The name in lower case, which is what fields are compared by.
        let key: String

        public init(name: String, value: String) {
            self.name = name
            self.value = HTTPHeaders.trimmed(value)
            key = name.lowercased()
        }

        public static func == (left: Field, right: Field) -> Bool {
            left.key == right.key && left.value == right.value
        }

        public func hash(into hasher: inout Hasher) {
            hasher.combine(key)
            hasher.combine(value)
        }

        /// Whether name and value keep to RFC 9110 §5.1 and §5.5: the name is a token, the value has no control
        /// characters but the tab.
        var isValid: Bool {
            !name.isEmpty && name.utf8.allSatisfy(HTTPHeaders.isTokenByte)
                && value.utf8.allSatisfy { $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) }
        }
    }

    /// Every field in its order.
    public private(set) var fields: [Field] = []

    public init() {}

    public var isEmpty: Bool { fields.isEmpty }
    public var count: Int { fields.count }

    /// Adds a field at the end and leaves others of the same name alone.
    public mutating func append(_ name: String, _ value: String) {
        fields.append(Field(name: name, value: value))
    }

    /// The value of a name. Several fields of one name are joined by `", "` (RFC 9110 §5.2). Setting replaces them
    /// all by one at the place of the first; setting nil removes them.
    public subscript(name: String) -> String? {
        get {
            let key = name.lowercased()
            guard let first = fields.firstIndex(where: { $0.key == key }) else { return nil }
            guard fields[(first + 1)...].contains(where: { $0.key == key }) else { return fields[first].value }
            return values(for: name).joined(separator: ", ")
        }
        set {
            let key = name.lowercased()
            let place = fields.firstIndex { $0.key == key }
            fields.removeAll { $0.key == key }
            if let newValue { fields.insert(Field(name: name, value: newValue), at: place ?? fields.endIndex) }
        }
    }

    /// The values of a name, one for each field, in order.
    public func values(for name: String) -> [String] {
        let key = name.lowercased()
        return fields.compactMap { $0.key == key ? $0.value : nil }
    }

    /// The first field that may not be sent.
    var firstInvalid: Field? { fields.first { !$0.isValid } }

    /// The fields without those whose lower-case name is in `keys`.
    func removing(_ keys: Set<String>) -> HTTPHeaders {
        var kept = self
        kept.fields.removeAll { keys.contains($0.key) }
        return kept
    }

    /// RFC 9110 §5.6.2.
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default:
            "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }

    /// Without spaces and tabs at both ends.
    static func trimmed(_ value: String) -> String {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
        let bytes = Substring(value).utf8
        guard bytes.first.map(isBlank) == true || bytes.last.map(isBlank) == true else { return value }
        guard let first = bytes.firstIndex(where: { !isBlank($0) }), let last = bytes.lastIndex(where: { !isBlank($0) })
        else { return "" }
        return String(value[first...last])
    }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { append(name, value) }
    }
}

extension HTTPHeaders: Sequence {
    public func makeIterator() -> IndexingIterator<[Field]> { fields.makeIterator() }
}
