/// The tags of an ICC profile, read in place (ICC.1:2022 §7). Every read is bounded by the bytes that there are.
struct ICCTags {
    private static let headerLength = 128
    private static let maximumTagCount = 256

    private let bytes: BoundedBytes
    let space: ICCProfile.Space

    /// `nil` when the header is no profile's.
    init?(_ raw: UnsafeRawBufferPointer) {
        bytes = BoundedBytes(raw)
        guard bytes.has("acsp", at: 36), bytes.bigEndian32(at: Self.headerLength) != nil else { return nil }
        space =
            if bytes.has("RGB ", at: 16) {
                .rgb
            } else if bytes.has("GRAY", at: 16) {
                .gray
            } else if bytes.has("CMYK", at: 16) {
                .cmyk
            } else {
                .other
            }
    }

    private func tag(_ name: StaticString) -> BoundedBytes? {
        let count = min(bytes.bigEndian32(at: Self.headerLength) ?? 0, Self.maximumTagCount)
        for index in 0..<count {
            let entry = Self.headerLength + 4 + index * 12
            guard bytes.has(name, at: entry) else { continue }
            guard let start = bytes.bigEndian32(at: entry + 4), let length = bytes.bigEndian32(at: entry + 8) else {
                return nil
            }
            return BoundedBytes(bytes.slice(start..<start + length))
        }
        return nil
    }

    /// A number with 16 bits after the point.
    private static func fixed(_ bytes: BoundedBytes, at offset: Int) -> Double? {
        bytes.bigEndian32(at: offset).map { Double(Int32(truncatingIfNeeded: $0)) / 65_536 }
    }

    // MARK: What it means

    /// sRGB's colorants after adaptation to the profile connection space's white, D50.
    private static let colorants: [(StaticString, [Double])] = [
        ("rXYZ", [0.4361, 0.2225, 0.0139]), ("gXYZ", [0.3851, 0.7169, 0.0971]), ("bXYZ", [0.1431, 0.0606, 0.7141]),
    ]

    /// Matrix and curves are sRGB's, and no table stands before them. Told apart from a plain power of 2.2.
    var isSRGB: Bool {
        switch space {
        case .gray: return tag("A2B0") == nil && tag("kTRC").map(Self.isSRGBCurve) == true
        case .rgb: break
        case .cmyk, .other: return false
        }
        guard tag("A2B0") == nil, tag("A2B1") == nil, codePoints?.isSRGB ?? true else { return false }
        let hasColorants = Self.colorants.allSatisfy { name, expected in
            guard let tag = tag(name) else { return false }
            return expected.indices.allSatisfy { index in
                Self.fixed(tag, at: 8 + 4 * index).map { abs($0 - expected[index]) < 0.0015 } ?? false
            }
        }
        let curves: [StaticString] = ["rTRC", "gTRC", "bTRC"]
        return hasColorants && curves.allSatisfy { tag($0).map(Self.isSRGBCurve) == true }
    }

    var codePoints: ColorCodePoints? {
        guard let tag = tag("cicp"), tag.has("cicp", at: 0), let primaries = tag[8], let transfer = tag[9],
            let matrix = tag[10], let range = tag[11]
        else { return nil }
        return ColorCodePoints(primaries: primaries, transfer: transfer, matrix: matrix, isFullRange: range != 0)
    }

    private static func isSRGBCurve(_ tag: BoundedBytes) -> Bool {
        guard let light = curve(tag) else { return false }
        return sRGBLights.indices.allSatisfy { step in
            abs(light(Double(step) / Double(sRGBLights.count - 1)) - sRGBLights[step]) < 0.001
        }
    }

    private static let sRGBLights = (0...16).map { TransferCurve.sRGB.light(Double($0) / 16) }

    /// A curve of either kind (ICC.1:2022 §10.6, §10.18); `nil` for what sRGB is never written as.
    private static func curve(_ tag: BoundedBytes) -> ((Double) -> Double)? {
        if tag.has("para", at: 0) {
            // Kind 3: gamma, scale, offset, slope, and where the straight piece ends.
            guard tag.bigEndian16(at: 8) == 3, let gamma = fixed(tag, at: 12), let scale = fixed(tag, at: 16),
                let offset = fixed(tag, at: 20), let slope = fixed(tag, at: 24), let end = fixed(tag, at: 28)
            else { return nil }
            let curve = TransferCurve(gamma: gamma, scale: scale, offset: offset, slope: slope, linearBelow: end)
            return curve.light
        }
        guard tag.has("curv", at: 0), let count = tag.bigEndian32(at: 8), count >= 2, tag.count >= 12 + 2 * count else {
            return nil
        }
        return { sample in
            let place = sample * Double(count - 1)
            let index = min(Int(place), count - 2)
            let low = Double(tag.bigEndian16(at: 12 + 2 * index) ?? 0)
            let high = Double(tag.bigEndian16(at: 14 + 2 * index) ?? 0)
            return (low + (high - low) * (place - Double(index))) / 65_535
        }
    }

    // MARK: Its name

    /// The first text of `desc`, as version 2 (ASCII) or version 4 (UTF-16 in many languages) writes it.
    var name: String? {
        guard let tag = tag("desc") else { return nil }
        if tag.has("desc", at: 0), let length = tag.bigEndian32(at: 8), length > 1 {
            return String(decoding: tag.slice(12..<12 + min(length, 256)).prefix { $0 != 0 }, as: UTF8.self)
        }
        guard tag.has("mluc", at: 0), let length = tag.bigEndian32(at: 20), let start = tag.bigEndian32(at: 24) else {
            return nil
        }
        let text = BoundedBytes(tag.slice(start..<start + min(length, 256)))
        let units = (0..<text.count / 2).compactMap {
            text.bigEndian16(at: 2 * $0).map(UInt16.init(truncatingIfNeeded:))
        }
        return String(decoding: units.prefix { $0 != 0 }, as: UTF16.self)
    }
}
