/// Says what bytes that are no picture seem to be, so that a log tells a login page from a broken download.
enum ContentHint {
    /// A sentence that ends an error's message.
    static func sentence(for bytes: UnsafeRawBufferPointer) -> String {
        let head = BoundedBytes(UnsafeRawBufferPointer(rebasing: bytes.prefix(512)))
        if let kind = binaryKind(head) { return "The bytes are no known picture: they look like \(kind)." }
        guard let text = text(head) else {
            let first = bytes.prefix(8).map(hexadecimal).joined(separator: " ")
            return "The bytes are no known picture: they start with \(first)."
        }
        return "The bytes are no known picture: they look like \(textKind(text)) and start with \"\(quoted(text))\"."
    }

    private static func binaryKind(_ head: BoundedBytes) -> String? {
        if head.starts(with: [0x1F, 0x8B]) { return "gzip data that was not unpacked" }
        if head.starts(with: [0x50, 0x4B, 0x03, 0x04]) { return "a ZIP archive" }
        if head.has("ftyp", at: 4) { return "a video or another ISO media file" }
        if head.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) { return "a Matroska or WebM video" }
        if head.bytes.allSatisfy({ $0 == 0 }) { return "nothing but zeros" }
        return nil
    }

    /// The beginning as text, white space in front removed; `nil` when there are control characters in it.
    private static func text(_ head: BoundedBytes) -> Substring? {
        let isText = head.bytes.allSatisfy { $0 >= 0x20 || [0x09, 0x0A, 0x0C, 0x0D].contains($0) }
        guard isText else { return nil }
        let text = String(decoding: head.bytes, as: UTF8.self).drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        return text.isEmpty ? nil : text
    }

    private static func textKind(_ text: Substring) -> String {
        let lowercased = text.lowercased()
        if lowercased.hasPrefix("<!doctype html") || lowercased.hasPrefix("<html") { return "an HTML page" }
        if lowercased.hasPrefix("<") { return "XML or HTML" }
        if lowercased.hasPrefix("{") || lowercased.hasPrefix("[") { return "JSON" }
        return "text"
    }

    private static func quoted(_ text: Substring) -> String {
        String(text.prefix(24).map { $0.isNewline || $0 == "\"" ? " " : $0 })
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16, uppercase: true)
        return digits.count < 2 ? "0" + digits : digits
    }
}
