import WebImage

/// A picture in sixels: columns of six pixels, one colour of a palette after the other (DEC STD 070 ch. 9).
enum SixelPicture {
    /// - Parameter bitmap: what is less than half opaque of it is left as it is on the screen.
    /// - Returns: the commands that show it, and a line break.
    /// - Throws: `ProcessingError` without memory.
    static func text(_ bitmap: Bitmap) throws -> String {
        let size = bitmap.size
        let pixels = try opaque(bitmap)
        var indices = [UInt8](repeating: 0, count: pixels.count)
        let quantizer = pixels.withUnsafeBufferPointer { pixels in
            var quantizer = ColorQuantizer(pixels)
            indices.withUnsafeMutableBufferPointer { indices in
                if let base = indices.baseAddress {
                    quantizer.map(pixels, width: size.width, isDithered: true, into: base)
                }
            }
            return quantizer
        }
        // Pixels are square; 1 has those that no colour sets stay as they are.
        var text = "\u{1B}P0;1q\"1;1;\(size.width);\(size.height)"
        for (index, color) in quantizer.palette.enumerated() {
            let parts = [color & 0xFF, color >> 8 & 0xFF, color >> 16 & 0xFF].map { "\(($0 * 100 + 127) / 255)" }
            text += "#\(index);2;" + parts.joined(separator: ";")
        }
        for top in stride(from: 0, to: size.height, by: 6) {
            let rows = top..<min(size.height, top + 6)
            if top > 0 { text += "-" }
            text += band(indices, rows, width: size.width, without: quantizer.transparentIndex)
        }
        return text + "\u{1B}\\\n"
    }

    /// Six rows, each of their colours in a line of its own over the others.
    private static func band(_ indices: [UInt8], _ rows: Range<Int>, width: Int, without gap: UInt8?) -> String {
        var columns: [UInt8: [UInt8]] = [:]
        for (bit, row) in rows.enumerated() {
            for x in 0..<width {
                let index = indices[row * width + x]
                if index != gap { columns[index, default: Array(repeating: 0, count: width)][x] |= 1 << UInt8(bit) }
            }
        }
        return columns.sorted { $0.key < $1.key }.map { "#\($0.key)" + runs($0.value) }.joined(separator: "$")
    }

    /// Repeated columns as their number and one of them; those at the end without pixels are left out.
    private static func runs(_ columns: [UInt8]) -> String {
        var text = ""
        var rest = columns[..<((columns.lastIndex { $0 != 0 } ?? -1) + 1)]
        while let first = rest.first {
            let count = rest.prefix { $0 == first }.count
            let character = String(UnicodeScalar(63 + first))
            text += count > 3 ? "!\(count)\(character)" : String(repeating: character, count: count)
            rest = rest.dropFirst(count)
        }
        return text
    }

    /// Opaque pixels in the byte order of memory, 0 where nothing is to be drawn.
    private static func opaque(_ bitmap: Bitmap) throws -> [UInt32] {
        try (bitmap.colors(in: PixelRect(bitmap.size)) ?? []).map { color in
            guard color.alpha >= 128 else { return 0 }
            return UInt32(color.red) | UInt32(color.green) << 8 | UInt32(color.blue) << 16 | 0xFF00_0000
        }
    }
}
