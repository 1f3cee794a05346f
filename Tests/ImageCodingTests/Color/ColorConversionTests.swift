#if JPEG && PNG && WebP && LCMS
import ByteBuffers
import Pixels
import Testing

@testable import ImageCoding

#if LCMS
/// Pictures in colours of their own against lcms2's transicc, and PQ and HLG against the formulas in numpy.
@Suite("Colour conversion")
struct ColorConversionTests {
    static let jpeg = [
        "p3", "adobe", "bt2020", "gamma22", "srgb", "gray", "gray-srgb", "gray-wide", "cmyk", "ycck", "exif-adobe",
    ]
    static let png = [
        "p3", "p3-alpha", "p3-16", "gray-16", "gray-alpha", "profile-first", "gamma-1", "gamma-primaries",
        "srgb-numbers",
        "cicp-p3",
    ]
    static let toneMapped = ["pq-2020", "pq-p3", "hlg-2020", "pq-4000", "pq-profile"]

    static func decode(_ file: String, color: ColorHandling = .sRGB, depth: DecodedDepth = .eightBits) throws
        -> DecodedRows
    {
        let bytes = try Fixture.bytes("color/\(file)")
        let sink = BitmapSink()
        let options = DecodeOptions(color: color, depth: depth)
        _ = try withExactCopy(of: bytes) { try CoderRegistry.standard.decode($0, options: options) { _ in sink } }
        return try #require(sink.takeBitmap()).rows
    }

    /// Red, green and blue of every pixel, divided by alpha; `nil` where alpha is too low to say what they were.
    private static func colors(_ rows: DecodedRows) -> [[UInt8]?] {
        stride(from: 0, to: rows.pixels.count, by: 4).map { pixel in
            let alpha = Int(rows.pixels[pixel + 3])
            guard alpha >= 128 else { return nil }
            return rows.pixels[pixel..<pixel + 3].map { UInt8(min(255, (Int($0) * 255 + alpha / 2) / alpha)) }
        }
    }

    private static func differences(_ file: String, _ expected: String) throws -> [Double] {
        let golden = try Fixture.bytes("color/\(expected).rgb")
        let rows = try decode(file)
        try #require(golden.count == rows.size.width * rows.size.height * 3)
        return colors(rows).enumerated().compactMap { index, color in
            color.map { ColorDifference.between($0, Array(golden[3 * index..<3 * index + 3])) }
        }
    }

    private static func check(_ file: String, _ expected: String) throws {
        let differences = try differences(file, expected)
        let mean = differences.reduce(0, +) / Double(differences.count)
        let most = try #require(differences.max())
        #expect(mean <= 0.5 && most <= 2, "\(file): mean \(mean), most \(most)")
    }

    @Test("C225 P29: JPEG in every kind of profile looks as transicc says", arguments: jpeg)
    func profiles(name: String) throws {
        try Self.check("\(name).jpg", "\(name)-jpeg")
    }

    @Test("P29: PNG by iCCP, cICP, gAMA and cHRM looks as transicc says", arguments: png)
    func chunks(name: String) throws {
        try Self.check("\(name).png", "\(name)-png")
    }

    @Test("P29: WebP with a profile and alpha looks as transicc says")
    func webp() throws {
        try Self.check("p3-alpha.webp", "p3-alpha-webp")
    }

    @Test("P29: PQ and HLG are tone-mapped by BT.2100 and BT.2390", arguments: toneMapped)
    func toneMapping(name: String) throws {
        let golden = try Fixture.bytes("color/\(name)-png.rgb")
        let colors = Self.colors(try Self.decode("\(name).png")).flatMap { $0 ?? [] }
        let most = zip(colors, golden).map { abs(Int($0) - Int($1)) }.max()
        #expect(colors.count == golden.count && (most ?? 255) <= 1, "\(String(describing: most))")
    }

    @Test("P29: light of 203 cd/m² comes near white, brighter light stays apart below it, nothing goes beyond")
    func shoulder() throws {
        let lights = [0, 1, 50, 87, 203, 400, 700, 1_000, 4_000].map { Double($0) }
        let mapped = lights.map { ToneMapping.compressed($0, peak: 1_000) }
        #expect(mapped[..<4].elementsEqual(lights[..<4]), "what is dark stays")
        #expect(zip(mapped[4..<7], mapped[5..<8]).allSatisfy { $0 < $1 }, "no two lights below the peak become one")
        #expect(abs(mapped[7] - ToneMapping.white) < 0.01 && abs(mapped[8] - ToneMapping.white) < 0.01)
        #expect((140...180).contains(mapped[4]))
    }

    @Test("C206 C228 C314: high dynamic range is told, and kept on request", arguments: toneMapped)
    func keptRange(name: String) throws {
        let bytes = try Fixture.bytes("color/\(name).png")
        let info = try PNGDecoder().info(bytes)
        #expect(info.color.isHighDynamicRange)
        #expect(info.decodedColor(.keep) == info.color && info.decodedColor(.sRGB) == .sRGB)
        let kept = try Self.decode("\(name).png", color: .keep, depth: .asStored)
        let plain = try Self.decode("gamma-1.png", color: .keep, depth: .asStored)
        #expect(kept == plain, "both files hold the same numbers")
    }

