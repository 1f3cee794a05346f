import Pixels

/// Reads rows of any pixel format as ``Pixel``s and writes them back. What was read is written back as it was.
///
/// Numbers that are none count as 0, alpha as within 0…1. Colours of straight alpha are lost where alpha is 0.
struct RowConverter: Sendable {
    let format: PixelFormat
    let kernels: PixelKernels

    init(_ format: PixelFormat, kernels: PixelKernels = .native) {
        self.format = format
        self.kernels = kernels
    }

    func load(_ row: UnsafeRawPointer, into pixels: UnsafeMutablePointer<Pixel>, count: Int) {
        switch format.component {
        case .uint8 where format == .rgba8 || format == .rgbx8:
            kernels.load(row.assumingMemoryBound(to: UInt8.self), into: pixels, count: count)
        case .uint8: load(row, as: UInt8.self, into: pixels, count: count)
        case .uint16: load(row, as: UInt16.self, into: pixels, count: count)
        case .float32: load(row, as: Float.self, into: pixels, count: count)
        }
    }

    func store(_ pixels: UnsafePointer<Pixel>, into row: UnsafeMutableRawPointer, count: Int) {
        switch format.component {
        case .uint8 where format == .rgba8 || format == .rgbx8:
            kernels.store(
                pixels, into: row.assumingMemoryBound(to: UInt8.self), count: count, opaque: format.isOpaque)
        case .uint8: store(pixels, into: row, as: UInt8.self, count: count)
        case .uint16: store(pixels, into: row, as: UInt16.self, count: count)
        case .float32: store(pixels, into: row, as: Float.self, count: count)
        }
    }

    private func load<Component: PixelComponent>(
        _ row: UnsafeRawPointer, as _: Component.Type, into pixels: UnsafeMutablePointer<Pixel>, count: Int
    ) {
        for x in 0..<count { pixels[x] = pixel(at: row + x * format.bytesPerPixel, as: Component.self) }
    }

    /// One pixel, whatever the alignment.
    @inline(__always)
    func pixel<Component: PixelComponent>(at address: UnsafeRawPointer, as _: Component.Type) -> Pixel {
        func level(_ index: Int) -> Float {
            address.loadUnaligned(fromByteOffset: index * MemoryLayout<Component>.size, as: Component.self).level
        }
        var pixel =
            switch format.channels {
            case .gray: Pixel(level(0), level(0), level(0), 1)
            case .grayAlpha: Pixel(level(0), level(0), level(0), level(1))
            case .rgb: Pixel(level(0), level(1), level(2), 1)
            case .rgba: Pixel(level(0), level(1), level(2), level(3))
            }
        let alpha = format.isOpaque ? 1 : min(max(pixel.w, 0), 1)
        if format.alpha == .straight { pixel *= alpha }
        pixel.w = alpha
        return pixel
    }

    private func store<Component: PixelComponent>(
        _ pixels: UnsafePointer<Pixel>, into row: UnsafeMutableRawPointer, as _: Component.Type, count: Int
    ) {
        let size = MemoryLayout<Component>.size
        for x in 0..<count {
            var pixel = pixels[x]
            let alpha = format.isOpaque ? 1 : min(max(pixel.w, 0), 1)
            // What has no opacity has no colour either.
            if alpha == 0 { pixel = .zero }
            if format.alpha == .straight {
                if alpha > 0 { pixel /= alpha }
            } else if Component.isBounded {
                pixel = pointwiseMin(pixel, Pixel(repeating: alpha))
            }
            let address = row + x * format.bytesPerPixel
            func put(_ index: Int, _ level: Float) {
                address.storeBytes(of: Component(level: level), toByteOffset: index * size, as: Component.self)
            }
            put(0, pixel.x)
            switch format.channels {
            case .gray: break
            case .grayAlpha: put(1, alpha)
            case .rgb, .rgba:
                put(1, pixel.y)
                put(2, pixel.z)
                if format.channels == .rgba { put(3, alpha) }
            }
        }
    }
}
