import Foundation
import WebImage

/// Pictures to serve.
enum Pictures {
    /// A pattern of the given size.
    static func encoded(_ width: Int, _ height: Int, as format: ImageFormat) throws -> Data {
        var bitmap = try Bitmap(uninitialized: PixelSize(width: width, height: height), format: .rgbx8)
        try bitmap.withUnsafeMutableBytes { pixels in
            for offset in pixels.indices {
                pixels[offset] = offset % 4 == 3 ? 255 : UInt8(truncatingIfNeeded: offset / 9)
            }
        }
        return try CoderRegistry.standard.encode(bitmap, as: format).withUnsafeBytes { Data($0) }
    }
}