    @Test("C214 P29: kept colours are the file's numbers, and the header has the profile")
    func kept() throws {
        let kept = try Self.decode("p3.png", color: .keep)
        #expect(kept == (try Self.decode("srgb-numbers.png")))
        let info = try PNGDecoder().info(Fixture.bytes("color/p3.png"))
        guard case .icc(let profile) = info.decodedColor(.keep) else {
            Issue.record("no profile: \(info.color)")
            return
        }
        #expect(profile.bytes.array == (try Fixture.bytes("color/p3.icc")))
        #expect(profile.name == "Display P3" && profile.space == .rgb && !profile.isSRGB)
        #expect(try Self.decode("cmyk.jpg", color: .keep) == Self.decode("cmyk.jpg"), "inks have no place in a bitmap")
        #expect(try JPEGDecoder().info(Fixture.bytes("color/cmyk.jpg")).decodedColor(.keep) == .sRGB)
    }

    @Test("P29: 16 bits are kept on request, converted or not")
    func sixteenBits() throws {
        let stored = try Self.decode("p3-16.png", color: .keep, depth: .asStored)
        #expect(stored.format == .rgbx16)
        let words = stored.pixels.withUnsafeBytes { Array($0.bindMemory(to: UInt16.self)) }
        #expect(words.indices.allSatisfy { $0 % 4 != 3 || words[$0] == .max })
        let narrow = try Self.decode("p3-16.png", color: .keep)
        #expect(narrow.pixels.elementsEqual(words.map { UInt8((UInt32($0) * 255 + 32_895) >> 16) }))

        let converted = try Self.decode("p3-16.png", depth: .asStored)
        let golden = try Fixture.bytes("color/p3-16-png.rgb")
        let colors = converted.pixels.withUnsafeBytes { Array($0.bindMemory(to: UInt16.self)) }.enumerated()
            .compactMap { $0 % 4 == 3 ? nil : Int((UInt32($1) * 255 + 32_895) >> 16) }
        #expect(zip(colors, golden).allSatisfy { abs($0 - Int($1)) <= 2 })
    }

    @Test("a sink of narrow strips gets the same rows", arguments: [1, 5])
    func strips(stripRows: Int) throws {
        for (file, decoder) in [
            ("p3.jpg", JPEGDecoder() as any ImageDecoder), ("gray.jpg", JPEGDecoder()), ("cmyk.jpg", JPEGDecoder()),
            ("gray-16.png", PNGDecoder()), ("gray-alpha.png", PNGDecoder()), ("p3-alpha.webp", WebPDecoder()),
        ] {
            let bytes = try Fixture.bytes("color/\(file)")
            #expect(try decoder.decode(bytes, stripRows: stripRows) == decoder.decode(bytes), "\(file)")
        }
    }

