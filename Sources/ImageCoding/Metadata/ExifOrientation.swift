package import Pixels

/// Reads the one EXIF value that a picture cannot be shown without.
///
/// EXIF is a TIFF structure (CIPA DC-008 §4.5, TIFF 6.0 §2): a header, then directories of 12-byte entries. Orientation
/// stands in the first directory, whose entry is read in place. No other directory is visited, so loops and lies in
/// the rest of the metadata cost nothing.
package enum ExifOrientation {
    private static let tag = 0x0112
    private static let entryLength = 12

    /// The orientation that the first directory tells.
    ///
    /// - Parameter bytes: start at the TIFF header, `II*\0` or `MM\0*`, and may hold anything.
    /// - Returns: `nil` when the tag is absent or cannot be reached; ``Orientation/up`` when its value is outside 1…8.
    package static func read(fromTIFF bytes: UnsafeRawBufferPointer) -> Orientation? {
        guard let tiff = TIFFReader(bytes), let directory = tiff.long(at: 4), directory >= 8,
            let entryCount = tiff.short(at: directory)
        else { return nil }
        for index in 0..<entryCount {
            let entry = directory + 2 + index * entryLength
            guard let found = tiff.short(at: entry) else { return nil }
            guard found == tag else { continue }
            return tiff.firstValue(ofEntryAt: entry).map(Orientation.init(exif:))
        }
        return nil
    }
}

/// Numbers of a TIFF structure, in its own byte order. Every read is bounded by the bytes that there are.
private struct TIFFReader {
    private let bytes: UnsafeRawBufferPointer
    private let isBigEndian: Bool

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
        guard offset <= bytes.count - 2 else { return nil }
        let value = bytes.loadUnaligned(fromByteOffset: offset, as: UInt16.self)
        return Int(isBigEndian ? UInt16(bigEndian: value) : UInt16(littleEndian: value))
    }

    func long(at offset: Int) -> Int? {
        guard offset <= bytes.count - 4 else { return nil }
        let value = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
        return Int(isBigEndian ? UInt32(bigEndian: value) : UInt32(littleEndian: value))
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
}
