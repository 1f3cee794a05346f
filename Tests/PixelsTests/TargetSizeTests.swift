import Pixels
import Testing

@Suite struct TargetSizeTests {
    struct Case: Sendable {
        let source: (Int, Int)
        let target: TargetSize
        let scaled: (Int, Int)
        let crop: (Int, Int, Int, Int)
    }

    static let cases = [
        Case(
            source: (5250, 3450), target: TargetSize(width: 400, height: 300), scaled: (400, 263),
            crop: (0, 0, 400, 263)),
        Case(source: (100, 50), target: TargetSize(width: 400, height: 300), scaled: (100, 50), crop: (0, 0, 100, 50)),
        Case(
            source: (100, 50), target: TargetSize(width: 400, height: 300, allowsUpscaling: true), scaled: (400, 200),
            crop: (0, 0, 400, 200)),
        Case(source: (300, 200), target: TargetSize(height: 100), scaled: (150, 100), crop: (0, 0, 150, 100)),
        Case(
            source: (100, 50), target: TargetSize(width: 80, height: 80, fit: .cover), scaled: (100, 50),
            crop: (10, 0, 80, 50)),
        Case(
            source: (400, 300), target: TargetSize(width: 100, height: 100, fit: .cover), scaled: (133, 100),
            crop: (16, 0, 100, 100)),
        Case(source: (1, 60_000), target: TargetSize(height: 10), scaled: (1, 10), crop: (0, 0, 1, 10)),
    ]

    @Test("C200 C201: the picture meets its box", arguments: cases)
    func placement(test: Case) {
        let placed = test.target.placement(of: PixelSize(width: test.source.0, height: test.source.1))
        #expect(placed.scaled == PixelSize(width: test.scaled.0, height: test.scaled.1))
        #expect(
            placed.crop == PixelRect(x: test.crop.0, y: test.crop.1, width: test.crop.2, height: test.crop.3))
    }

    @Test("Never larger than asked for or than it was", arguments: Fit.allCases)
    func bounds(fit: Fit) {
        let sides = [1, 2, 3, 7, 99, 1_000, 5_251, 65_535]
        for width in sides {
            for height in sides {
                for side in sides {
                    let target = TargetSize(width: side, height: 101, fit: fit)
                    let placed = target.placement(of: PixelSize(width: width, height: height))
                    #expect(placed.scaled.width <= width && placed.scaled.height <= height)
                    #expect(placed.crop.width <= side && placed.crop.height <= 101)
                    #expect(!placed.crop.isEmpty && placed.crop.clamped(to: placed.scaled) == placed.crop)
                }
            }
        }
    }

    @Test(arguments: [
        (TargetSize(), false), (TargetSize(width: 0), false), (TargetSize(width: 65_536), false),
        (TargetSize(width: 1), true), (TargetSize(width: 65_535, height: -1), false),
    ])
    func validity(target: TargetSize, valid: Bool) {
        #expect(target.isValid == valid)
    }
}
