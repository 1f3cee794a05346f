public import Pixels

extension Bitmap {
    /// The picture in the size that is wanted: scaled to fit or to fill the box, and cut where it stands out.
    ///
    /// - Parameters:
    ///   - target: the box and how to meet it; the picture is made larger only where it allows that.
    ///   - filter: how new pixels are made of old ones.
    /// - Throws: ``ProcessingError`` when the target is not valid, the result would be too large, or there is no memory.
    public func resized(to target: TargetSize, filter: ResampleFilter = .lanczos3) throws -> Bitmap {
        guard target.isValid else {
            throw ProcessingError(
                .invalidSize, "A target needs a width or a height, from 1 to \(TargetSize.maximumSide) pixels each.")
        }
        let placement = target.placement(of: size)
        if placement.crop.size != size { try placement.crop.size.checkedAsResult() }
        return try resized(scaledTo: placement.scaled, crop: placement.crop, filter: filter)
    }

    /// The picture scaled to a size, whatever its shape.
    ///
    /// - Parameters:
    ///   - scaled: the size that the whole picture is scaled to; it may be larger.
    ///   - crop: the part of `scaled` that is kept, all of it by default.
    ///   - filter: how new pixels are made of old ones.
    /// - Throws: ``ProcessingError``, as ``ResamplingSink/begin(_:)`` does. When nothing changes, the same bitmap returns.
    public func resized(
        scaledTo scaled: PixelSize, crop: PixelRect? = nil, filter: ResampleFilter = .lanczos3
    ) throws -> Bitmap {
        try resized(scaledTo: scaled, crop: crop, filter: filter, gap: ResamplingPlan.defaultGap, kernels: .native)
    }

    func resized(
        scaledTo scaled: PixelSize, crop: PixelRect?, filter: ResampleFilter, gap: Double?, kernels: PixelKernels
    ) throws -> Bitmap {
        let plan = try ResamplingPlan(
            source: size, format: format, scaled: scaled, crop: crop, filter: filter, gap: gap)
        if plan.isIdentity, plan.isWhole { return self }
        let resampling = try Resampling(plan, format: format, kernels: kernels)
        withUnsafeBytes { bytes in
            if let base = bytes.baseAddress { resampling.take(base, bytesPerRow: bytesPerRow, rowCount: height) }
        }
        guard let result = resampling.bitmap else { preconditionFailure("all rows were taken") }
        return result
    }

    /// A part of the picture, in memory of its own. Works for every pixel format.
    ///
    /// - Parameter rect: what to keep; what reaches outside the picture is left out.
    /// - Throws: ``ProcessingError`` when nothing of `rect` lies inside the picture, or there is no memory.
    public func cropped(to rect: PixelRect) throws -> Bitmap {
        let kept = rect.clamped(to: size)
        guard !kept.isEmpty else {
            throw ProcessingError(.invalidCrop, "Nothing of the rectangle lies inside the picture of \(size) pixels.")
        }
        if kept == PixelRect(size) { return self }
        var result = try Bitmap.room(kept.size, format)
        let (pixel, target) = (format.bytesPerPixel, result.bytesPerRow)
        try result.withUnsafeMutableBytes { output in
            withUnsafeBytes { source in
                guard let source = source.baseAddress, let output = output.baseAddress else { return }
                for row in 0..<kept.height {
                    (output + row * target).copyMemory(
                        from: source + (kept.y + row) * bytesPerRow + kept.x * pixel, byteCount: kept.width * pixel)
                }
            }
        }
        return result
    }
}
