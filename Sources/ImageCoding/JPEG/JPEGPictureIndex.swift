#if JPEG
/// Where further pictures begin in a JPEG file, by its multi-picture index (CIPA DC-007 §5.2): a small TIFF structure.
struct JPEGPictureIndex {
    /// Offsets into the file, without the first picture's. A file has one or two; more than eight are not looked at.
    let pictures: [Int]

    private static let limit = 8
    private static let entriesTag = 0xB002
    private static let entryLength = 16

    /// - Parameter index: the TIFF structure, from whose start the index counts its offsets.
    init(_ bytes: UnsafeRawBufferPointer, _ index: Range<Int>) {
        let structure = UnsafeRawBufferPointer(rebasing: bytes[index])
        guard let tiff = TIFFReader(structure), let directory = tiff.firstDirectory,
            let entry = tiff.entry(Self.entriesTag, in: directory), let start = tiff.long(at: entry + 8),
            let length = tiff.long(at: entry + 4)
        else {
            pictures = []
            return
        }
        pictures = (1..<max(1, min(length / Self.entryLength, Self.limit))).compactMap { number in
            guard let offset = tiff.long(at: start + number * Self.entryLength + 8), offset > 0 else { return nil }
            let place = index.lowerBound + offset
            return place < bytes.count ? place : nil
        }
    }
}
#endif
