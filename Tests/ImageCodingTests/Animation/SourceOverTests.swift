import Testing

@testable import ImageCoding

@Suite("Pixels over pixels")
struct SourceOverTests {
    private func over(_ source: [UInt8], _ target: [UInt8]) -> [UInt8] {
        var result = target
        result.withUnsafeMutableBytes { result in
            source.withUnsafeBytes { source in
                guard let source = source.baseAddress, let result = result.baseAddress else { return }
                SourceOver.blend(source, onto: result, count: target.count / 4)
            }
        }
        return result
    }

    @Test("every alpha over every value is rounded to the nearest")
    func everyValue() {
        for alpha in 0...255 {
            var source: [UInt8] = []
            var target: [UInt8] = []
            var expected: [UInt8] = []
            for under in 0...255 {
                let colors = [0, alpha / 2, alpha]
                source += colors.map(UInt8.init) + [UInt8(alpha)]
                target += Array(repeating: UInt8(under), count: 4)
                expected += (colors + [alpha]).map { color in
                    UInt8(color + Int((Double(under * (255 - alpha)) / 255).rounded()))
                }
            }
            #expect(over(source, target) == expected, "alpha \(alpha)")
        }
    }

    @Test("colours that are brighter than their alpha allows stop at white, and touch no other channel")
    func tooBright() {
        #expect(over([255, 10, 255, 100], [255, 0, 20, 255]) == [255, 10, 255, 255])
        #expect(over([200, 0, 0, 0], [100, 7, 8, 9]) == [255, 7, 8, 9])
    }
}
