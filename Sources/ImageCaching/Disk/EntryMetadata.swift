/// What is kept beside an entry's payload: a response's header fields and the like, as texts under names, and whatever a
/// program wants to keep with a picture, as bytes under names.
public struct EntryMetadata: Hashable, Sendable, ExpressibleByDictionaryLiteral {
    /// Names and values. Names are compared as they are written.
    public var fields: [String: String]

    /// A program's own data under names of its own: a ThumbHash, a caption, a licence. Kept as they are; what they mean is
    /// the program's business. Together with the key and the ``fields`` they may have 1 MiB.
    public var attachments: [String: [UInt8]] = [:]

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

    /// Counted names and values, sorted by name, so that equal metadata has equal bytes: first the texts, then the
    /// attachments, whose values have the highest bit of their count set.
    var encoded: [UInt8] {
        var bytes: [UInt8] = []
        func append(_ value: some Collection<UInt8>, mark: UInt32 = 0) {
            let count = min(UInt32(clamping: value.count), Self.attachmentMark - 1) | mark
            withUnsafeBytes(of: count.littleEndian) { bytes.append(contentsOf: $0) }
            bytes.append(contentsOf: value)
        }
        for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
            append(name.utf8)
            append(value.utf8)
        }
        for (name, value) in attachments.sorted(by: { $0.key < $1.key }) {
            append(name.utf8)
            append(value, mark: Self.attachmentMark)
        }
        return bytes
    }

    private static let attachmentMark: UInt32 = 1 << 31

    /// Nil when the bytes are not what ``encoded`` writes.
    init?(encoded bytes: UnsafeRawBufferPointer) {
        fields = [:]
        var rest = bytes[...]
        while !rest.isEmpty {
            guard let (name, isMarked) = Self.takeCounted(&rest), !isMarked,
                let (value, isAttachment) = Self.takeCounted(&rest)
            else { return nil }
            let text = String(decoding: name, as: UTF8.self)
            if isAttachment {
                attachments[text] = Array(value)
            } else {
                fields[text] = String(decoding: value, as: UTF8.self)
            }
        }
    }

    private static func takeCounted(
        _ rest: inout Slice<UnsafeRawBufferPointer>
    ) -> (Slice<UnsafeRawBufferPointer>, isMarked: Bool)? {
        guard rest.count >= 4 else { return nil }
        let word = rest.prefix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        let count = Int(word & ~attachmentMark)
        rest = rest.dropFirst(4)
        guard rest.count >= count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return (rest.prefix(count), word & attachmentMark != 0)
    }
}
