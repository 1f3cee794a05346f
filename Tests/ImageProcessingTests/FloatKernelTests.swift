import Pixels
import Testing
import WebImageTesting

@testable import ImageProcessing

@Suite struct FloatKernelTests {
    @Test(
        "P39: what is read is written back as it was, in every format", arguments: PixelFormat.all,
        PixelKernels.allCases)
    func roundTrip(format: PixelFormat, kernels: PixelKernels) throws {
        let source = try Bitmap.sample(67, 5, format)
        var copy = source
        try copy.editRows(kernels: kernels) { _, _ in }
        if format.alpha == .straight {
            // A colour without any opacity is none.
            #expect(
                try zip(copy.floats(), source.floats()).allSatisfy {
                    let distance = $0 - $1
                    return max(distance.max(), -distance.min()) <= format.halfStep / 2
                })
        } else {
            #expect(copy.pixels == source.pixels)
        }
    }

    @Test("P39: pixels are read as they were drawn, in every format", arguments: PixelFormat.all)
    func reading(format: PixelFormat) throws {
        func color(_ x: Int, _ y: Int) -> SIMD4<Float> { SIMD4(Float(x) / 15, Float(y) / 3, 0.25, Float(x + y) / 18) }
        let bitmap = try Bitmap.drawn(16, 4, format, color)
        for (index, pixel) in try bitmap.floats().enumerated() {
            var wanted = color(index % 16, index / 16)
            if format.isOpaque { wanted.w = 1 }
            if !format.hasColor { wanted = SIMD4(wanted.x, wanted.x, wanted.x, wanted.w) }
            let alpha = wanted.w
            wanted *= SIMD4(alpha, alpha, alpha, 1)
            let distance = pixel - wanted
            #expect(max(distance.max(), -distance.min()) <= format.halfStep * 2)
        }
    }

    @Test("P39: floats that are none or have no end, and alpha outside its range, do no harm")
    func oddFloats() throws {
        let odd: [Float] = [.nan, .infinity, -.infinity, 1e30, -1, 2]
        let bitmap = try Bitmap.drawn(6, 1, .rgbaFloat) { _, _ in SIMD4(0.5, 0.5, 0.5, 1) }
        for alpha in [PixelFormat.Alpha.premultiplied, .straight, .opaque] {
            var odder = bitmap.relabelled(as: PixelFormat(channels: .rgba, component: .float32, alpha: alpha))
            try odder.withUnsafeMutableBytes { bytes in
                let numbers = bytes.bindMemory(to: Float.self)
                for (x, number) in odd.enumerated() { numbers[x * 4 + x % 4] = number }
            }
            let steps: [ProcessingStep] = [
                .gaussianBlur(sigma: 5), .gaussianBlur(sigma: 1), .sharpen(), .colorMatrix(.sepia()),
                .rotate(degrees: 20),
                .resizeExactly(PixelSize(width: 3, height: 3)), .tint(.white, mode: .softLight),
            ]
            for step in steps {
                let made = try step.apply(to: odder).floats()
                #expect(made.allSatisfy { $0.x.isFinite && $0.y.isFinite && $0.z.isFinite && (0...1).contains($0.w) })
            }
            #expect(try odder.averageColor().alpha > 0)
        }
    }

    @Test("Bytes to floats and back: every level, both kernels", arguments: PixelKernels.allCases)
    func bytes(kernels: PixelKernels) {
        for count in [1, 2, 3, 64] {
            let bytes: [UInt8] = (0..<count * 4).map { index in index % 4 == 3 ? 255 : UInt8(index * 5 % 256) }
            var pixels = [Pixel](repeating: .zero, count: count)
            kernels.load(bytes, into: &pixels, count: count)
            #expect(pixels.enumerated().allSatisfy { abs($1.x * 255 - Float(bytes[$0 * 4])) < 1e-3 })
            var back = [UInt8](repeating: 7, count: count * 4)
            kernels.store(pixels, into: &back, count: count, opaque: false)
            #expect(back == bytes)
        }
        let outside = [Pixel(-1, 2, 0.5, 0.4), Pixel(.nan, .infinity, -.infinity, 3), Pixel(0.2, 0.2, 0.2, 0)]
        var stored = [UInt8](repeating: 0, count: 12)
        kernels.store(outside, into: &stored, count: 3, opaque: false)
        #expect(
            stored[0..<4] == [0, 102, 102, 102] && stored[5...7] == [255, 0, 255] && stored[8...] == [0, 0, 0, 0])
        kernels.store(outside, into: &stored, count: 3, opaque: true)
        #expect(stored[0..<4] == [0, 255, 128, 255] && stored[8...] == [51, 51, 51, 255])
    }

    @Test("Both kernels blur alike, and a flat picture stays flat", arguments: [0.5, 3, 4.7, 60, 900])
    func blurring(sigma: Double) throws {
        for (width, height) in [(1, 1), (1, 70), (70, 1), (65, 9), (130, 31)] {
            let noise = try Bitmap.noise(width, height)
            let native = try noise.blurred(sigma: sigma, kernels: .native)
            let swift = try noise.blurred(sigma: sigma, kernels: .swift)
            #expect(distance(native, swift).most <= 1)
            let flat = try Bitmap(width, height) { _, _ in (3, 100, 199, 200) }
            #expect(try flat.blurred(sigma: sigma).pixels == flat.pixels)
        }
    }

    @Test("P39: a box is the mean of what lies under it, whatever its size, beside a plain sum")
    func boxes() throws {
        let source = try Bitmap.sample(23, 9, .rgbaFloat)
        let pixels = try source.floats()
        for radius in [1, 4, 9, 40] {
            let made = try source.boxBlurred(radius: radius, passes: 1).floats()
            for (x, y) in [(0, 0), (22, 8), (11, 4), (3, 7)] {
                var sum = SIMD4<Double>()
                for dy in -radius...radius {
                    for dx in -radius...radius {
                        sum += SIMD4<Double>(pixels[min(max(y + dy, 0), 8) * 23 + min(max(x + dx, 0), 22)])
                    }
                }
                let distance = Pixel(sum / Double((2 * radius + 1) * (2 * radius + 1))) - made[y * 23 + x]
                #expect(max(distance.max(), -distance.min()) < 1e-5)
            }
        }
    }

    @Test("P39: 16 bits and floats are scaled alike by both kernels, and as bytes are", arguments: PixelFormat.all)
    func resampling(format: PixelFormat) throws {
        let source = try Bitmap.sample(31, 23, format)
        let bytes = try Bitmap.sample(
            31, 23, PixelFormat(channels: format.channels, component: .uint8, alpha: format.alpha))
        for size in [PixelSize(width: 12, height: 50), PixelSize(width: 70, height: 9)] {
            func made(_ bitmap: Bitmap, _ kernels: PixelKernels) throws -> [Pixel] {
                try bitmap.resized(scaledTo: size, crop: nil, filter: .triangle, gap: nil, kernels: kernels).floats()
            }
            let native = try made(source, .native)
            func most(_ others: [Pixel]) -> Float {
                zip(native, others).map { max(($0 - $1).max(), ($1 - $0).max()) }.max() ?? .infinity
            }
            #expect(try most(made(source, .swift)) <= format.halfStep * 2)
            #expect(try most(made(bytes, .native)) <= 2.1 / 255)
        }
    }
}
