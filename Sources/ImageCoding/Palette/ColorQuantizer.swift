/// Gives each pixel of a picture one of at most 256 colours.
package struct ColorQuantizer {
    /// Opaque pixels in the byte order of memory; empty when nothing is to be drawn.
    package let palette: [UInt32]
    /// The index behind the palette's, for pixels that are left alone; `nil` when there are none.
    package let transparentIndex: UInt8?

    /// Where a picture has no more colours than fit: each one's index.
    private let exact: [UInt32: UInt8]?
    /// The index for a cell of 5 bits a channel, -1 where it has not been asked for.
    private var nearest: [Int16] = []

    /// - Parameter pixels: opaque ones, and 0 for those that are left alone.
    package init(_ pixels: UnsafeBufferPointer<UInt32>) {
        let hasGaps = pixels.contains(0)
        let room = hasGaps ? 255 : 256
        var exact: [UInt32: UInt8] = [:]
        var isExact = true
        var last: UInt32 = 0
        for pixel in pixels where pixel != 0 && pixel != last {
            last = pixel
            guard exact[pixel] == nil else { continue }
            guard exact.count < room else {
                isExact = false
                break
            }
            exact[pixel] = UInt8(exact.count)
        }
        if isExact {
            palette = exact.sorted { $0.value < $1.value }.map(\.key)
            self.exact = exact
        } else {
            var histogram = ColorHistogram()
            for pixel in pixels where pixel != 0 { histogram.add(pixel) }
            palette = histogram.palette(atMost: room)
            self.exact = nil
            nearest = Array(repeating: -1, count: 1 << 15)
        }
        transparentIndex = hasGaps ? UInt8(palette.count) : nil
    }

    /// Writes the index of each pixel.
    ///
    /// - Parameters:
    ///   - isDithered: spreads what a colour is off over the pixels to the right and below (Floyd and Steinberg, 1976).
    ///   - indices: room for as many as there are pixels.
    package mutating func map(
        _ pixels: UnsafeBufferPointer<UInt32>, width: Int, isDithered: Bool, into indices: UnsafeMutablePointer<UInt8>
    ) {
        if let exact {
            for (offset, pixel) in pixels.enumerated() { indices[offset] = exact[pixel] ?? transparentIndex ?? 0 }
            return
        }
        // What each pixel of this row and the next has still to get, in sixteenths, with one pixel of margin.
        var row = [SIMD4<Int32>](repeating: .zero, count: width + 2)
        var following = row
        for (offset, pixel) in pixels.enumerated() {
            let x = offset % width
            if x == 0 {
                swap(&row, &following)
                for index in following.indices { following[index] = .zero }
            }
            guard pixel != 0 else {
                indices[offset] = transparentIndex ?? 0
                continue
            }
            let wanted = isDithered ? Self.channels(pixel) &+ (row[x + 1] &+ 8) &>> 4 : Self.channels(pixel)
            let inside = wanted.clamped(lowerBound: .zero, upperBound: SIMD4(repeating: 255))
            let index = closest(to: inside)
            indices[offset] = index
            guard isDithered else { continue }
            let error = inside &- Self.channels(palette[Int(index)])
            row[x + 2] &+= error &* 7
            following[x] &+= error &* 3
            following[x + 1] &+= error &* 5
            following[x + 2] &+= error
        }
    }

    private static func channels(_ pixel: UInt32) -> SIMD4<Int32> {
        SIMD4(Int32(pixel & 0xFF), Int32(pixel >> 8 & 0xFF), Int32(pixel >> 16 & 0xFF), 0)
    }

    /// The palette's colour that is nearest to the middle of the wanted one's cell.
    private mutating func closest(to color: SIMD4<Int32>) -> UInt8 {
        let cell = color &>> 3
        let key = Int(cell.x << 10 | cell.y << 5 | cell.z)
        if nearest[key] >= 0 { return UInt8(nearest[key]) }
        let middle = SIMD4(cell.x, cell.y, cell.z, 0) &<< 3 &+ SIMD4(4, 4, 4, 0)
        var best = 0
        var least = Int32.max
        for (index, candidate) in palette.enumerated() {
            let difference = Self.channels(candidate) &- middle
            let distance = (difference &* difference).wrappedSum()
            if distance < least { (best, least) = (index, distance) }
        }
        nearest[key] = Int16(best)
        return UInt8(best)
    }
}
