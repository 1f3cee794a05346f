import Pixels
import Testing

@testable import ImageProcessing

/// What steps say to numbers that make no sense, and what they are called in keys.
@Suite struct StepParameterTests {
    private func code(_ step: ProcessingStep, _ bitmap: Bitmap) -> ProcessingError.Code? {
        do {
            _ = try step.apply(to: bitmap)
            return nil
        } catch {
            guard let error = error as? ProcessingError else { return ProcessingError.Code(rawValue: "\(error)") }
            #expect(error.message.hasSuffix(".") && error.message.count > 20)
            return error.code
        }
    }

    @Test("P39: 0, negative and huge sizes", arguments: PixelFormat.all)
    func sizes(format: PixelFormat) throws {
        let bitmap = try Bitmap.sample(3, 2, format)
        for (width, height) in [(0, 5), (5, 0), (-1, 5), (5, .min), (0, 0)] {
            let size = PixelSize(width: width, height: height)
            #expect(code(.resizeExactly(size), bitmap) == .invalidSize)
            #expect(code(.cropToSize(size), bitmap) == .invalidCrop)
            #expect(code(.crop(PixelRect(x: 0, y: 0, width: width, height: height)), bitmap) == .invalidCrop)
            #expect(code(.resize(TargetSize(width: width, height: height)), bitmap) == .invalidSize)
        }
        for (width, height) in [(65_536, 1), (.max, 1), (1, .max), (.max, .max), (60_000, 60_000)] {
            let size = PixelSize(width: width, height: height)
            for mode in [ScaleMode.stretch, .letterbox(), .cover()] {
                #expect(code(.resizeExactly(size, mode: mode), bitmap) == .tooLarge)
            }
            // Nothing is made larger than it is.
            #expect(code(.cropToSize(size), bitmap) == nil)
            #expect(code(.crop(PixelRect(x: 1, y: 1, width: width, height: height)), bitmap) == nil)
            #expect(code(.pad(PixelInsets(top: width, left: height)), bitmap) == .tooLarge)
        }
        #expect(code(.crop(PixelRect(x: .max, y: .min, width: .max, height: .max)), bitmap) == .invalidCrop)
        #expect(code(.crop(PixelRect(x: 3, y: 0, width: 1, height: 1)), bitmap) == .invalidCrop)
        #expect(code(.pad(PixelInsets(top: -1)), bitmap) == .invalidParameter)
        #expect(code(.pad(PixelInsets(.max)), bitmap) == .tooLarge)
        let thin = try Bitmap.sample(1, 700, format)
        #expect(code(.resize(TargetSize(width: 400, allowsUpscaling: true)), thin) == .tooLarge)
    }

