import Pixels
import Testing

@testable import ImageProcessing

/// Every step on every format and on sizes of all kinds.
@Suite struct StepFormatTests {
    static let red = PixelColor(red: 250, green: 40, blue: 10, alpha: 180)

    /// Steps, and the size that each makes of another.
    static let steps: [(step: ProcessingStep, size: @Sendable (PixelSize) -> PixelSize)] = {
        @Sendable func size(_ width: Int, _ height: Int) -> PixelSize { PixelSize(width: width, height: height) }
        let same: @Sendable (PixelSize) -> PixelSize = { $0 }
        let badge = (try? Bitmap.sample(5, 4, .rgba8)).map { Overlay($0, gravity: .center, opacity: 0.7) }
        var steps: [(ProcessingStep, @Sendable (PixelSize) -> PixelSize)] = [
            (.resize(TargetSize(width: 7, height: 7, fit: .cover)), { size(min($0.width, 7), min($0.height, 7)) }),
            (.resizeExactly(size(9, 6)), { _ in size(9, 6) }),
            (.resizeExactly(size(14, 11), mode: .letterbox(red), filter: .triangle), { _ in size(14, 11) }),
            (.resizeExactly(size(14, 11), mode: .letterbox()), { _ in size(14, 11) }),
            (.resizeExactly(size(10, 12), mode: .cover(.bottomRight), filter: .mitchell), { _ in size(10, 12) }),
            (.crop(PixelRect(x: 0, y: 0, width: 4, height: 90)), { size(min($0.width, 4), min($0.height, 90)) }),
            (.cropToSize(size(5, 2), gravity: .bottom), { size(min($0.width, 5), min($0.height, 2)) }),
            (.pad(PixelInsets(top: 1, left: 2, bottom: 3, right: 4)), { size($0.width + 6, $0.height + 4) }),
            (.pad(PixelInsets(2), color: red), { size($0.width + 4, $0.height + 4) }),
            (.flip(.horizontal), same), (.flip(.vertical), same), (.flip(.both), same),
            (.rotate(degrees: 90), { $0.transposed }), (.rotate(degrees: -180), same),
            (.rotate(degrees: 270, growsCanvas: false, background: red), same),
            (.rotate(degrees: 33, growsCanvas: false), same),
            (
                .rotate(degrees: 45, background: .white),
                { size in
                    let side = Int((Double(size.width + size.height) * (0.5).squareRoot() - 1e-6).rounded(.up))
                    return PixelSize(width: side, height: side)
                }
            ),
            (.roundCorners(CornerRadii(topLeft: 3, bottomRight: 400)), same),
            (.roundCorners(CornerRadii(2), border: Border(width: 1.5, color: red)), same),
            (
                .circle(border: Border(width: 1, color: .white)),
                { size(min($0.width, $0.height), min($0.width, $0.height)) }
            ),
            (.gaussianBlur(sigma: 1.2), same), (.gaussianBlur(sigma: 6), same), (.boxBlur(radius: 2, passes: 2), same),
            (.sharpen(sigma: 1.5, amount: 0.8, threshold: 0), same),
            (.colorMatrix(.grayscale), same), (.colorMatrix(.sepia(0.8)), same), (.colorMatrix(.saturation(1.5)), same),
            (.colorMatrix(.brightness(1.2)), same), (.colorMatrix(.contrast(0.7)), same),
            (.colorMatrix(.inverted()), same), (.colorMatrix(.hueRotation(degrees: 70)), same),
            (.colorMatrix(ColorMatrix(alpha: SIMD4(0, 0, 0, 0.5))), same),
            (.sequence([.flip(.both), .crop(PixelRect(x: 0, y: 0, width: 1, height: 1))]), { _ in size(1, 1) }),
            (.custom(CustomStep("same") { $0 }), same),
        ]
        if let badge { steps.append((.overlay(badge), same)) }
        steps += BlendMode.allCases.map { (.tint(red, mode: $0), same) }
        return steps
    }()

    static let sizes = [(1, 1), (7, 13), (41, 3)]

    @Test(
        "P39 W044: every step gives every format what it gives floats, and the right size",
        arguments: PixelFormat.all)
    func formats(format: PixelFormat) throws {
        for (width, height) in Self.sizes {
            let source = try Bitmap.sample(width, height, format)
            let float = PixelFormat.rgbaFloat
            let reference = try source.converted(to: format.isOpaque ? .rgbxFloat : float)
            for (step, size) in Self.steps {
                let made = try step.apply(to: source)
                #expect(made.size == size(source.size), "\(step.identity)")
                #expect(made.format.component == format.component)
                let wanted = try step.apply(to: reference)
                #expect(wanted.size == made.size)
                // One rounding for each pass over the picture, and what sharpening makes larger.
                let tolerance = made.format.halfStep * 2.6
                var most: Float = 0
                for (pixel, exact) in zip(try made.floats(), try wanted.floats()) {
                    var bounded = exact
                    if made.format.component != .float32 {
                        let alpha = min(max(exact.w, 0), 1)
                        bounded = pointwiseMin(pointwiseMax(exact, .zero), Pixel(repeating: alpha))
                    }
                    let distance = pixel - bounded
                    most = max(most, distance.max(), -distance.min())
                }
                #expect(most <= tolerance, "\(step.identity) \(width) × \(height): \(most / made.format.halfStep)")
            }
        }
    }

