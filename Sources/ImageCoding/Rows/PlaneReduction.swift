#if AVIF
import Pixels

/// Makes planes of bytes smaller by a whole factor: each block becomes its average.
///
/// Colours are as linear in brightness and colour differences as these are in colours, so averaging the planes is averaging
/// the pixels, but for the clamping of colours out of range.
enum PlaneReduction {
    /// Blocks of more than this many rows or columns are not made.
    private static let largest = 8

    /// A plane of bytes.
    struct Plane {
        let base: UnsafePointer<UInt8>
        let bytesPerRow: Int
        let size: PixelSize
    }

    /// The largest power of two by which a picture may be divided and still covers `wanted`; sizes round up. 1 when nothing
    /// is wanted.
    static func factor(covering wanted: PixelSize?, of size: PixelSize) -> Int {
        guard let wanted else { return 1 }
        var factor = largest
        while factor > 1 {
            let reduced = Self.size(of: size, over: factor, factor)
            if reduced.width >= wanted.width, reduced.height >= wanted.height { break }
            factor /= 2
        }
        return factor
    }

    static func size(of size: PixelSize, over columns: Int, _ rows: Int) -> PixelSize {
        PixelSize(width: (size.width + columns - 1) / columns, height: (size.height + rows - 1) / rows)
    }

    /// - Parameters:
    ///   - columns: a block's columns, 1...8; the last block of a row may have fewer.
    ///   - rows: a block's rows, 1...8; the last blocks may have fewer.
    ///   - target: has room for the plane's size over the block's.
    static func reduce(
        _ plane: Plane, over columns: Int, _ rows: Int, into target: UnsafeMutablePointer<UInt8>, bytesPerRow: Int,
        options: DecodeOptions
    ) throws(CodingError) {
        let size = size(of: plane.size, over: columns, rows)
        let room = try RowRoom(1, of: plane.size.width, SampleLayout(channels: .gray, component: .uint16))
        // 64 bytes of 255 fit into each.
        let sums = room.strip.base.bindMemory(to: UInt16.self, capacity: plane.size.width)
        defer { withExtendedLifetime(room) {} }
        for y in 0..<size.height {
            if y % 16 == 0 { try options.checkCancellation() }
            let first = y * rows
            let count = min(rows, plane.size.height - first)
            let start = plane.base + first * plane.bytesPerRow
            for x in 0..<plane.size.width { sums[x] = UInt16(start[x]) }
            for row in 1..<max(1, count) {
                let line = start + row * plane.bytesPerRow
                for x in 0..<plane.size.width { sums[x] &+= UInt16(line[x]) }
            }
            Self.average(sums, plane.size.width, columns, count, into: target + y * bytesPerRow)
        }
    }

    private static func average(
        _ sums: UnsafePointer<UInt16>, _ count: Int, _ columns: Int, _ rows: Int,
        into target: UnsafeMutablePointer<UInt8>
    ) {
        func average(_ start: Int, _ columns: Int) -> UInt8 {
            let area = UInt32(columns * rows)
            var sum = area / 2
            for column in start..<start + columns { sum &+= UInt32(sums[column]) }
            return UInt8(truncatingIfNeeded: sum / area)
        }
        let whole = count / columns
        for x in 0..<whole { target[x] = average(x * columns, columns) }
        if whole * columns < count { target[whole] = average(whole * columns, count - whole * columns) }
    }
}
#endif
