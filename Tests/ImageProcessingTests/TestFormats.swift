import Pixels

@testable import ImageProcessing

extension PixelFormat {
    /// Every way in which a pixel can be stored.
    static let all: [PixelFormat] = [Component.uint8, .uint16, .float32].flatMap { component in
        let layouts: [(Channels, Alpha)] = [
            (.gray, .opaque), (.grayAlpha, .opaque), (.grayAlpha, .premultiplied), (.grayAlpha, .straight),
            (.rgb, .opaque), (.rgba, .opaque), (.rgba, .premultiplied), (.rgba, .straight),
        ]
        return layouts.map { PixelFormat(channels: $0.0, component: component, alpha: $0.1) }
    }

    var hasColor: Bool { channels == .rgb || channels == .rgba }

    /// Half a step of what can be stored, or what floats lose on the way.
    var halfStep: Float {
        switch component {
        case .uint8: 0.5 / 255
        case .uint16: 0.5 / 65_535
        case .float32: 2e-6
        }
    }
}

extension Bitmap {
    /// A picture in any format, written number by number.
    ///
    /// - Parameter color: red, green, blue and alpha of a pixel, straight, 0 to 1. A grey picture takes the red, an opaque
    ///   one no alpha.
    static func drawn(
        _ width: Int, _ height: Int, _ format: PixelFormat, _ color: (Int, Int) -> SIMD4<Float>
    ) throws -> Bitmap {
        var result = try Bitmap(uninitialized: PixelSize(width: width, height: height), format: format)
        let stride = result.bytesPerRow
        try result.withUnsafeMutableBytes { bytes in
            for y in 0..<height {
                for x in 0..<width {
                    var pixel = color(x, y)
                    if format.isOpaque { pixel.w = 1 }
                    let alpha = pixel.w
                    if format.alpha == .premultiplied { pixel *= SIMD4(alpha, alpha, alpha, 1) }
                    let numbers: [Float] =
                        switch format.channels {
                        case .gray: [pixel.x]
                        case .grayAlpha: [pixel.x, alpha]
                        case .rgb: [pixel.x, pixel.y, pixel.z]
                        case .rgba: [pixel.x, pixel.y, pixel.z, alpha]
                        }
                    for (index, number) in numbers.enumerated() {
                        let at = y * stride + x * format.bytesPerPixel + index * format.component.byteCount
                        switch format.component {
                        case .uint8: bytes[at] = UInt8((number * 255).rounded())
                        case .uint16:
                            bytes.storeBytes(of: UInt16((number * 65_535).rounded()), toByteOffset: at, as: UInt16.self)
                        case .float32: bytes.storeBytes(of: number, toByteOffset: at, as: Float.self)
                        }
                    }
                }
            }
        }
        return result
    }

    /// Slopes, edges and every opacity.
    static func sample(_ width: Int, _ height: Int, _ format: PixelFormat) throws -> Bitmap {
        try drawn(width, height, format) { x, y in
            let edge: Float = (x / 3 + y / 2) % 2 == 0 ? 1 : 0.2
            return SIMD4(edge, Float(x % 17) / 17, Float(y % 11) / 11, Float((x * 37 + y * 59) % 256) / 255)
        }
    }

    /// All pixels as floats, multiplied by alpha.
    func floats() throws -> [Pixel] {
        var pixels: [Pixel] = []
        try readRows(kernels: .swift) { _, row in
            for x in 0..<width { pixels.append(row[x]) }
        }
        return pixels
    }
}
