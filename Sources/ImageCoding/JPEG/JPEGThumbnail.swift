#if JPEG
import Pixels

/// The small picture that EXIF carries, in the place of the large one.
enum JPEGThumbnail {
    /// A thumbnail that is larger than this is none: EXIF has room for 64 KiB.
    private static let mostPixels = 1 << 20

    /// The thumbnail, where the options want one and it is large enough and of the picture's shape.
    ///
    /// Cameras put black bars beside a thumbnail of another shape. One that is damaged is passed over.
    ///
    /// - Parameter color: of the picture; a thumbnail has no profile of its own.
    /// - Throws: ``CodingError`` with `cancelled` or `outOfMemory`.
    static func decode(
        from bytes: UnsafeRawBufferPointer, _ header: JPEGHeader, _ color: ColorDescription, _ options: DecodeOptions
    ) throws(CodingError) -> Bitmap? {
        guard options.usesEmbeddedThumbnail, let wanted = options.minimumSize, let exif = header.applications.exif,
            let range = ExifThumbnail.range(inTIFF: UnsafeRawBufferPointer(rebasing: bytes[exif]))
        else { return nil }
        let start = exif.lowerBound + range.lowerBound
        let small = UnsafeRawBufferPointer(rebasing: bytes[start..<start + range.count])
        guard let inner = try? JPEGHeader(small), (try? inner.checkSupport()) != nil,
            inner.size.width >= wanted.width, inner.size.height >= wanted.height,
            inner.size.pixelCount.map({ $0 <= mostPixels }) == true, hasSameShape(inner.size, header.size),
            (try? options.limits.check(inner.size, format: .jpeg)) != nil
        else { return nil }
        var plain = options
        plain.usesEmbeddedThumbnail = false
        let sink = BitmapSink()
        do {
            try JPEGDecoder().decode(small, inner, color, options: plain, into: sink)
            return sink.takeBitmap()
        } catch let error as CodingError where error.code == .cancelled || error.code == .outOfMemory {
            throw error
        } catch {
            return nil
        }
    }

    /// The sides have the same ratio, to within a pixel of the smaller picture.
    private static func hasSameShape(_ small: PixelSize, _ large: PixelSize) -> Bool {
        abs(small.width * large.height - small.height * large.width) <= max(large.width, large.height)
    }
}
#endif
