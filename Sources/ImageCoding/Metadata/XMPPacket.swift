import Pixels

/// The few things of an XMP packet (ISO 16684-1) that a picture is shown by, found by their names: no XML is parsed, so
/// nothing in it can be a bomb.
struct XMPPacket {
    /// Bytes that are searched at the most.
    private static let searchedLength = 1 << 20

    /// Before a value: ="6" or >6<, with white space where XML allows it.
    private static let punctuation = Set("=\"'> \t\r\n".utf8)

    private let bytes: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = UnsafeRawBufferPointer(rebasing: bytes.prefix(Self.searchedLength))
    }

    /// `tiff:Orientation`, as an attribute or as an element. Values outside 1…8 mean upright.
    var orientation: Orientation? {
        orientationDigit.map { Orientation(exif: Int(bytes[$0] - UInt8(ascii: "0"))) }
    }

    /// Where the digit of `tiff:Orientation` stands.
    var orientationDigit: Int? {
        guard let end = end(of: "tiff:Orientation") else { return nil }
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard let place = bytes[end...].prefix(16).firstIndex(where: { !Self.punctuation.contains($0) }),
            digits.contains(bytes[place])
        else { return nil }
        return place
    }

    /// The picture is a gain map or says that it comes with one: Adobe's and Android's words for it, or Apple's.
    var namesGainMap: Bool {
        end(of: "hdrgm:Version") != nil || end(of: "photo:2020:aux:hdrgainmap") != nil
    }

    /// The 32 characters by which a JPEG's packet names the part of it that stands in further segments.
    var extensionName: UnsafeRawBufferPointer? {
        guard let end = end(of: "xmpNote:HasExtendedXMP"),
            let start = bytes[end...].prefix(16).firstIndex(where: { !Self.punctuation.contains($0) }),
            bytes.count - start >= Self.extensionNameLength
        else { return nil }
        return UnsafeRawBufferPointer(rebasing: bytes[start..<start + Self.extensionNameLength])
    }

    static let extensionNameLength = 32

    /// Where the first appearance of a text ends.
    private func end(of text: StaticString) -> Int? {
        let first = text.utf8Start.pointee
        var place = 0
        while let start = bytes.firstOffset(of: first, from: place) {
            if BoundedBytes(bytes).has(text, at: start) { return start + text.utf8CodeUnitCount }
            place = start + 1
        }
        return nil
    }
}
