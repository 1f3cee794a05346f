#if GTK
import CGTK
import Pixels
import Synchronization

/// Why pixels cannot be shown.
public struct TextureError: Error, Hashable, Sendable, CustomStringConvertible {
    public let message: String

    public var description: String { message }
}

private let heldBitmaps = Atomic<Int>(0)

/// How many bitmaps GTK holds now.
package var heldBitmapCount: Int { heldBitmaps.load(ordering: .relaxed) }

/// A bitmap for as long as GTK reads its memory.
private final class HeldBitmap: Sendable {
    let bitmap: Bitmap

    init(_ bitmap: Bitmap) {
        self.bitmap = bitmap
        heldBitmaps.add(1, ordering: .relaxed)
    }

    deinit { heldBitmaps.subtract(1, ordering: .relaxed) }
}

extension Bitmap {
    /// What GDK calls this format; nil if it has none like it.
    var memoryFormat: GdkMemoryFormat? {
        switch (format.channels, format.component, format.alpha) {
        case (.rgba, .uint8, .straight): GDK_MEMORY_R8G8B8A8
        case (.rgba, .uint8, _): GDK_MEMORY_R8G8B8A8_PREMULTIPLIED
        case (.rgb, .uint8, _): GDK_MEMORY_R8G8B8
        case (.rgba, .uint16, .straight): GDK_MEMORY_R16G16B16A16
        case (.rgba, .uint16, _): GDK_MEMORY_R16G16B16A16_PREMULTIPLIED
        case (.rgb, .uint16, _): GDK_MEMORY_R16G16B16
        case (.rgba, .float32, .straight): GDK_MEMORY_R32G32B32A32_FLOAT
        case (.rgba, .float32, _): GDK_MEMORY_R32G32B32A32_FLOAT_PREMULTIPLIED
        case (.rgb, .float32, _): GDK_MEMORY_R32G32B32_FLOAT
        default: nil
        }
    }

    /// Where the pixels begin. It tells whether two bitmaps are the same as long as one of them is kept.
    var address: UnsafeRawPointer? { withUnsafeBytes { $0.baseAddress } }

    /// The bitmap's own memory as GLib's bytes, which keep it.
    var sharedBytes: OpaquePointer? {
        // The pointer outlives the call: the storage stays where it is while somebody holds it, and who would write to it
        // writes to a copy.
        g_bytes_new_with_free_func(
            address, gsize(byteCost), { Unmanaged<HeldBitmap>.fromOpaque($0.unsafelyUnwrapped).release() },
            Unmanaged.passRetained(HeldBitmap(self)).toOpaque())
    }

    /// A copy in a format that GDK has: grey ones, which it has not, in colour.
    func drawable() throws(TextureError) -> Bitmap {
        if memoryFormat != nil { return self }
        guard format.component == .uint8 else {
            throw TextureError(message: "GDK has no format for grey pixels of more than 8 bits.")
        }
        let hasAlpha = format.channels == .grayAlpha
        let step = format.bytesPerPixel
        let result = PixelFormat(channels: .rgba, component: .uint8, alpha: hasAlpha ? format.alpha : .opaque)
        do {
            var copy = try Bitmap(uninitialized: size, format: result)
            let rowBytes = copy.bytesPerRow
            try withUnsafeBytes { from in
                try copy.withUnsafeMutableBytes { to in
                    for y in 0..<height {
                        for x in 0..<width {
                            let gray = from[y * bytesPerRow + x * step]
                            let place = y * rowBytes + x * 4
                            to[place] = gray
                            to[place + 1] = gray
                            to[place + 2] = gray
                            to[place + 3] = hasAlpha ? from[y * bytesPerRow + x * step + 1] : 255
                        }
                    }
                }
            }
            return copy
        } catch {
            throw TextureError(message: "There is no memory for a copy in colour: \(error)")
        }
    }
}
#endif
