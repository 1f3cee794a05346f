import ByteBuffers
import Pixels

extension Bitmap {
    /// The picture at a smaller size: each pixel is the mean of those under it, the parts of pixels counted as such.
    ///
    /// - Throws: ``CodingError`` with `outOfMemory`, `unsupportedFeature` for pixels other than 8-bit RGBA, `encodingFailed`
    ///   for a size that is not positive.
    func shrunk(to target: PixelSize) throws(CodingError) -> Bitmap {
        guard target != size else { return self }
        guard format == .rgba8 || format == .rgbx8 else {
            throw CodingError(.unsupportedFeature, "Only 8-bit RGBA pixels are made smaller while encoding.")
        }
        guard target.isPositive, target.width <= width, target.height <= height else {
            throw CodingError(.encodingFailed, "\(size) pixels cannot be made smaller to \(target).")
        }
        do {
            var result = try Bitmap(uninitialized: target, format: format)
            let stride = result.bytesPerRow
            try result.withUnsafeMutableBytes { room in
                withUnsafeBytes { pixels in
                    guard let base = pixels.baseAddress, let room = room.baseAddress else { return }
                    Shrinking(source: base, sourceStride: bytesPerRow, size: size, target: target)
                        .run(into: room, stride: stride)
                }
            }
            return result
        } catch {
            throw CodingError(.outOfMemory, "There is no memory to make the picture smaller.")
        }
    }
}

/// Sums weighted pixels, first across a row and then down, one row of sums at a time.
private struct Shrinking {
    let source: UnsafeRawPointer
    let sourceStride: Int
    let size: PixelSize
    let target: PixelSize

    func run(into room: UnsafeMutableRawPointer, stride: Int) {
        let columns = Self.spans(size.width, into: target.width)
        var sums = [SIMD4<Float>](repeating: .zero, count: target.width)
        for (y, rows) in Self.spans(size.height, into: target.height).enumerated() {
            for index in sums.indices { sums[index] = .zero }
            for row in rows.pixels { add(row, weight: rows.weight(of: row), columns, to: &sums) }
            for (x, sum) in sums.enumerated() {
                let mean = sum / (columns[x].length * rows.length)
                let bytes = SIMD4<UInt8>(truncatingIfNeeded: mean.wholes(to: 255))
                room.storeBytes(of: bytes, toByteOffset: y * stride + x * 4, as: SIMD4<UInt8>.self)
            }
        }
    }

    private func add(_ row: Int, weight: Float, _ columns: [Span], to sums: inout [SIMD4<Float>]) {
        let pixels = source + row * sourceStride
        for (x, span) in columns.enumerated() {
            var sum = SIMD4<Float>.zero
            for column in span.pixels {
                let pixel = SIMD4<Float>(pixels.loadUnaligned(fromByteOffset: column * 4, as: SIMD4<UInt8>.self))
                sum += pixel * span.weight(of: column)
            }
            sums[x] += sum * weight
        }
    }

    /// What lies under one pixel of the result, along one axis.
    private struct Span {
        let start: Float
        let end: Float
        let pixels: Range<Int>

        var length: Float { end - start }

        func weight(of pixel: Int) -> Float { min(end, Float(pixel + 1)) - max(start, Float(pixel)) }
    }

    private static func spans(_ length: Int, into count: Int) -> [Span] {
        (0..<count).map { index in
            let start = Double(index) * Double(length) / Double(count)
            let end = Double(index + 1) * Double(length) / Double(count)
            return Span(
                start: Float(start), end: Float(end), pixels: Int(start)..<min(length, Int(end.rounded(.up))))
        }
    }
}
