/// Where the small JPEG of an EXIF structure lies: its second directory says so (CIPA DC-008 §4.6.2).
enum ExifThumbnail {
    static let offsetTag = 0x0201
    static let lengthTag = 0x0202

    /// `nil` when there is none, or what is named does not lie within the bytes or is no JPEG.
    static func range(inTIFF bytes: UnsafeRawBufferPointer) -> Range<Int>? {
        guard let tiff = TIFFReader(bytes), let first = tiff.firstDirectory, let second = tiff.directory(after: first),
            let start = tiff.value(of: offsetTag, in: second), let length = tiff.value(of: lengthTag, in: second),
            length >= 4, start <= bytes.count - 4, length <= bytes.count - start,
            bytes[start] == 0xFF, bytes[start + 1] == 0xD8
        else { return nil }
        return start..<start + length
    }
}
