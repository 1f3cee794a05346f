#if TIFF
import ByteBuffers

/// Adds tags to a TIFF file that libtiff wrote: its directory is written anew at the file's end, where EXIF's follow, and
/// the file's head leads there.
///
/// libtiff itself writes only the tags of EXIF that it knows.
enum TIFFTagWriter {
    /// The file with EXIF, XMP and a profile; as it is when there are none.
    ///
    /// - Throws: ``CodingError``.
    static func add(_ options: EncodeOptions, to file: Bytes) throws(CodingError) -> Bytes {
        let profile = try options.profile(for: .tiff)
        let exif = options.structuredExif()
        guard profile != nil || exif != nil || options.xmp != nil else { return file }
        let written = try CodingError.typed(.tiff) {
            try file.withUnsafeBytes { file -> Bytes in
                // All values of the directory together are shorter than the file that they lie in.
                guard let tiff = TIFFReader(file), !tiff.isBigEndian, let first = tiff.firstDirectory else {
                    return Bytes()
                }
                var directory = TIFFDirectory(tiff, at: first, limit: 2 * file.count)
                if let exif { directory.merge(descriptive(exif)) }
                if let xmp = options.xmp { directory.set(TIFFDirectory.Tag.xmp, type: 1, xmp.array) }
                if let profile { directory.set(TIFFDirectory.Tag.profile, type: 7, profile.array) }
                let start = file.count + file.count % 2
                let tags = directory.bytes(at: start)
                guard start + tags.count <= Int(UInt32.max) else { return Bytes() }
                return try Bytes(capacity: start + tags.count) { room in
                    room.initializeMemory(as: UInt8.self, repeating: 0)
                    room.copyMemory(from: file)
                    UnsafeMutableRawBufferPointer(rebasing: room[start...]).copyBytes(from: tags)
                    UnsafeMutableRawBufferPointer(rebasing: room[4..<8])
                        .copyBytes(from: TIFFDirectory.number(start, length: 4))
                    return room.count
                }
            }
        }
        guard !written.isEmpty else {
            throw CodingError(
                .encodingFailed, "The TIFF has no room for what stands beside the picture.", format: .tiff)
        }
        return written
    }

    /// What EXIF says of the picture, without what it says of pixels.
    private static func descriptive(_ exif: Bytes) -> TIFFDirectory {
        exif.withUnsafeBytes { exif in
            guard let tiff = TIFFReader(exif), let first = tiff.firstDirectory else { return TIFFDirectory() }
            return TIFFDirectory(
                tiff, at: first, limit: 2 * exif.count, isWanted: TIFFDirectory.descriptiveTags.contains)
        }
    }
}
#endif
