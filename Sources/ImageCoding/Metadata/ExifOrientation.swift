package import Pixels

/// Reads the one EXIF value that a picture cannot be shown without.
package enum ExifOrientation {
    static let tag = 0x0112

    /// The orientation that the first directory tells. No other directory is visited.
    ///
    /// - Parameter bytes: start at the TIFF header, `II*\0` or `MM\0*`, and may hold anything.
    /// - Returns: `nil` when the tag is absent or cannot be reached; ``Orientation/up`` when its value is outside 1…8.
    package static func read(fromTIFF bytes: UnsafeRawBufferPointer) -> Orientation? {
        guard let tiff = TIFFReader(bytes), let directory = tiff.firstDirectory else { return nil }
        return tiff.value(of: tag, in: directory).map(Orientation.init(exif:))
    }
}
