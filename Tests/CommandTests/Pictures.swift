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

    /// A picture of this repository: in `Samples`, or below the decoders' fixtures with its folder's name.
    static func path(_ name: String) -> String {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        return tests.appending(path: name.contains("/") ? "ImageCodingTests/Fixtures" : "../Samples")
            .appending(path: name).standardized.path
    }

    static func bytes(_ name: String) throws -> Bytes { Bytes(Array(try Data(contentsOf: URL(filePath: path(name))))) }

    /// The pixels, without what may lie between rows.
    static func pixels(_ bitmap: Bitmap) -> [UInt8] {
        bitmap.withUnsafeBytes { bytes in
            (0..<bitmap.height).flatMap { row in
                bytes[(row * bitmap.bytesPerRow)...].prefix(bitmap.width * bitmap.format.bytesPerPixel)
            }
        }
    }
}
