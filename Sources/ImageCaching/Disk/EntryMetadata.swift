/// What is kept beside an entry's payload: a response's header fields and the like, as texts under names.
public struct EntryMetadata: Hashable, Sendable, ExpressibleByDictionaryLiteral {
    /// Names and values. Names are compared as they are written.
    public var fields: [String: String]

    public init(_ fields: [String: String] = [:]) {
        self.fields = fields
    }

    public init(dictionaryLiteral elements: (String, String)...) {
        fields = Dictionary(elements) { _, last in last }
    }

    public subscript(name: String) -> String? {
        get { fields[name] }
        set { fields[name] = newValue }
    }

    /// Counted texts, sorted by name, so that equal metadata has equal bytes.
    var encoded: [UInt8] {
        var bytes: [UInt8] = []
        for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
            for text in [name, value] {
                withUnsafeBytes(of: UInt32(clamping: text.utf8.count).littleEndian) { bytes.append(contentsOf: $0) }
                bytes.append(contentsOf: text.utf8)
            }
        }
        return bytes
    }

    /// Nil when the bytes are not what ``encoded`` writes.
    init?(encoded bytes: UnsafeRawBufferPointer) {
        var texts: [String] = []
        var position = 0
        while position < bytes.count {
            guard bytes.count - position >= 4 else { return nil }
            let count = Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt32.self)))
            position += 4
            guard bytes.count - position >= count else { return nil }
            texts.append(String(decoding: bytes[position..<position + count], as: UTF8.self))
            position += count
        }
        guard texts.count.isMultiple(of: 2) else { return nil }
        fields = [:]
        for index in stride(from: 0, to: texts.count, by: 2) { fields[texts[index]] = texts[index + 1] }
    }
}
