#if GIF
import CGIF

/// A picture's palette as finished pixels: opaque colours, and nothing at the transparent index.
struct GIFPalette {
    /// Always 256 pixels in the byte order of memory. Indices that the file's palette does not have are black.
    private let pixels: [UInt32]
    let hasTransparency: Bool

    /// - Parameter transparentIndex: -1 for none.
    init(_ map: ColorMapObject, transparentIndex: Int) {
        hasTransparency = transparentIndex >= 0
        let opaque: UInt32 = 0xFF00_0000
        let colors = UnsafeBufferPointer(start: map.Colors, count: map.Colors == nil ? 0 : max(0, Int(map.ColorCount)))
        pixels = (0..<256).map { index in
            guard index != transparentIndex else { return 0 }
            guard index < colors.count else { return opaque.littleEndian }
            let color = colors[index]
            return (opaque | UInt32(color.Blue) << 16 | UInt32(color.Green) << 8 | UInt32(color.Red)).littleEndian
        }
    }

    /// Writes the pixels of `count` indices.
    func expand(_ indices: UnsafePointer<UInt8>, count: Int, into target: UnsafeMutableRawPointer) {
        pixels.withUnsafeBufferPointer { pixels in
            guard let table = pixels.baseAddress else { return }
            for x in 0..<count {
                target.storeBytes(of: table[Int(indices[x])], toByteOffset: x * 4, as: UInt32.self)
            }
        }
    }

    /// Writes the pixels of those indices that are not transparent.
    func overlay(_ indices: UnsafePointer<UInt8>, count: Int, onto target: UnsafeMutableRawPointer) {
        guard hasTransparency else { return expand(indices, count: count, into: target) }
        pixels.withUnsafeBufferPointer { pixels in
            guard let table = pixels.baseAddress else { return }
            for x in 0..<count {
                let pixel = table[Int(indices[x])]
                if pixel != 0 { target.storeBytes(of: pixel, toByteOffset: x * 4, as: UInt32.self) }
            }
        }
    }
}
#endif
