/// What identifies a thing that is cached, as a list of fields with one unambiguous encoding.
///
/// Every field is written as a tag, then its value in a fixed width or after its length, so that two different lists
/// never have the same bytes: `("ab", "c")` and `("a", "bc")` differ, and so do the text `"1"` and the number 1. The
/// first byte is the version of the encoding; when it changes, old entries are simply not found any more.
///
/// ```swift
/// var fields = KeyFields("bytes")
/// fields.append("https://example.org/cat.jpg")
/// fields.append(optional: acceptHeader)
/// ```
public struct KeyFields: Hashable, Sendable {
    /// The version of the encoding, the first byte of ``encoded``.
    public static let version: UInt8 = 1

    /// The canonical bytes: the version, the domain, the fields in the order in which they were appended.
    public private(set) var encoded: [UInt8]

    /// - Parameter domain: the kind of thing, "bytes" or "image" for example. Equal fields of two domains are
    ///   different keys.
    public init(_ domain: String) {
        encoded = [Self.version]
        encoded.reserveCapacity(320)
        append(domain)
    }

    /// Takes fields over that were encoded before, from a ``CacheEntrySummary`` for example.
    ///
    /// Nil when the bytes are not such an encoding, or one of another version.
    public init?(encoded: [UInt8]) {
        guard Self.texts(of: encoded) != nil else { return nil }
        self.encoded = encoded
    }

    /// Appends a text. Its UTF-8 bytes count: canonically equivalent texts of different bytes are different.
    public mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { append(.text, counted: UnsafeRawBufferPointer($0)) }
    }

    /// Appends a whole number.
    public mutating func append(_ number: Int) {
        append(.signed, UInt64(bitPattern: Int64(number)))
    }

    /// Appends an unsigned number. It is a different field from an `Int` of the same value.
    public mutating func append(_ number: UInt64) {
        append(.unsigned, number)
    }

    /// Appends a floating-point number by its bits, so 0 and -0 differ.
    public mutating func append(_ number: Double) {
        append(.double, number.bitPattern)
    }

    /// Appends a yes or no.
    public mutating func append(_ flag: Bool) {
        encoded.append(flag ? Tag.yes.rawValue : Tag.no.rawValue)
    }

    /// Appends raw bytes.
    public mutating func append(bytes: UnsafeRawBufferPointer) {
        append(.bytes, counted: bytes)
    }

    /// Appends other fields as one field: what follows cannot be taken for a part of them.
    public mutating func append(_ nested: KeyFields) {
        nested.encoded.withUnsafeBytes { append(.nested, counted: $0) }
    }

    /// Appends a text that may be missing. A missing one differs from an empty one.
    public mutating func append(optional text: String?) {
        if let text { append(text) } else { encoded.append(Tag.missing.rawValue) }
    }

    /// Appends a whole number that may be missing.
    public mutating func append(optional number: Int?) {
        if let number { append(number) } else { encoded.append(Tag.missing.rawValue) }
    }

    /// Appends a floating-point number that may be missing.
    public mutating func append(optional number: Double?) {
        if let number { append(number) } else { encoded.append(Tag.missing.rawValue) }
    }

    /// The fields as 128 bits for a memory cache of this process.
    public var digest: KeyDigest { KeyDigest(of: encoded) }

    enum Tag: UInt8 {
        case text = 1
        case signed, unsigned, double, yes, no, bytes, nested, missing
    }

    private mutating func append(_ tag: Tag, counted bytes: UnsafeRawBufferPointer) {
        append(tag, UInt64(bytes.count))
        encoded.append(contentsOf: bytes)
    }

    /// Tag and number in one piece: the array looks after its room once.
    private mutating func append(_ tag: Tag, _ number: UInt64) {
        let piece = (UInt64(tag.rawValue) << 56).littleEndian
        withUnsafeBytes(of: (piece, number.littleEndian)) {
            encoded.append(contentsOf: UnsafeRawBufferPointer(rebasing: $0[7...]))
        }
    }
}