    @Test("P39: numbers that are none, infinite, negative or huge")
    func numbers() throws {
        let bitmap = try Bitmap.noise(7, 5)
        let red = PixelColor(red: 255, green: 0, blue: 0)
        for number in [Double.nan, .infinity, -.infinity] {
            let steps: [ProcessingStep] = [
                .rotate(degrees: number), .roundCorners(CornerRadii(topRight: number)),
                .roundCorners(CornerRadii(1), border: Border(width: number, color: red)),
                .circle(border: Border(width: number, color: red)), .gaussianBlur(sigma: number),
                .sharpen(sigma: number),
                .sharpen(amount: number), .sharpen(threshold: number), .overlay(Overlay(bitmap, opacity: number)),
                .colorMatrix(.brightness(Float(number))), .colorMatrix(.hueRotation(degrees: number)),
            ]
            for step in steps { #expect(code(step, bitmap) == .invalidParameter, "\(step.identity)") }
        }
        let others: [ProcessingStep] = [
            .gaussianBlur(sigma: -0.01), .gaussianBlur(sigma: 10_001), .gaussianBlur(sigma: 1e300), .sharpen(sigma: -1),
            .sharpen(amount: -1), .sharpen(amount: 101), .sharpen(threshold: 1.5), .boxBlur(radius: -1),
            .boxBlur(radius: .min), .boxBlur(radius: .max), .boxBlur(radius: 1, passes: 0),
            .boxBlur(radius: 1, passes: .max),
            .roundCorners(CornerRadii(-1)), .circle(border: Border(width: -1, color: red)),
            .circle(border: Border(width: 65_536, color: red)), .overlay(Overlay(bitmap, opacity: 1.01)),
            .overlay(Overlay(bitmap, opacity: -0.01)), .colorMatrix(ColorMatrix(offset: SIMD4(0, 0, 0, 1_001))),
        ]
        for step in others { #expect(code(step, bitmap) == .invalidParameter, "\(step.identity)") }
        let extremes: [ProcessingStep] = [
            .rotate(degrees: 1e300), .rotate(degrees: -1e-300), .rotate(degrees: 360 - 1e-13),
            .gaussianBlur(sigma: 10_000),
            .boxBlur(radius: 10_000, passes: 10), .roundCorners(CornerRadii(.greatestFiniteMagnitude)),
            .sharpen(sigma: 1_000, amount: 100), .colorMatrix(.brightness(1_000)),
        ]
        for step in extremes { #expect(code(step, bitmap) == nil, "\(step.identity)") }
    }

    @Test("C241: steps run in order, and what one refuses ends them all")
    func order() throws {
        let bitmap = try Bitmap.noise(9, 5)
        let turned = try ProcessingStep.sequence([
            .crop(PixelRect(x: 0, y: 0, width: 4, height: 5)), .rotate(degrees: 90), .pad(PixelInsets(top: 1)),
        ]).apply(to: bitmap)
        #expect(turned.size == PixelSize(width: 5, height: 5))
        let counted = CustomStep("never") { _ in
            Issue.record("a step ran after one that failed")
            return try Bitmap.noise(1, 1)
        }
        #expect(code(.sequence([.gaussianBlur(sigma: .nan), .custom(counted)]), bitmap) == .invalidParameter)
    }

    @Test("C246: quarter turns move pixels and make no new ones")
    func quarterTurns() throws {
        let bitmap = try Bitmap.noise(5, 3)
        for (degrees, orientation) in [
            (90.0, Orientation.right), (180, .down), (270, .left), (-90, .left), (450, .right),
        ] {
            let made = try ProcessingStep.rotate(degrees: degrees).apply(to: bitmap)
            #expect(made.pixels == (try bitmap.oriented(by: orientation)).pixels)
        }
        let kept = try ProcessingStep.rotate(degrees: 90, growsCanvas: false).apply(to: bitmap)
        let middle = try bitmap.oriented(by: .right).cropped(to: PixelRect(x: 0, y: 1, width: 3, height: 3))
        #expect(kept.size == bitmap.size)
        #expect((try kept.cropped(to: PixelRect(x: 1, y: 0, width: 3, height: 3))).pixels == middle.pixels)
        #expect(kept.color(x: 0, y: 0) == .clear)
    }

    // MARK: Identities

    private func many() throws -> [ProcessingStep] {
        let red = PixelColor(red: 255, green: 0, blue: 0)
        let size = PixelSize(width: 3, height: 4)
        let badge = try Bitmap.noise(3, 4)
        let other = try Bitmap.noise(3, 4, seed: 2)
        var steps: [ProcessingStep] = [
            .resize(TargetSize(width: 3, height: 4)), .resize(TargetSize(width: 3, height: 4), filter: .box),
            .resize(TargetSize(height: 3)), .resize(TargetSize(width: 0, height: 3)),
            .resizeExactly(size), .resizeExactly(size, mode: .letterbox()), .resizeExactly(size, mode: .letterbox(red)),
            .resizeExactly(size, mode: .cover()), .resizeExactly(size, mode: .cover(.top)),
            .resizeExactly(size.transposed), .resizeExactly(size, filter: .triangle),
            .crop(PixelRect(x: 1, y: 2, width: 3, height: 4)), .crop(PixelRect(x: 12, y: 3, width: 4, height: 4)),
            .crop(PixelRect(x: 1, y: 23, width: 4, height: 4)), .cropToSize(size), .cropToSize(size, gravity: .top),
            .pad(PixelInsets(top: 1, left: 2, bottom: 3, right: 4)),
            .pad(PixelInsets(top: 1, left: 2, bottom: 4, right: 3)),
            .pad(PixelInsets(1)), .pad(PixelInsets(1), color: red), .flip(.horizontal), .flip(.vertical), .flip(.both),
            .rotate(degrees: 30), .rotate(degrees: 30.000000000000004), .rotate(degrees: 30, growsCanvas: false),
            .rotate(degrees: 30, background: red), .roundCorners(CornerRadii(3)),
            .roundCorners(CornerRadii(topLeft: 3)),
            .roundCorners(CornerRadii(bottomLeft: 3)),
            .roundCorners(CornerRadii(3), border: Border(width: 1, color: red)),
            .roundCorners(CornerRadii(3), border: Border(width: 2, color: red)),
            .roundCorners(CornerRadii(3), border: Border(width: 1, color: .black)), .circle(),
            .circle(border: Border(width: 1, color: red)), .gaussianBlur(sigma: 3), .gaussianBlur(sigma: 3.5),
            .boxBlur(radius: 3), .boxBlur(radius: 3, passes: 3), .sharpen(), .sharpen(sigma: 2), .sharpen(amount: 2),
            .sharpen(threshold: 0.1), .colorMatrix(.grayscale), .colorMatrix(.sepia()), .colorMatrix(.sepia(0.5)),
            .colorMatrix(ColorMatrix(offset: SIMD4(1, 0, 0, 0))), .colorMatrix(ColorMatrix(offset: SIMD4(0, 1, 0, 0))),
            .overlay(Overlay(badge)), .overlay(Overlay(other)), .overlay(Overlay(badge, name: "badge")),
            .overlay(Overlay(badge, gravity: .top)), .overlay(Overlay(badge, right: 1)),
            .overlay(Overlay(badge, down: 1)),
            .overlay(Overlay(badge, opacity: 0.5)), .overlay(Overlay(badge, mode: .multiply)),
            .overlay(Overlay(badge.relabelled(as: PixelFormat(channels: .rgba, component: .uint8, alpha: .straight)))),
            .sequence([]), .sequence([.flip(.both)]), .sequence([.flip(.both), .flip(.both)]),
            .sequence([.sequence([.flip(.both)]), .flip(.both)]), .sequence([.sequence([.flip(.both), .flip(.both)])]),
            .custom(CustomStep("flip")), .custom(CustomStep("other")), .sequence([.custom(CustomStep("flip"))]),
        ]
        steps += BlendMode.allCases.map { .tint(red, mode: $0) } + [.tint(.black)]
        return steps
    }

    @Test("W046 P39: every parameter is in the identity, so no two different steps share one, and equal ones do")
    func identities() throws {
        let steps = try many()
        let again = try many()
        for (index, step) in steps.enumerated() {
            #expect(step == again[index] && step.identity == again[index].identity)
            for other in steps[(index + 1)...] {
                #expect(step.identity != other.identity && step != other, "\(step.identity)")
            }
        }
        #expect(Set(steps).count == steps.count)
        // Equal numbers read the same.
        #expect(ProcessingStep.rotate(degrees: 0) == .rotate(degrees: -0.0))
        #expect(ProcessingStep.rotate(degrees: 0).identity == ProcessingStep.rotate(degrees: -0.0).identity)
    }

    @Test("C239 C241 P39: identities stay what they are from one version to the next, since files are named after them")
    func stability() throws {
        let red = PixelColor(red: 255, green: 0, blue: 0, alpha: 128)
        let badge = try Bitmap(2, 1) { x, _ in (1, 2, 3, x == 0 ? 200 : 100) }
        let wanted: [(ProcessingStep, String)] = [
            (.resize(TargetSize(width: 30)), "resize 30 0 contain down lanczos3"),
            (.resizeExactly(PixelSize(width: 3, height: 4)), "resizeExactly 3 4 stretch lanczos3"),
            (
                .resizeExactly(PixelSize(width: 3, height: 4), mode: .letterbox(red), filter: .box),
                "resizeExactly 3 4 letterbox #80ff0000 box"
            ),
            (.crop(PixelRect(x: 1, y: 2, width: 3, height: 4)), "crop 1 2 3 4"),
            (.cropToSize(PixelSize(width: 3, height: 4)), "cropToSize 3 4 center"),
            (.pad(PixelInsets(top: 1, left: 2, bottom: 3, right: 4)), "pad 1 2 3 4 #00000000"),
            (.flip(.both), "flip both"),
            (.rotate(degrees: 22.5), "rotate 22.5 grow #00000000"),
            (
                .roundCorners(CornerRadii(topLeft: 1, bottomLeft: 2.5), border: Border(width: 1, color: red)),
                "roundCorners 1.0 0.0 0.0 2.5 1.0 #80ff0000"
            ),
            (.circle(), "circle"), (.tint(red), "tint #80ff0000 sourceIn"),
            (.gaussianBlur(sigma: 25), "gaussianBlur 25.0"), (.boxBlur(radius: 3), "boxBlur 3 1"),
            (.sharpen(), "sharpen 1.0 1.0 0.0"),
            (
                .colorMatrix(.inverted()),
                "colorMatrix -1.0 0.0 0.0 0.0 0.0 -1.0 0.0 0.0 0.0 0.0 -1.0 0.0 0.0 0.0 0.0 1.0 1.0 1.0 1.0 0.0"
            ),
            (.overlay(Overlay(badge, name: "logo 2")), "overlay name:logo 2 bottomRight 0 0 1.0 sourceOver"),
            (.sequence([.flip(.both), .circle()]), "sequence 2 flip both 1 circle"),
            (.custom(CustomStep("mine")), "custom mine"),
        ]
        for (step, text) in wanted { #expect(step.identity.joined(separator: " ") == text) }
        // The checksum does not depend on where the pixels are kept.
        let copy = try Bitmap(2, 1) { x, _ in (1, 2, 3, x == 0 ? 200 : 100) }
        #expect(Overlay(badge) == Overlay(copy))
        #expect(Overlay(badge).name.hasPrefix("pixels:2x1:4.1.1:"))
    }
}

extension CustomStep {
    fileprivate init(_ name: String) { self.init(name) { $0 } }
}
