import ByteBuffers

/// What a TIFF file, or a camera's file that is built like one, says beside its pixels: in the tags of its first directory.
///
/// Of files in BigTIFF nothing is read.
enum TIFFMetadata {
    static func read(from file: UnsafeRawBufferPointer) -> ImageMetadata {
        guard let tiff = TIFFReader(file), let first = tiff.firstDirectory else { return ImageMetadata() }
        func piece(_ tag: Int) -> UnsafeRawBufferPointer? {
            tiff.entry(tag, in: first).flatMap { tiff.values(ofEntryAt: $0)?.bytes }
        }
        let profile = piece(TIFFDirectory.Tag.profile).flatMap { profile in
            profile.count <= ICCProfile.maximumByteCount ? (try? Bytes(copying: profile)).flatMap(ICCProfile.init) : nil
        }
        var found = ImageMetadata(copyingExif: nil, xmp: piece(TIFFDirectory.Tag.xmp), profile: profile)
        found.exif = exif(tiff, first)
        return found
    }

    /// A structure of its own from the tags that describe the picture, with the directories of EXIF and of the place; `nil`
    /// where there is none.
    private static func exif(_ tiff: TIFFReader, _ first: Int) -> Bytes? {
        let directory = TIFFDirectory(
            tiff, at: first, limit: ImageMetadata.maximumByteCount, isWanted: TIFFDirectory.descriptiveTags.contains)
        guard !directory.isEmpty else { return nil }
        return Bytes([0x49, 0x49, 0x2A, 0, 8, 0, 0, 0] + directory.bytes(at: 8))
    }
}
