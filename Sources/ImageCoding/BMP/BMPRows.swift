import Pixels

/// Unpacks a bitmap's rows to straight RGBA.
struct BMPRows {
    let header: BMPHeader
    private let pixels: UnsafeRawBufferPointer
    /// Red, green and blue of each colour, 256 of them.
    private let palette: [UInt8]

    /// - Parameters:
    ///   - bytes: start at the header.
    ///   - pixelStart: where the pixels start, counted from there.
    init(_ header: BMPHeader, _ bytes: BoundedBytes, pixelStart: Int, format: ImageFormat) throws(CodingError) {
        self.header = header
        var palette = [UInt8](repeating: 0, count: 768)
        for index in 0..<min(header.palette.count, 256) {
            let entry = header.palette.start + index * header.palette.entry
            for channel in 0..<3 { palette[index * 3 + channel] = bytes[entry + 2 - channel] ?? 0 }
        }
        self.palette = palette
        guard pixelStart >= 0, pixelStart <= bytes.count else {
            throw CodingError(.truncated, "The file ends before the bitmap's pixels.", format: format)
        }
        let rest = UnsafeRawBufferPointer(rebasing: bytes.bytes[pixelStart...])
        if header.compression != .runs8, header.compression != .runs4 {
            guard rest.count / header.bytesPerRow >= header.size.height else {
                throw CodingError(.truncated, "The file ends before the bitmap does.", format: format)
            }
        }
        pixels = rest
    }

    /// Where the bytes behind the rows start, an icon's mask for example.
    var behindRows: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: pixels[(header.bytesPerRow * header.size.height)...])
    }

    /// Unpacks a row without runs, counted from the top.
    func unpack(_ row: Int, into target: UnsafeMutableRawPointer) {
        let line = header.isTopDown ? row : header.size.height - 1 - row
        let source = UnsafeRawBufferPointer(
            rebasing: pixels[line * header.bytesPerRow..<(line + 1) * header.bytesPerRow])
        switch header.bits {
        case 24:
            for x in 0..<header.size.width {
                write(source[x * 3 + 2], source[x * 3 + 1], source[x * 3], 255, at: target + x * 4)
            }
        case 16, 32:
            guard let masks = header.masks else { return }
            let step = header.bits / 8
            for x in 0..<header.size.width {
                let pixel =
                    step == 2
                    ? UInt32(source.loadUnaligned(fromByteOffset: x * 2, as: UInt16.self).littleEndian)
                    : source.loadUnaligned(fromByteOffset: x * 4, as: UInt32.self).littleEndian
                write(
                    masks.value(0, of: pixel), masks.value(1, of: pixel), masks.value(2, of: pixel),
                    masks.value(3, of: pixel), at: target + x * 4)
            }
        default:
            // The highest bits come first.
            let perByte = 8 / header.bits
            let mask = (1 << header.bits) - 1
            for x in 0..<header.size.width {
                let shift = (perByte - 1 - x % perByte) * header.bits
                color(Int(source[x / perByte]) >> shift & mask, at: target + x * 4)
            }
        }
    }

    /// Writes one colour of the palette.
    func color(_ index: Int, at target: UnsafeMutableRawPointer) {
        write(palette[index * 3], palette[index * 3 + 1], palette[index * 3 + 2], 255, at: target)
    }

    /// Unpacks the runs of a whole picture to indices, one byte each, from the bottom to the top as they come. What is jumped
    /// over keeps index 0.
    ///
    /// - Parameter indices: zeros, width × height of them.
    func unpackRuns(into indices: UnsafeMutableBufferPointer<UInt8>) throws(CodingError) {
        let (width, height) = (header.size.width, header.size.height)
        let isNibbles = header.compression == .runs4
        var (x, y, position) = (0, 0, 0)
        func byte() -> Int? {
            guard position < pixels.count else { return nil }
            defer { position += 1 }
            return Int(pixels[position])
        }
        func put(_ index: Int) {
            if x < width, y < height { indices[(height - 1 - y) * width + x] = UInt8(truncatingIfNeeded: index) }
            if x < width { x += 1 }
        }
        while y < height, let count = byte(), let value = byte() {
            switch (count, value) {
            case (0, 0): (x, y) = (0, y + 1)
            case (0, 1): return
            case (0, 2):
                guard let right = byte(), let up = byte() else { break }
                (x, y) = (min(width, x + right), y + up)
            case (0, _):
                let start = position
                for index in 0..<value {
                    let offset = start + (isNibbles ? index / 2 : index)
                    guard offset < pixels.count else { break }
                    let byte = Int(pixels[offset])
                    put(isNibbles ? index % 2 == 0 ? byte >> 4 : byte & 15 : byte)
                }
                // Runs of single pixels are filled up to two bytes.
                position = start + ((isNibbles ? (value + 1) / 2 : value) + 1) / 2 * 2
            default:
                for index in 0..<count { put(isNibbles ? index % 2 == 0 ? value >> 4 : value & 15 : value) }
            }
        }
        guard y >= height || (y == height - 1 && x >= width) else {
            throw CodingError(.truncated, "The bitmap's runs end before the picture does.", format: .bmp)
        }
    }

    @inline(__always)
    private func write(_ red: UInt8, _ green: UInt8, _ blue: UInt8, _ alpha: UInt8, at target: UnsafeMutableRawPointer)
    {
        let pixel = UInt32(red) | UInt32(green) << 8 | UInt32(blue) << 16 | UInt32(alpha) << 24
        target.storeBytes(of: pixel, as: UInt32.self)
    }
}
