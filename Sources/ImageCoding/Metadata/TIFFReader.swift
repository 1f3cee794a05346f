/// Numbers of a TIFF structure, in its own byte order. Every read is bounded by the bytes that there are.
///
/// EXIF is one (CIPA DC-008 §4.5, TIFF 6.0 §2): a header, then directories of 12-byte entries.
struct TIFFReader {
    private static let entryLength = 12

    let bytes: UnsafeRawBufferPointer
    let isBigEndian: Bool

    /// `nil` unless the bytes start with `II*\0` or `MM\0*`.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= 8 else { return nil }
        switch (bytes[0], bytes[1], bytes[2], bytes[3]) {
        case (0x49, 0x49, 0x2A, 0): isBigEndian = false
        case (0x4D, 0x4D, 0, 0x2A): isBigEndian = true
        default: return nil
        }
        self.bytes = bytes
    }

    func short(at offset: Int) -> Int? {
        guard offset >= 0, offset <= bytes.count - 2 else { return nil }
        let value = bytes.loadUnaligned(fromByteOffset: offset, as: UInt16.self)
        return Int(isBigEndian ? UInt16(bigEndian: value) : UInt16(littleEndian: value))
    }

    func long(at offset: Int) -> Int? {
        guard offset >= 0, offset <= bytes.count - 4 else { return nil }
        let value = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
        return Int(isBigEndian ? UInt32(bigEndian: value) : UInt32(littleEndian: value))
    }

    /// Where the first directory starts.
    var firstDirectory: Int? {
        guard let directory = long(at: 4), directory >= 8 else { return nil }
        return directory
    }

    /// Where the directory after another starts; `nil` at the last one.
    func directory(after directory: Int) -> Int? {
        guard let count = short(at: directory), let next = long(at: directory + 2 + count * Self.entryLength), next >= 8
        else { return nil }
        return next
    }

    /// Where a directory's entry for a tag starts. Each entry is looked at once, in place: loops and lies elsewhere in the
    /// structure cost nothing.
    func entry(_ tag: Int, in directory: Int) -> Int? {
        guard let count = short(at: directory) else { return nil }
        for index in 0..<count {
            let entry = directory + 2 + index * Self.entryLength
            guard let found = short(at: entry) else { return nil }
            if found == tag { return entry }
        }
        return nil
    }

    /// The first number of an entry: SHORT by the standard; some writers make it BYTE or LONG.
    func firstValue(ofEntryAt entry: Int) -> Int? {
        let value = entry + 8
        switch short(at: entry + 2) {
        case 1: return value < bytes.count ? Int(bytes[value]) : nil
        case 3: return short(at: value)
        case 4: return long(at: value)
        default: return nil
        }
    }

    /// The number of a directory's entry for a tag.
    func value(of tag: Int, in directory: Int) -> Int? {
        entry(tag, in: directory).flatMap(firstValue(ofEntryAt:))
    }

    /// All values of an entry, as they lie in the structure, and their type; `nil` for a type that TIFF 6.0 does not have,
    /// and for values that do not lie within the bytes.
    func values(ofEntryAt entry: Int) -> (type: Int, bytes: UnsafeRawBufferPointer)? {
        guard let type = short(at: entry + 2), let count = long(at: entry + 4),
            let size = TIFFDirectory.sizes[type]?.value
        else { return nil }
        let length = count * size
        guard let start = length <= 4 ? entry + 8 : long(at: entry + 8), start <= bytes.count,
            length <= bytes.count - start
        else { return nil }
        return (type, UnsafeRawBufferPointer(rebasing: bytes[start..<start + length]))
    }

    /// The bytes from the TIFF header on: some writers put JPEG's introduction before it.
    static func skippingIntroduction(of exif: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        BoundedBytes(exif).has("Exif\0\0", at: 0) ? UnsafeRawBufferPointer(rebasing: exif.dropFirst(6)) : exif
    }
}
