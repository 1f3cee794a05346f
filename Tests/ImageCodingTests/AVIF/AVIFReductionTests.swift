#if AVIF
import ImageCoding
import Pixels
import Testing

@Suite("AVIF, made smaller")
struct AVIFReductionTests {
    private let decoder = AVIFDecoder()

    @Test(
        "a smaller size is the average of the pixels that another program decoded",
        arguments: ["opaque", "gray", "limited", "grid"], [2, 4, 8])
    func average(name: String, factor: Int) throws {
        let bytes = try Fixture.bytes("avif/\(name).avif")
        let size = try decoder.info(bytes).storedSize
        let wanted = PixelSize(width: (size.width + factor - 1) / factor, height: (size.height + factor - 1) / factor)
        let reduced = try decoder.decode(bytes, minimumSize: wanted)
        #expect(reduced.size == wanted)
        let expected = averages(of: try Fixture.bytes("avif/\(name).rgba"), size, over: factor)
        let difference = difference(reduced.pixels, expected)
        // Brightness is exact. Subsampled colours are taken as they are, not spread over their neighbours first, and those
        // out of range are clamped before the one average and after the other.
        #expect(difference.largest <= (name == "gray" ? 1 : 48), "\(difference)")
        #expect(difference.mean < (name == "gray" ? 0.5 : 2), "\(difference)")
    }

    @Test("it is never smaller than wanted, and larger by less than two where it can be")
    func covering() throws {
        let bytes = try Fixture.bytes("avif/opaque.avif")
        let size = try decoder.info(bytes).storedSize
        for width in 1...size.width {
            let wanted = PixelSize(width: width, height: 1)
            let got = try decoder.decode(bytes, minimumSize: wanted).size
            #expect(got.width >= width)
            #expect(got.width < 2 * width || got.width * 8 <= size.width + 7)
        }
    }

    @Test("alpha, and more than 8 bits, come at full size", arguments: ["alpha", "ten", "twelve-alpha", "cropped"])
    func whole(name: String) throws {
        let bytes = try Fixture.bytes("avif/\(name).avif")
        let small = try decoder.decode(bytes, minimumSize: PixelSize(width: 1, height: 1))
        #expect(small == (try decoder.decode(bytes)))
    }

    private func averages(of pixels: [UInt8], _ size: PixelSize, over factor: Int) -> [UInt8] {
        var result: [UInt8] = []
        for y in stride(from: 0, to: size.height, by: factor) {
            for x in stride(from: 0, to: size.width, by: factor) {
                for channel in 0..<4 {
                    var (sum, count) = (0, 0)
                    for row in y..<min(y + factor, size.height) {
                        for column in x..<min(x + factor, size.width) {
                            sum += Int(pixels[(row * size.width + column) * 4 + channel])
                            count += 1
                        }
                    }
                    result.append(UInt8((sum + count / 2) / count))
                }
            }
        }
        return result
    }
}
#endif
