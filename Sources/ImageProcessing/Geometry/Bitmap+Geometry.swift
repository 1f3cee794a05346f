import Pixels

extension Bitmap {
    /// Exactly the wanted size, larger or smaller.
    func resized(exactly wanted: PixelSize, mode: ScaleMode, filter: ResampleFilter) throws -> Bitmap {
        try wanted.checkedAsResult()
        func placement(_ fit: Fit) -> PixelSize {
            TargetSize(width: wanted.width, height: wanted.height, fit: fit, allowsUpscaling: true)
                .placement(of: size).scaled
        }
        switch mode {
        case .stretch:
            return try resized(scaledTo: wanted, filter: filter)
        case .cover(let gravity):
            let scaled = placement(.cover)
            let origin = gravity.place(scaled, in: wanted)
            let kept = PixelRect(x: -origin.x, y: -origin.y, width: wanted.width, height: wanted.height)
            return try resized(scaledTo: scaled, crop: kept, filter: filter)
        case .letterbox(let color):
            let fitted = try resized(scaledTo: placement(.contain), filter: filter)
            return try fitted.placed(at: Gravity.center.place(fitted.size, in: wanted), in: wanted, on: color)
        }
    }

    /// A part of at most the given size.
    func cropped(to wanted: PixelSize, gravity: Gravity) throws -> Bitmap {
        guard wanted.isPositive else {
            throw ProcessingError(
                .invalidCrop, "A part of \(wanted) pixels can't be kept; both sides have to be positive.")
        }
        let kept = PixelSize(width: min(width, wanted.width), height: min(height, wanted.height))
        return try cropped(to: gravity.place(kept, in: size))
    }

    func padded(_ insets: PixelInsets, color: PixelColor) throws -> Bitmap {
        let sides = [insets.top, insets.left, insets.bottom, insets.right]
        guard sides.allSatisfy({ $0 >= 0 }) else {
            throw ProcessingError(.invalidParameter, "Padding can't be negative; crop the picture instead.")
        }
        if sides.allSatisfy({ $0 == 0 }) { return try flattened(on: color) }
        func sum(_ length: Int, _ before: Int, _ after: Int) -> Int {
            let limit = PixelSize.longestResultSide + 1
            return min(limit, length) + min(limit, before) + min(limit, after)
        }
        let wanted = PixelSize(
            width: sum(width, insets.left, insets.right), height: sum(height, insets.top, insets.bottom))
        try wanted.checkedAsResult()
        return try placed(
            at: PixelRect(x: insets.left, y: insets.top, width: width, height: height), in: wanted, on: color)
    }

    /// The picture in a larger or smaller one of a colour, over which it is laid.
    ///
    /// - Parameter place: where it lies; of its size. What stands out is cut off.
    func placed(at place: PixelRect, in canvas: PixelSize, on color: PixelColor) throws -> Bitmap {
        if place == PixelRect(canvas) { return try flattened(on: color) }
        let covered = place.clamped(to: canvas)
        let format = format.widened(alpha: !color.isOpaque, color: !color.isGray)
        // Transparent parts of the picture show the colour, too.
        let source = try flattened(on: color).converted(to: format)
        var result = try Bitmap.filled(color, size: canvas, format: format)
        guard !covered.isEmpty else { return result }
        let (stride, pixel) = (result.bytesPerRow, format.bytesPerPixel)
        try result.withUnsafeMutableBytes { output in
            source.withUnsafeBytes { input in
                guard let output = output.baseAddress, let input = input.baseAddress else { return }
                for y in covered.y..<covered.y + covered.height {
                    let from = input + (y - place.y) * source.bytesPerRow + (covered.x - place.x) * pixel
                    (output + y * stride + covered.x * pixel).copyMemory(from: from, byteCount: covered.width * pixel)
                }
            }
        }
        return result
    }

    func flipped(_ axis: FlipAxis) throws -> Bitmap {
        switch axis {
        case .horizontal: try oriented(by: .upMirrored)
        case .vertical: try oriented(by: .downMirrored)
        case .both: try oriented(by: .down)
        }
    }
}