    @Test("P39: colour and alpha come in only where a step needs them")
    func widening() throws {
        let gray = try Bitmap.sample(9, 9, PixelFormat(channels: .gray, component: .uint8, alpha: .opaque))
        func channels(_ step: ProcessingStep) throws -> PixelFormat.Channels {
            try step.apply(to: gray).format.channels
        }
        #expect(try channels(.colorMatrix(.grayscale)) == .gray)
        #expect(try channels(.colorMatrix(.contrast(2))) == .gray)
        #expect(try channels(.colorMatrix(.hueRotation(degrees: 20))) == .gray)
        #expect(try channels(.colorMatrix(.sepia())) == .rgb)
        #expect(try channels(.gaussianBlur(sigma: 4)) == .gray)
        #expect(try channels(.roundCorners(CornerRadii(3))) == .grayAlpha)
        #expect(try channels(.roundCorners(CornerRadii(3), border: Border(width: 1, color: Self.red))) == .rgba)
        #expect(try channels(.pad(PixelInsets(1), color: .white)) == .gray)
        #expect(try channels(.pad(PixelInsets(1))) == .grayAlpha)
        #expect(try channels(.rotate(degrees: 10, background: Self.red)) == .rgba)
        #expect(try channels(.tint(PixelColor(red: 1, green: 2, blue: 3))) == .rgb)
        #expect(try channels(.tint(PixelColor(white: 9), mode: .multiply)) == .gray)
        let photo = try Bitmap.noise(9, 9, opaque: true)
        #expect(try ProcessingStep.gaussianBlur(sigma: 2).apply(to: photo).format == .rgbx8)
        #expect(try ProcessingStep.circle().apply(to: photo).format == .rgba8)
    }

