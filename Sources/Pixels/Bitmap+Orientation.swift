import ByteBuffers

extension Bitmap {
    /// The picture as it is seen: stored rows turned and mirrored by an orientation.
    ///
    /// Works for every pixel format. Time is linear in the pixels; pictures that change their axes are walked in tiles,
    /// so that both sides stay in the processor's cache.
    ///
    /// - Throws: ``AllocationError``. ``Orientation/up`` returns the same bitmap.
    public func oriented(by orientation: Orientation) throws -> Bitmap {
        guard orientation != .up else { return self }
        var result = try Bitmap(uninitialized: orientation.applied(to: size), format: format)
        let stride = result.bytesPerRow
        try result.withUnsafeMutableBytes { target in
            withUnsafeBytes { source in
                guard let source = source.baseAddress, let target = target.baseAddress else { return }
                let walk = OrientationWalk(
                    source: source, sourceStride: bytesPerRow, size: size, target: target, targetStride: stride,
                    orientation: orientation)
                switch format.bytesPerPixel {
                case 1: walk.run(UInt8.self)
                case 2: walk.run(UInt16.self)
                case 4: walk.run(UInt32.self)
                case 8: walk.run(UInt64.self)
                case 16: walk.run(SIMD2<UInt64>.self)
                default: walk.runBytes(format.bytesPerPixel)
                }
            }
        }
        return result
    }
}

/// Copies every stored pixel to its place in the shown picture.
private struct OrientationWalk {
    let source: UnsafeRawPointer
    let sourceStride: Int
    let size: PixelSize
    let target: UnsafeMutableRawPointer
    let targetStride: Int
    let orientation: Orientation

    private static let tile = 32

    /// The shown picture's byte offset of stored pixel (0, 0), and the steps for one pixel right and one row down.
    private func layout(_ pixelBytes: Int) -> (origin: Int, right: Int, down: Int) {
        let shown = orientation.applied(to: PixelRect(x: 0, y: 0, width: 1, height: 1), in: size)
        let origin = shown.y * targetStride + shown.x * pixelBytes
        let (right, down): (Int, Int) =
            switch orientation {
            case .up: (pixelBytes, targetStride)
            case .upMirrored: (-pixelBytes, targetStride)
            case .down: (-pixelBytes, -targetStride)
            case .downMirrored: (pixelBytes, -targetStride)
            case .leftMirrored: (targetStride, pixelBytes)
            case .right: (targetStride, -pixelBytes)
            case .rightMirrored: (-targetStride, -pixelBytes)
            case .left: (-targetStride, pixelBytes)
            }
        return (origin, right, down)
    }

    func run<Pixel: BitwiseCopyable>(_: Pixel.Type) {
        let bytes = MemoryLayout<Pixel>.size
        let (origin, right, down) = layout(bytes)
        for tileY in stride(from: 0, to: size.height, by: Self.tile) {
            for tileX in stride(from: 0, to: size.width, by: Self.tile) {
                for y in tileY..<min(tileY + Self.tile, size.height) {
                    var from = source + y * sourceStride + tileX * bytes
                    var to = target + origin + y * down + tileX * right
                    for _ in tileX..<min(tileX + Self.tile, size.width) {
                        to.storeBytes(of: from.loadUnaligned(as: Pixel.self), as: Pixel.self)
                        from += bytes
                        to += right
                    }
                }
            }
        }
    }

    /// For pixels that no number type covers: RGB with 3 or 12 bytes, for example.
    func runBytes(_ bytes: Int) {
        let (origin, right, down) = layout(bytes)
        for y in 0..<size.height {
            for x in 0..<size.width {
                (target + origin + y * down + x * right)
                    .copyMemory(from: source + y * sourceStride + x * bytes, byteCount: bytes)
            }
        }
    }
}
