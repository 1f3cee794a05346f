import Pixels

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension Bitmap {
    /// The picture turned clockwise about its centre.
    ///
    /// Quarter turns move pixels and make no new ones. Any other angle takes each new pixel from the four nearest old ones,
    /// and smooths the picture's edges.
    ///
    /// - Parameters:
    ///   - degrees: finite; more than a turn is the same as what is left of it.
    ///   - growsCanvas: the result is as large as the turned picture needs; without it, it keeps the picture's size and cuts
    ///     off what stands out.
    ///   - background: what is seen where the picture is not, or is transparent.
    func rotated(degrees: Double, growsCanvas: Bool, background: PixelColor) throws -> Bitmap {
        guard degrees.isFinite else {
            throw ProcessingError(.invalidParameter, "A picture can't be turned by \(degrees) degrees.")
        }
        let rest = degrees.truncatingRemainder(dividingBy: 360)
        let angle = rest < 0 ? rest + 360 : rest
        if let orientation = Self.quarterTurns[angle] {
            let turned = try oriented(by: orientation)
            if growsCanvas || turned.size == size { return try turned.flattened(on: background) }
            return try turned.placed(at: Gravity.center.place(turned.size, in: size), in: size, on: background)
        }
        let turning = Turning(radians: angle * .pi / 180, source: size)
        let canvas = growsCanvas ? turning.canvas : size
        try canvas.checkedAsResult()
        let format = format.widened(alpha: !background.isOpaque, color: !background.isGray)
        var result = try Bitmap.room(canvas, format)
        switch self.format.component {
        case .uint8: try turn(UInt8.self, turning, into: &result, on: background.pixel)
        case .uint16: try turn(UInt16.self, turning, into: &result, on: background.pixel)
        case .float32: try turn(Float.self, turning, into: &result, on: background.pixel)
        }
        return result
    }

    /// 360 is what a tiny negative angle becomes.
    private static let quarterTurns: [Double: Orientation] = [0: .up, 90: .right, 180: .down, 270: .left, 360: .up]

    private func turn<Component: PixelComponent>(
        _: Component.Type, _ turning: Turning, into result: inout Bitmap, on background: Pixel
    ) throws {
        let (canvas, stride) = (result.size, result.bytesPerRow)
        let input = RowConverter(format)
        let output = RowConverter(result.format)
        let line = try ScratchBuffer<Pixel>(count: canvas.width)
        let pixelBytes = format.bytesPerPixel
        try result.withUnsafeMutableBytes { bytes in
            withUnsafeBytes { source in
                guard let base = bytes.baseAddress, let source = source.baseAddress else { return }
                @inline(__always) func pixel(_ x: Int, _ y: Int) -> Pixel {
                    guard x >= 0, x < width, y >= 0, y < height else { return .zero }
                    return input.pixel(at: source + y * bytesPerRow + x * pixelBytes, as: Component.self)
                }
                for y in 0..<canvas.height {
                    line.base.update(repeating: background, count: canvas.width)
                    for x in turning.columns(ofRow: y, in: canvas) {
                        let (u, v) = turning.source(ofX: x, y: y, in: canvas)
                        let (left, top) = (u.rounded(.down), v.rounded(.down))
                        let (column, row) = (Int(left), Int(top))
                        let (across, along) = (Float(u - left), Float(v - top))
                        let upper = pixel(column, row) * (1 - across) + pixel(column + 1, row) * across
                        let lower = pixel(column, row + 1) * (1 - across) + pixel(column + 1, row + 1) * across
                        let mixed = upper * (1 - along) + lower * along
                        line.base[x] = mixed + background * (1 - mixed.w)
                    }
                    output.store(line.base, into: base + y * stride, count: canvas.width)
                }
            }
        }
    }
}

/// Where the pixels of a turned picture come from.
private struct Turning {
    let cosine: Double
    let sine: Double
    let source: PixelSize

    init(radians: Double, source: PixelSize) {
        cosine = cos(radians)
        sine = sin(radians)
        self.source = source
    }

    /// The smallest size that the turned picture fits in. Rounding errors don't make it larger.
    var canvas: PixelSize {
        func side(_ along: Int, _ across: Int) -> Int {
            let length = Double(along) * abs(cosine) + Double(across) * abs(sine)
            return max(1, Int((length - 1e-6).rounded(.up)))
        }
        return PixelSize(width: side(source.width, source.height), height: side(source.height, source.width))
    }

    /// The place in the source of a result's pixel; whole numbers are centres of pixels.
    @inline(__always)
    func source(ofX x: Int, y: Int, in canvas: PixelSize) -> (Double, Double) {
        let right = Double(x) + 0.5 - Double(canvas.width) / 2
        let down = Double(y) + 0.5 - Double(canvas.height) / 2
        return (
            right * cosine + down * sine + Double(source.width) / 2 - 0.5,
            down * cosine - right * sine + Double(source.height) / 2 - 0.5
        )
    }

    /// The pixels of a row that anything of the source is seen in, and at most two more.
    func columns(ofRow y: Int, in canvas: PixelSize) -> Range<Int> {
        let (u, v) = source(ofX: 0, y: y, in: canvas)
        var (first, last) = (0.0, Double(canvas.width - 1))
        // Between -1 and the length on both axes, which change by the cosine and the sine for each pixel.
        for (start, step, length) in [(u, cosine, source.width), (v, -sine, source.height)] {
            guard step != 0 else { continue }
            let ends = [(-1 - start) / step, (Double(length) - start) / step]
            first = max(first, min(ends[0], ends[1]))
            last = min(last, max(ends[0], ends[1]))
        }
        guard first <= last else { return 0..<0 }
        return max(0, Int(first.rounded(.down)))..<min(canvas.width, Int(last.rounded(.up)) + 1)
    }
}