    @Test("C245 C248 C247: a step that changes nothing returns the same bitmap, not a copy")
    func identities() throws {
        let source = try Bitmap.noise(20, 10)
        let steps: [ProcessingStep] = [
            .resize(TargetSize(width: 20)), .resizeExactly(source.size), .crop(PixelRect(source.size)),
            .cropToSize(PixelSize(width: 900, height: 900)), .pad(PixelInsets()), .rotate(degrees: 0),
            .rotate(degrees: -720), .roundCorners(CornerRadii()),
            .roundCorners(CornerRadii(), border: Border(width: 0, color: .white)),
            .tint(.clear), .tint(.clear, mode: .source), .tint(.white, mode: .destination), .gaussianBlur(sigma: 0),
            .gaussianBlur(sigma: 0.05), .boxBlur(radius: 0), .sharpen(amount: 0), .sharpen(sigma: 0),
            .colorMatrix(.identity), .colorMatrix(.saturation(1)), .colorMatrix(.sepia(0)), .sequence([]),
            .overlay(Overlay(source, right: 500)), .overlay(Overlay(source, opacity: 0)),
        ]
        for step in steps {
            let made = try step.apply(to: source)
            #expect(
                made.withUnsafeBytes { $0.baseAddress } == source.withUnsafeBytes { $0.baseAddress }, "\(step.identity)"
            )
        }
    }

    @Test("Padding by nothing lays the picture on the colour all the same")
    func emptyPadding() throws {
        let source = try Bitmap(3, 2) { x, _ in x == 0 ? (0, 0, 0, 0) : (10, 20, 30, 255) }
        let made = try ProcessingStep.pad(PixelInsets(), color: .white).apply(to: source)
        #expect(made.color(x: 0, y: 0) == .white && made.color(x: 1, y: 1) == source.color(x: 1, y: 1))
    }

    @Test("C243: SDWebImage's three modes of resizing, up and down")
    func scaleModes() throws {
        let source = try Bitmap(40, 20, format: .rgbx8) { x, _ in x < 20 ? (255, 0, 0, 255) : (0, 0, 255, 255) }
        for side in [10, 80] {
            let size = PixelSize(width: side, height: side)
            func made(_ mode: ScaleMode) throws -> Bitmap {
                try ProcessingStep.resizeExactly(size, mode: mode).apply(to: source)
            }
            #expect(try made(.stretch).color(x: 0, y: 0) == PixelColor(red: 255, green: 0, blue: 0))
            // All of it, and a margin above and below.
            let boxed = try made(.letterbox())
            #expect(boxed.color(x: 0, y: 0) == .clear && boxed.color(x: side - 1, y: side - 1) == .clear)
            #expect(boxed.color(x: 0, y: side / 2) == PixelColor(red: 255, green: 0, blue: 0))
            #expect(try made(.letterbox(.white)).color(x: 0, y: 0) == .white)
            #expect(try made(.letterbox(.white)).format == .rgbx8)
            // The middle alone, or the end that is asked for.
            #expect(try made(.cover(.right)).color(x: side / 2, y: 0) == PixelColor(red: 0, green: 0, blue: 255))
            #expect(try made(.cover()).color(x: side - 1, y: 0) == PixelColor(red: 0, green: 0, blue: 255))
        }
    }

    @Test("C242: a border that is wider than half the picture covers it; a radius too long is cut to what fits")
    func extremes() throws {
        let source = try Bitmap.noise(30, 20, opaque: true)
        let red = PixelColor(red: 255, green: 0, blue: 0)
        let covered = try ProcessingStep.roundCorners(CornerRadii(4), border: Border(width: 10, color: red)).apply(
            to: source)
        #expect(covered.color(x: 15, y: 10) == red && covered.color(x: 0, y: 10) == red)
        #expect(covered.color(x: 0, y: 0)?.alpha ?? 255 < 80)
        let pill = try ProcessingStep.roundCorners(CornerRadii(1e300)).apply(to: source)
        let same = try ProcessingStep.roundCorners(CornerRadii(10)).apply(to: source)
        #expect(pill.pixels == same.pixels)
    }

    @Test("P39: an overlay goes where its gravity says, and what stands out is cut off")
    func placing() throws {
        let source = try Bitmap(20, 10, format: .rgbx8) { _, _ in (0, 0, 0, 255) }
        let badge = try Bitmap(6, 4, format: .rgbx8) { _, _ in (255, 255, 255, 255) }
        func white(_ overlay: Overlay) throws -> [PixelRect] {
            let made = try ProcessingStep.overlay(overlay).apply(to: source)
            let places = (0..<200).filter { made.color(x: $0 % 20, y: $0 / 20) == .white }
            guard let first = places.first, let last = places.last else { return [] }
            #expect(places.count == (last % 20 - first % 20 + 1) * (last / 20 - first / 20 + 1))
            return [
                PixelRect(
                    x: first % 20, y: first / 20, width: last % 20 - first % 20 + 1, height: last / 20 - first / 20 + 1)
            ]
        }
        #expect(try white(Overlay(badge)) == [PixelRect(x: 14, y: 6, width: 6, height: 4)])
        #expect(try white(Overlay(badge, gravity: .center)) == [PixelRect(x: 7, y: 3, width: 6, height: 4)])
        #expect(
            try white(Overlay(badge, gravity: .topLeft, right: -2, down: -3)) == [
                PixelRect(x: 0, y: 0, width: 4, height: 1)
            ])
        #expect(try white(Overlay(badge, right: 3, down: 1)) == [PixelRect(x: 17, y: 7, width: 3, height: 3)])
        #expect(try white(Overlay(badge, right: .max, down: .min)) == [])
        let half = try ProcessingStep.overlay(Overlay(badge, opacity: 0.5)).apply(to: source)
        #expect(half.color(x: 19, y: 9) == PixelColor(white: 128))
    }

    @Test("P39: the longest pictures, and one of three megapixels")
    func large() throws {
        let steps: [ProcessingStep] = [
            .resize(TargetSize(width: 50, height: 50)),
            .resizeExactly(PixelSize(width: 20, height: 30), mode: .cover()),
            .crop(PixelRect(x: 1, y: 0, width: 2, height: 60_000)), .flip(.both), .roundCorners(CornerRadii(30)),
            .rotate(degrees: 90), .tint(Self.red, mode: .sourceAtop), .gaussianBlur(sigma: 400),
            .gaussianBlur(sigma: 2),
            .circle(border: Border(width: 1, color: .black)),
        ]
        for (width, height) in [(60_000, 3), (3, 60_000), (2_000, 1_500)] {
            let source = try Bitmap(width, height, format: .rgbx8) { _, _ in (90, 160, 30, 255) }
            for step in steps {
                let made = try step.apply(to: source)
                let middle = made.color(x: made.width / 2, y: made.height / 2)
                switch step {
                case .tint: #expect(middle?.red ?? 0 > 90 && made.size == source.size)
                case .rotate: #expect(made.size == source.size.transposed)
                // A border is all of a circle of three pixels.
                case .circle: #expect(made.size == PixelSize(width: min(width, height), height: min(width, height)))
                default: #expect(middle == PixelColor(red: 90, green: 160, blue: 30), "\(step.identity)")
                }
            }
            if width == 60_000 {
                #expect(throws: ProcessingError.self) {
                    try ProcessingStep.pad(PixelInsets(left: 6_000)).apply(to: source)
                }
            }
        }
    }
}