    @Test("sRGB in any writing is recognised, so that nothing has to be converted; what is near it is not")
    func recognition() throws {
        func isSRGB(_ name: String) throws -> Bool? {
            ICCProfile(Bytes(try Fixture.bytes("color/\(name).icc")))?.isSRGB
        }
        for name in ["srgb", "srgb-table", "srgb-lcms", "gray-srgb"] { #expect(try isSRGB(name) == true, "\(name)") }
        for name in ["p3", "adobe", "bt2020", "gamma22", "gray", "inks"] {
            #expect(try isSRGB(name) == false, "\(name)")
        }
        #expect(try JPEGDecoder().info(Fixture.bytes("color/srgb.jpg")).color == .sRGB)
        #expect(try PNGDecoder().info(Fixture.bytes("color/srgb-numbers.png")).color == .sRGB)
        #expect(ColorDescription.codePoints(ColorCodePoints(primaries: 1, transfer: 13)).simplified == .sRGB)
        #expect(ColorDescription.codePoints(ColorCodePoints(primaries: 2, transfer: 2)).simplified == .sRGB)
        #expect(ColorTransform(from: .sRGB, layout: .rgba8, options: DecodeOptions()).isIdentity)
    }

    @Test("F10: a broken profile, an absurd one and one that lacks a part show the picture all the same")
    func brokenProfiles() throws {
        let plain = try Fixture.bytes("jpeg/baseline.jpg")
        let pixels = try JPEGDecoder().decode(plain)
        let profile = try Fixture.bytes("color/p3.icc")
        let name = Array("ICC_PROFILE\0".utf8)
        var damaged = profile
        for index in 132..<damaged.count { damaged[index] = 0xFF }
        let files: [(String, [UInt8])] = [
            ("damaged tags", plain.inserting(marker: 0xE2, name + [1, 1] + damaged)),
            ("only a header", plain.inserting(marker: 0xE2, name + [1, 1] + profile.prefix(132))),
            ("no profile", plain.inserting(marker: 0xE2, name + [1, 1] + [UInt8](repeating: 7, count: 500))),
            ("a part is missing", plain.inserting(marker: 0xE2, name + [1, 2] + profile.prefix(200))),
            ("no part", plain.inserting(marker: 0xE2, name + [1])),
            ("part zero", plain.inserting(marker: 0xE2, name + [0, 0] + profile)),
            ("inks for colours", plain.inserting(marker: 0xE2, name + [1, 1] + (try Fixture.bytes("color/inks.icc")))),
        ]
        for (what, bytes) in files {
            #expect(try JPEGDecoder().decode(bytes) == pixels, "\(what)")
        }
    }

    @Test("F10: a profile with a byte changed, or cut, still shows a picture of the right size")
    func changedProfiles() throws {
        for (file, name, step) in [("p3.jpg", "p3", 7), ("gray.jpg", "gray", 7), ("cmyk.jpg", "inks", 101)] {
            let profile = try Fixture.bytes("color/\(name).icc")
            let whole = try Fixture.bytes("color/\(file)")
            let start = try #require(whole.indices.first { whole[$0...].starts(with: profile.prefix(140)) })
            for index in stride(from: 0, to: profile.count, by: step) {
                for value in [0x00, 0x7F, 0xFF] as [UInt8] {
                    var bytes = whole
                    bytes[start + index] = value
                    #expect(try JPEGDecoder().decode(bytes).size == PixelSize(width: 24, height: 16))
                }
                var cut = whole
                cut.replaceSubrange(
                    start + index..<start + profile.count, with: repeatElement(0, count: profile.count - index))
                #expect(try JPEGDecoder().decode(cut).size == PixelSize(width: 24, height: 16))
            }
        }
    }

    @Test("F10: a profile in many parts is joined whatever their order; too large a one is passed over")
    func parts() throws {
        let plain = try Fixture.bytes("jpeg/baseline.jpg")
        let profile = try Fixture.bytes("color/p3.icc")
        let name = Array("ICC_PROFILE\0".utf8)
        let count = (profile.count + 1) / 2
        var bytes = plain
        // Each is put in front of the others, so the first comes last.
        for part in 0..<count {
            bytes = bytes.inserting(
                marker: 0xE2, name + [UInt8(part + 1), UInt8(count)] + profile.dropFirst(2 * part).prefix(2))
        }
        guard case .icc(let joined) = try JPEGDecoder().info(bytes).color else {
            Issue.record("not joined")
            return
        }
        #expect(joined.bytes.array == profile)

        var large = plain
        for part in (1...70).reversed() {
            let filling = [UInt8](repeating: 0, count: 65_000)
            large = large.inserting(
                marker: 0xE2, name + [UInt8(part), 70] + (part == 1 ? profile + filling.dropLast(500) : filling))
        }
        #expect(try JPEGDecoder().info(large).color == .unspecified)
    }

    @Test("conversions are made once for a profile and kept within bounds")
    func cache() throws {
        let cache = TransformCache()
        let profile = ColorDescription.icc(try #require(ICCProfile(Bytes(try Fixture.bytes("color/p3.icc")))))
        let copy = ColorDescription.icc(try #require(ICCProfile(Bytes(try Fixture.bytes("color/p3.icc")))))
        let first = try #require(cache.transform(profile, .rgba8, .uint8))
        #expect(cache.transform(copy, .rgba8, .uint8) === first)
        #expect(cache.transform(copy, .rgba16, .uint8) !== first)
        for step in 0..<20 {
            let other = ColorDescription.calibrated(ColorCalibration(gamma: 1 + Double(step) / 10))
            #expect(cache.transform(other, .rgba8, .uint8) != nil)
        }
        #expect(cache.count <= 8)
        #expect(cache.transform(profile, .rgba8, .uint8) !== first)
    }
}

#endif

@Suite("Colour difference")
struct ColorDifferenceTests {
    @Test("the pairs that Sharma, Wu and Dalal published")
    func published() {
        let pairs: [([Double], [Double], Double)] = [
            ([50, 2.6772, -79.7751], [50, 0, -82.7485], 2.0425), ([50, 3.1571, -77.2803], [50, 0, -82.7485], 2.8615),
            ([50, -1.3802, -84.2814], [50, 0, -82.7485], 1.0000),
            ([50, 2.4900, -0.0010], [50, -2.4900, 0.0009], 7.1792),
            ([50, 2.4900, -0.0010], [50, -2.4900, 0.0011], 7.2195), ([50, 2.5, 0], [73, 25, -18], 27.1492),
            ([60.2574, -34.0099, 36.2677], [60.4626, -34.1751, 39.4387], 1.2644),
            ([2.0776, 0.0795, -1.1350], [0.9033, -0.0636, -0.5514], 0.9082),
        ]
        for (first, second, expected) in pairs {
            let found = ColorDifference.between(
                .init(l: first[0], a: first[1], b: first[2]), .init(l: second[0], a: second[1], b: second[2]))
            #expect(abs(found - expected) < 0.0001, "\(first) \(second)")
        }
    }
}
#endif
