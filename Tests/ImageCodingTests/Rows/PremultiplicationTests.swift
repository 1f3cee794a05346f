import Testing

@testable import ImageCoding

@Suite("Premultiplication")
struct PremultiplicationTests {
    @Test("every colour and alpha is rounded to the nearest")
    func everyPair() throws {
        for alpha in 0..<256 {
            var pixels: [UInt8] = []
            var expected: [UInt8] = []
            for color in 0..<256 {
                let channels: [Int] = [color, 255 - color, color / 2]
                pixels += (channels + [alpha]).map { UInt8($0) }
                expected += channels.map { UInt8(($0 * alpha + 127) / 255) } + [UInt8(alpha)]
            }
            try pixels.withUnsafeMutableBytes {
                Premultiplication.multiply(try #require($0.baseAddress), count: 256)
            }
            #expect(pixels == expected, "alpha \(alpha)")
        }
    }

    @Test("what was divided multiplies back to the same colour")
    func roundTrip() throws {
        for alpha in 0..<256 {
            var pixels: [UInt8] = []
            for color in 0...alpha {
                pixels += [color, alpha - color, alpha, alpha].map { UInt8($0) }
            }
            let premultiplied = pixels
            try pixels.withUnsafeMutableBytes {
                let base = try #require($0.baseAddress)
                Premultiplication.divide(base, into: base, count: alpha + 1)
                Premultiplication.multiply(base, count: alpha + 1)
            }
            #expect(pixels == premultiplied, "alpha \(alpha)")
        }
    }
}
