import Pixels
import Testing

@testable import ImageProcessing

/// Steps beside what cairo, SciPy, Pillow and NumPy make of the same picture; Fixtures/make_golden_steps.py made it.
@Suite struct GoldenStepTests {
    private func expect(
        _ step: ProcessingStep, of source: Bitmap, gives name: String, within tolerance: Int,
        mean: Double = .infinity, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let wanted = try Bitmap.golden(name)
        let made = try step.apply(to: source)
        #expect(made.size == wanted.size, sourceLocation: sourceLocation)
        let distance = distance(made, wanted)
        #expect(distance.most <= tolerance, "\(name): \(distance)", sourceLocation: sourceLocation)
        #expect(distance.mean <= mean, "\(name): \(distance)", sourceLocation: sourceLocation)
    }

    private func opaque() throws -> Bitmap {
        let source = try Bitmap.golden("source")
        let pixels = source.pixels
        return try Bitmap(source.width, source.height, format: .rgbx8) { x, y in
            let at = (y * source.width + x) * 4
            return (pixels[at], pixels[at + 1], pixels[at + 2], 255)
        }
    }

    @Test(
        "W045 C247: each of the 28 modes gives cairo's pixels, within 2 of its bytes", arguments: BlendMode.allCases,
        PixelKernels.allCases)
    func blending(mode: BlendMode, kernels: PixelKernels) throws {
        let index = try #require(BlendMode.allCases.firstIndex(of: mode))
        let above = try Bitmap.golden("above")
        let wanted = try Bitmap.golden("blend").cropped(to: PixelRect(x: 0, y: index * 24, width: 32, height: 24))
        let below = try Bitmap.golden("source").cropped(to: PixelRect(x: 20, y: 10, width: 32, height: 24))
        let made = try below.overlaid(Overlay(above, gravity: .topLeft, mode: mode), kernels: kernels)
        let distance = distance(made, wanted)
        #expect(distance.most <= 2, "\(mode): \(distance)")
    }

    @Test("C242: corners of four radii, cut as cairo cuts them; with a border, too")
    func rounding() throws {
        let source = try Bitmap.golden("source")
        let radii = CornerRadii(topLeft: 20, topRight: 7.5, bottomRight: 0, bottomLeft: 28)
        try expect(.roundCorners(radii), of: source, gives: "rounded", within: 5, mean: 0.05)
        var lined = radii
        lined.bottomRight = 3
        let border = Border(width: 4.5, color: PixelColor(red: 255, green: 102, blue: 0, alpha: 153))
        try expect(.roundCorners(lined, border: border), of: source, gives: "rounded-border", within: 6, mean: 0.3)
        try expect(.circle(), of: source, gives: "circle", within: 5, mean: 0.1)
    }

    @Test("C246: turned by any angle as SciPy turns it, on a canvas that grows or cuts")
    func turning() throws {
        let source = try Bitmap.golden("source")
        try expect(.rotate(degrees: 30), of: source, gives: "turned-30", within: 1)
        try expect(.rotate(degrees: -330), of: source, gives: "turned-30", within: 1)
        try expect(.rotate(degrees: 201.5, growsCanvas: false), of: source, gives: "turned-201-clipped", within: 1)
    }

    @Test("C248: a narrow Gaussian is SciPy's, a wide one Pillow's three averages", arguments: PixelKernels.allCases)
    func gaussian(kernels: PixelKernels) throws {
        let source = try Bitmap.golden("source")
        for (sigma, name) in [(1.5, "gaussian-1.5"), (2.9, "gaussian-2.9"), (10, "gaussian-10")] {
            let made = try source.blurred(sigma: sigma, kernels: kernels)
            let distance = distance(made, try Bitmap.golden(name))
            #expect(distance.most <= 1, "\(sigma): \(distance)")
        }
        let made = try source.boxBlurred(radius: 5, passes: 1, kernels: kernels)
        #expect(distance(made, try Bitmap.golden("box-5")).most <= 1)
    }

    @Test("C248: three boxes of 47, SDWebImage's blur of radius 25, as NumPy makes them in bytes")
    func threeBoxes() throws {
        let source = try Bitmap.golden("source")
        try expect(.boxBlur(radius: 23, passes: 3), of: source, gives: "three-boxes-47", within: 1)
        // The bell that spreads as they do is made of the same boxes.
        try expect(.gaussianBlur(sigma: (552.0).squareRoot()), of: source, gives: "three-boxes-47", within: 1)
    }

    @Test("A sharper picture is SciPy's difference to its Gaussian")
    func sharpening() throws {
        try expect(.sharpen(sigma: 2, amount: 1.5), of: Bitmap.golden("source"), gives: "sharp", within: 2)
    }

    @Test("C249: Pillow's matrices: sepia, saturation, contrast, inversion; the inversion is of stored values")
    func matrices() throws {
        let source = try opaque()
        let steps: [(String, ColorMatrix)] = [
            ("sepia", .sepia()), ("saturation", .saturation(0.5)), ("contrast", .contrast(1.6)),
            ("inverted", .inverted()),
        ]
        for (name, matrix) in steps {
            try expect(.colorMatrix(matrix), of: source, gives: "matrix-" + name, within: 1)
        }
    }

    @Test("C244 C245: mirrored, cut and framed: Pillow's bytes")
    func framing() throws {
        let steps: [ProcessingStep] = [
            .flip(.horizontal), .crop(PixelRect(x: 5, y: 3, width: 55, height: 47)),
            .pad(PixelInsets(top: 1, left: 4, bottom: 7, right: 2), color: PixelColor(red: 200, green: 30, blue: 90)),
        ]
        try expect(.sequence(steps), of: opaque(), gives: "framed", within: 0)
    }
}
