extension ImageFormat {
    /// SVG, when the first element of an XML text is `svg`, whatever its namespace prefix.
    ///
    /// A byte order mark, white space, the XML declaration, comments and a document type may come first, 4 KiB of them
    /// at the most. A page that only contains an SVG somewhere is none.
    static func markup(_ bytes: BoundedBytes) -> ImageFormat? {
        var scanner = MarkupScanner(text: bytes.slice(0..<MarkupScanner.reach))
        return scanner.firstElement().map { $0 == "svg" ? .svg : nil } ?? nil
    }
}

/// Finds the name of an XML text's first element.
struct MarkupScanner {
    /// How far the search goes, in bytes.
    static let reach = 4_096

    private let text: BoundedBytes
    private var position = 0

    init(text: UnsafeRawBufferPointer) {
        self.text = BoundedBytes(text)
    }

    /// The element's name without its prefix; `nil` when something else comes first or the text ends.
    mutating func firstElement() -> String? {
        if text.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
        while true {
            skipSpace()
            if text.has("<?", at: position) {
                guard skip(past: "?>") else { return nil }
            } else if text.has("<!--", at: position) {
                position += 4
                guard skip(past: "-->") else { return nil }
            } else if text.has("<!DOCTYPE", at: position) {
                guard skipDocumentType() else { return nil }
            } else {
                return elementName()
            }
        }
    }

    private mutating func skipSpace() {
        while let byte = text[position], [0x20, 0x09, 0x0A, 0x0D].contains(byte) { position += 1 }
    }

    private mutating func skip(past end: StaticString) -> Bool {
        while position < text.count {
            if text.has(end, at: position) {
                position += end.utf8CodeUnitCount
                return true
            }
            position += 1
        }
        return false
    }

    /// A document type may hold declarations in brackets, and those hold angle brackets and quoted text.
    private mutating func skipDocumentType() -> Bool {
        var depth = 0
        var quote: UInt8?
        while let byte = text[position] {
            position += 1
            if let open = quote {
                if byte == open { quote = nil }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
            case UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: ">") where depth <= 0: return true
            default: break
            }
        }
        return false
    }

    private mutating func elementName() -> String? {
        guard text.has("<", at: position) else { return nil }
        var name: [UInt8] = []
        var offset = position + 1
        while let byte = text[offset] {
            switch byte {
            case UInt8(ascii: ":"): name.removeAll()
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
                name.append(byte)
            case 0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: ">"), UInt8(ascii: "/"):
                return name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
            default: return nil
            }
            offset += 1
        }
        return nil
    }
}
