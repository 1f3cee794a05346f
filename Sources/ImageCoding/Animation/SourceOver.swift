/// Lays pixels over others, both with colours multiplied by alpha (Porter and Duff, 1984: "over").
enum SourceOver {
    /// `target = source + target × (255 − alpha) / 255`, each rounded to the nearest.
    ///
    /// - Parameters:
    ///   - source: `count × 4` bytes.
    ///   - target: as many, in other memory.
    static func blend(_ source: UnsafeRawPointer, onto target: UnsafeMutableRawPointer, count: Int) {
        for offset in stride(from: 0, to: count * 4, by: 4) {
            let over = source.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
            switch over >> 24 {
            case 0 where over == 0: continue
            case 255: target.storeBytes(of: over, toByteOffset: offset, as: UInt32.self)
            case let alpha:
                let under = target.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
                target.storeBytes(
                    of: sum(over, scaled(under, by: 255 - alpha)), toByteOffset: offset, as: UInt32.self)
            }
        }
    }

    /// All four channels times `factor / 255`, two at a time in lanes of 16 bits; see ``Premultiplication``.
    private static func scaled(_ pixel: UInt32, by factor: UInt32) -> UInt32 {
        func lanes(_ channels: UInt32) -> UInt32 {
            let product = channels &* factor &+ 0x0080_0080
            return ((product &+ ((product >> 8) & 0x00FF_00FF)) >> 8) & 0x00FF_00FF
        }
        return lanes(pixel & 0x00FF_00FF) | lanes((pixel >> 8) & 0x00FF_00FF) << 8
    }

    /// Channel by channel, cut at 255: a file's colours may be brighter than their alpha allows.
    private static func sum(_ first: UInt32, _ second: UInt32) -> UInt32 {
        func lanes(_ a: UInt32, _ b: UInt32) -> UInt32 {
            let sum = a + b
            // A lane that ran over has bit 8 set; all its bits become one.
            let over = (sum >> 8) & 0x0001_0001
            return (sum | ((over << 8) &- over)) & 0x00FF_00FF
        }
        return lanes(first & 0x00FF_00FF, second & 0x00FF_00FF)
            | lanes((first >> 8) & 0x00FF_00FF, (second >> 8) & 0x00FF_00FF) << 8
    }
}
