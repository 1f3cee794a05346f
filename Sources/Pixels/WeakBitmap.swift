/// A bitmap that is there as long as somebody else holds its pixels, this one or any copy of it.
package struct WeakBitmap: Sendable {
    private weak let storage: PixelStorage?
    private let size: PixelSize
    private let format: PixelFormat
    private let bytesPerRow: Int

    package init(_ bitmap: Bitmap) {
        storage = bitmap.storage
        size = bitmap.size
        format = bitmap.format
        bytesPerRow = bitmap.bytesPerRow
    }

    /// The same pixels, not a copy of them. Nil once the last holder has let go.
    package var bitmap: Bitmap? {
        storage.map { Bitmap(storage: $0, size: size, format: format, bytesPerRow: bytesPerRow) }
    }
}
