/// The boxes that lie one behind the other in some bytes of an ISO base media file (ISO/IEC 14496-12 §4.2).
///
/// A box that is cut off has what is there of it. A size that no box can have ends the walk.
struct ISOBoxes: Sequence, IteratorProtocol {
    struct Box {
        let type: UInt32
        /// Without the size and the type.
        let content: BoundedBytes
    }

    private let bytes: BoundedBytes
    private var position = 0

    init(_ bytes: BoundedBytes) {
        self.bytes = bytes
    }

    mutating func next() -> Box? {
        guard let short = bytes.bigEndian32(at: position), let type = bytes.bigEndian32(at: position + 4) else {
            return nil
        }
        // A size of 1 announces one of 64 bits behind the type, 0 a box up to the end.
        var header = 8
        var size = short
        if short == 1 {
            guard let long = bytes.bigEndian64(at: position + 8) else { return nil }
            (header, size) = (16, Int(clamping: long))
        } else if short == 0 {
            size = bytes.count - position
        }
        let left = bytes.count - position
        guard size >= header, header <= left else { return nil }
        let start = position
        position += size < left ? size : left
        return Box(type: UInt32(type), content: BoundedBytes(bytes.slice(start + header..<position)))
    }

    /// The contents of the boxes of a type, four characters of ASCII, as they come.
    static func all(_ type: StaticString, in bytes: BoundedBytes) -> some Sequence<BoundedBytes> {
        let code = type.withUTF8Buffer { $0.reduce(0) { $0 << 8 | UInt32($1) } }
        return ISOBoxes(bytes).lazy.filter { $0.type == code }.map(\.content)
    }

    /// The content of the first box of a type that is found by going from box into box.
    static func first(_ path: StaticString..., in bytes: BoundedBytes) -> BoundedBytes? {
        var found: BoundedBytes? = bytes
        for type in path { found = found.flatMap { content in all(type, in: content).first { _ in true } } }
        return found
    }
}
