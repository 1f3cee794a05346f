import ByteBuffers
import Pixels

/// The one way in which steps see pixels: row by row as floats, whatever the format.
extension Bitmap {
    /// Calls `body` for every row of a part of the picture.
    ///
    /// - Parameter rect: inside the picture.
    func readRows(
        of rect: PixelRect? = nil, kernels: PixelKernels = .native,
        _ body: (_ y: Int, _ row: UnsafePointer<Pixel>) throws -> Void
    ) throws {
        let rect = rect ?? PixelRect(size)
        let line = try ScratchBuffer<Pixel>(count: rect.width)
        let converter = RowConverter(format, kernels: kernels)
        try withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            for y in rect.y..<rect.y + rect.height {
                let row = base + y * bytesPerRow + rect.x * format.bytesPerPixel
                converter.load(row, into: line.base, count: rect.width)
                try body(y, line.base)
            }
        }
    }

    /// Lets `body` change every row of a part of the picture.
    ///
    /// - Parameter rect: inside the picture.
    mutating func editRows(
        of rect: PixelRect? = nil, kernels: PixelKernels = .native,
        _ body: (_ y: Int, _ row: UnsafeMutablePointer<Pixel>) throws -> Void
    ) throws {
        let rect = rect ?? PixelRect(size)
        let line = try ScratchBuffer<Pixel>(count: rect.width)
        let converter = RowConverter(format, kernels: kernels)
        let (stride, pixelBytes) = (bytesPerRow, format.bytesPerPixel)
        try withUnsafeMutableBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            for y in rect.y..<rect.y + rect.height {
                let row = base + y * stride + rect.x * pixelBytes
                converter.load(row, into: line.base, count: rect.width)
                try body(y, line.base)
                converter.store(line.base, into: row, count: rect.width)
            }
        }
    }

    /// Lets `body` set every row, whatever was there.
    mutating func makeRows(_ body: (_ y: Int, _ row: UnsafeMutablePointer<Pixel>) throws -> Void) throws {
        let line = try ScratchBuffer<Pixel>(count: width)
        let converter = RowConverter(format)
        let (stride, width, height) = (bytesPerRow, width, height)
        try withUnsafeMutableBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            for y in 0..<height {
                try body(y, line.base)
                converter.store(line.base, into: base + y * stride, count: width)
            }
        }
    }

    /// The same pixels in another format; the same bitmap, or its memory, where the bytes say the same.
    ///
    /// - Parameter format: one that holds all that is there.
    func converted(to format: PixelFormat, kernels: PixelKernels = .native) throws -> Bitmap {
        if format == self.format { return self }
        if self.format.isOpaque, format.channels == self.format.channels, format.component == self.format.component {
            return relabelled(as: format)
        }
        var result = try Bitmap.room(size, format)
        let converter = RowConverter(format, kernels: kernels)
        let stride = result.bytesPerRow
        try result.withUnsafeMutableBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            try readRows(kernels: kernels) { y, row in
                converter.store(row, into: base + y * stride, count: width)
            }
        }
        return result
    }

    /// A picture of one colour.
    static func filled(_ color: PixelColor, size: PixelSize, format: PixelFormat) throws -> Bitmap {
        var result = try room(size, format)
        let stride = result.bytesPerRow
        let line = try ScratchBuffer<Pixel>(count: size.width)
        line.base.update(repeating: color.pixel, count: size.width)
        try result.withUnsafeMutableBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            RowConverter(format).store(line.base, into: base, count: size.width)
            for y in 1..<max(1, size.height) {
                (base + y * stride).copyMemory(from: base, byteCount: size.width * format.bytesPerPixel)
            }
        }
        return result
    }

    /// A bitmap whose pixels are not set yet.
    static func room(_ size: PixelSize, _ format: PixelFormat) throws(ProcessingError) -> Bitmap {
        do throws(AllocationError) {
            return try Bitmap(uninitialized: size, format: format)
        } catch {
            throw .outOfMemory(byteCount: error.byteCount)
        }
    }
}

extension PixelColor {
    var pixel: Pixel {
        let straight = Pixel(Float(red), Float(green), Float(blue), 255) / 255
        return straight * (Float(alpha) / 255)
    }

    /// - Parameter pixel: values outside 0…1 are clamped.
    init(_ pixel: Pixel) {
        let straight = pixel.w > 0 ? pixel / pixel.w : .zero
        self.init(
            red: UInt8(level: straight.x), green: UInt8(level: straight.y), blue: UInt8(level: straight.z),
            alpha: UInt8(level: pixel.w))
    }
}
