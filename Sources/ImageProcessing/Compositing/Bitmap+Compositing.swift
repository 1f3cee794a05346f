import Pixels

extension Bitmap {
    /// A colour laid over the whole picture. One without any opacity changes nothing, whatever the mode.
    func tinted(_ color: PixelColor, mode: BlendMode, kernels: PixelKernels = .native) throws -> Bitmap {
        if color.alpha == 0 || mode == .destination { return self }
        var source = color.pixel
        let format = format.widened(
            alpha: !mode.keepsOpacity(sourceIsOpaque: color.isOpaque), color: !color.isGray)
        let blender = Blender(mode: mode, kernels: kernels)
        var result = try converted(to: format, kernels: kernels)
        try result.editRows(kernels: kernels) { _, row in
            blender.blend(&source, step: 0, over: row, count: width)
        }
        return result
    }

    /// Another picture laid over this one; what stands out is cut off.
    ///
    /// Outside the other picture's rectangle nothing changes, whatever the mode.
    func overlaid(_ overlay: Overlay, kernels: PixelKernels = .native) throws -> Bitmap {
        try ProcessingError.check(overlay.opacity, "opacity of the overlay", in: 0...1)
        let place = overlay.place(in: size)
        let covered = place.clamped(to: size)
        let above = overlay.bitmap
        let isOpaque = overlay.opacity == 1 && above.format.isOpaque
        if covered.isEmpty || overlay.mode == .destination
            || (overlay.opacity == 0 && overlay.mode.keepsBackdropUnderNothing)
        {
            return self
        }
        let hasColor = above.format.channels == .rgb || above.format.channels == .rgba
        let format = format.widened(
            alpha: !overlay.mode.keepsOpacity(sourceIsOpaque: isOpaque), color: hasColor)
        var result = try converted(to: format, kernels: kernels)
        let blender = Blender(mode: overlay.mode, kernels: kernels)
        let line = try ScratchBuffer<Pixel>(count: covered.width)
        let source = RowConverter(above.format, kernels: kernels)
        let opacity = Float(overlay.opacity)
        try above.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            let first = base + (covered.x - place.x) * above.format.bytesPerPixel
            try result.editRows(of: covered, kernels: kernels) { y, row in
                source.load(first + (y - place.y) * above.bytesPerRow, into: line.base, count: covered.width)
                if opacity < 1 {
                    for x in 0..<covered.width { line.base[x] *= opacity }
                }
                blender.blend(line.base, over: row, count: covered.width)
            }
        }
        return result
    }

    /// The picture laid on a colour.
    func flattened(on color: PixelColor) throws -> Bitmap {
        format.isOpaque || color.alpha == 0 ? self : try tinted(color, mode: .destinationOver)
    }
}

extension BlendMode {
    /// A source without any opacity leaves the backdrop as it is.
    var keepsBackdropUnderNothing: Bool {
        switch self {
        case .clear, .source, .sourceIn, .destinationIn, .sourceOut, .destinationAtop: false
        default: true
        }
    }
}
