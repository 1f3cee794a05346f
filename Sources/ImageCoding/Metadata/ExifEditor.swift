import ByteBuffers
import Pixels

/// Changes the few things of an EXIF structure that new pixels make wrong. Everything else stays where it stands, since
/// makers' notes hold offsets that nobody else can follow.
struct ExifEditor {
    private(set) var bytes: [UInt8]
    private let isBigEndian: Bool
    private let firstDirectory: Int

    /// `nil` when the bytes are no TIFF structure.
    init?(_ exif: Bytes) {
        self.init(exif.array)
    }

    /// A structure that says nothing but that the picture is upright.
    static func upright() -> ExifEditor? {
        ExifEditor([
            0x49, 0x49, 0x2A, 0, 8, 0, 0, 0, 1, 0, UInt8(ExifOrientation.tag & 0xFF), UInt8(ExifOrientation.tag >> 8),
            3, 0,
            1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0,
        ])
    }

    private init?(_ bytes: [UInt8]) {
        let found = bytes.withUnsafeBytes { raw -> Int? in
            guard let tiff = TIFFReader(raw), let directory = tiff.firstDirectory,
                let count = tiff.short(at: directory), directory + 6 + 12 * count <= raw.count
            else { return nil }
            return directory
        }
        guard let found else { return nil }
        self.bytes = bytes
        isBigEndian = bytes[0] == 0x4D
        firstDirectory = found
    }

    /// Makes the orientation upright, where there is one.
    mutating func setUpright() {
        guard let entry = read({ $0.entry(ExifOrientation.tag, in: firstDirectory) }), entry + 12 <= bytes.count else {
            return
        }
        write(3, length: 2, at: entry + 2)
        write(1, length: 4, at: entry + 4)
        write(0, length: 4, at: entry + 8)
        write(1, length: 2, at: entry + 8)
    }

    /// Takes the thumbnail out, which shows what the picture was before: its bytes become zeros, or go when they are last.
    mutating func removeThumbnail() {
        if let range = bytes.withUnsafeBytes(ExifThumbnail.range(inTIFF:)) {
            bytes.replaceSubrange(range, with: repeatElement(0, count: range.count))
            if range.upperBound == bytes.count { bytes.removeLast(range.count) }
        }
        guard let end = endOfFirstDirectory else { return }
        write(0, length: 4, at: end)
    }

    /// Appends a second directory with a small JPEG in it. The old one has to be removed before.
    mutating func append(thumbnail: Bytes) {
        guard let end = endOfFirstDirectory else { return }
        if bytes.count % 2 == 1 { bytes.append(0) }
        let directory = bytes.count
        let entries: [(tag: Int, type: Int, value: Int)] = [
            // Compression 6: JPEG.
            (0x0103, 3, 6), (ExifThumbnail.offsetTag, 4, directory + 2 + 3 * 12 + 4),
            (ExifThumbnail.lengthTag, 4, thumbnail.count),
        ]
        bytes += [UInt8](repeating: 0, count: 2 + entries.count * 12 + 4)
        write(entries.count, length: 2, at: directory)
        for (index, entry) in entries.enumerated() {
            let place = directory + 2 + index * 12
            write(entry.tag, length: 2, at: place)
            write(entry.type, length: 2, at: place + 2)
            write(1, length: 4, at: place + 4)
            write(entry.value, length: entry.type == 3 ? 2 : 4, at: place + 8)
        }
        thumbnail.withUnsafeBytes { bytes += $0 }
        write(directory, length: 4, at: end)
    }

    /// Where the first directory says where the second one starts.
    private var endOfFirstDirectory: Int? {
        read { $0.short(at: firstDirectory) }.map { firstDirectory + 2 + 12 * $0 }
    }

    private func read(_ value: (TIFFReader) -> Int?) -> Int? {
        bytes.withUnsafeBytes { TIFFReader($0).flatMap(value) }
    }

    private mutating func write(_ value: Int, length: Int, at offset: Int) {
        for index in 0..<length {
            let shift = 8 * (isBigEndian ? length - 1 - index : index)
            bytes[offset + index] = UInt8(truncatingIfNeeded: value >> shift)
        }
    }
}
