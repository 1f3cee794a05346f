#if JPEG && PNG && GIF && WebP && AVIF && HEIF && JPEGXL && TIFF && SVG && PDF && RAW && LCMS
import ByteBuffers
import Pixels
import Testing

@testable import ImageCoding

/// Tries what a format can do and says it in the words of the support matrix. `–` is no.
struct SupportTrial {
    static let columns = [
        "format", "read", "moving", "in parts", "written", "colour", "metadata", "orientation", "small version inside",
        "more than 8 bits",
    ]

    private static let no = "–"
    private let row: SupportedFormat
    private let registry = CoderRegistry.standard

    init(_ row: SupportedFormat) {
        self.row = row
    }

    func cells() throws -> [String] {
        let pixels = try [row.name, read(), moving(), parts(), written()]
        if let kin = row.kin { return pixels + (pixels.count..<Self.columns.count).map { _ in "as \(kin)" } }
        return try pixels + [colour(), metadata(), orientation(), small(), deep()]
    }

    // MARK: Reading

    private func read() throws -> String {
        guard registry.decodableFormats.contains(row.format) else { return Self.no }
        #expect(try info(row.still).format == row.format)
        return try decode(row.still).size == info(row.still).size ? "yes" : Self.no
    }

    private func moving() throws -> String {
        guard let file = row.moving else { return Self.no }
        let animation = try registry.animation(of: Bytes(Fixture.bytes(file)))
        guard animation.frameCount > 1 else { return "the first picture" }
        var frames: Set<[UInt8]> = []
        for index in 0..<animation.frameCount { frames.insert(try animation.frame(at: index).rows.pixels) }
        return frames.count > 1 ? "every picture" : "the first picture"
    }

    private func parts() throws -> String {
        try row.parts.contains(where: isSeenEarly) ? "yes" : Self.no
    }

    /// Something can be seen before the last eighth of the bytes has come.
    private func isSeenEarly(_ file: String) throws -> Bool {
        let bytes = try Fixture.bytes(file)
        var decoder: (any PartialDecoder)?
        let request = PartialRequest(optionsFor: { _ in DecodeOptions() }, into: { _ in BitmapSink() })
        for count in stride(from: 16, to: bytes.count * 7 / 8, by: max(16, bytes.count / 64)) {
            let isSeen = withExactCopy(of: Array(bytes[..<count])) { part -> Bool in
                decoder = decoder ?? registry.partialDecoder(for: part, request)
                return ((try? decoder?.update(part)) ?? nil) != nil
            }
            if isSeen { return true }
        }
        return false
    }

    private func small() throws -> String {
        guard let (file, size) = row.small else { return Self.no }
        let bytes = try Fixture.bytes(file)
        func decode(_ minimum: PixelSize, usesEmbedded: Bool) throws -> DecodedRows {
            let sink = BitmapSink()
            let options = DecodeOptions(minimumSize: minimum, usesEmbeddedThumbnail: usesEmbedded)
            _ = try withExactCopy(of: bytes) { try registry.decode($0, options: options) { _ in sink } }
            return try #require(sink.takeBitmap()).rows
        }
        let stored = try info(file).orientation.applied(to: size)
        let found = try decode(stored, usesEmbedded: true)
        guard found.size == stored else { return Self.no }
        // One pixel more is more than it has.
        let more = try decode(PixelSize(width: stored.width + 1, height: stored.height), usesEmbedded: true)
        return more.size != stored ? "yes" : Self.no
    }

    private func deep() throws -> String {
        var found: Set<String> = []
        for file in row.deep {
            let format = try decode(file, depth: .asStored).format
            switch format.component {
            case .uint8: continue
            case .uint16: found.insert(row.format == .raw ? "16" : "\(try info(file).bitsPerComponent)")
            case .float32: found.insert("floats")
            }
        }
        return found.isEmpty ? Self.no : found.sorted().joined(separator: ", ")
    }

    // MARK: Beside the pixels

    private func colour() throws -> String {
        var found: [String] = []
        if let file = row.profile, case .icc = try info(file).color { found.append("profile") }
        if let file = row.numbers {
            switch try info(file).color {
            case .codePoints, .sRGB: found.append("code points")
            default: break
            }
        }
        if row.profile == nil, registry.encodableFormats.contains(row.format),
            let profile = ICCProfile(
                Bytes(try Fixture.bytes("color/p3.icc"))),
            case .icc? = try? info(of: encode(EncodeOptions(color: .icc(profile)))).color
        {
            found.append("profile")
        }
        if row.numbers == nil, registry.encodableFormats.contains(row.format) {
            let codes = ColorDescription.codePoints(ColorCodePoints(primaries: 12, transfer: 13))
            if case .codePoints? = try? info(of: encode(EncodeOptions(color: codes))).color {
                found.append("code points")
            }
        }
        return found.isEmpty ? "sRGB" : found.joined(separator: ", ")
    }

    private func metadata() throws -> String {
        guard let file = row.metadata else { return Self.no }
        let metadata = try withExactCopy(of: Fixture.bytes(file)) { try registry.metadata(of: $0) }
        var found: [String] = []
        if metadata.exif != nil { found.append("EXIF") }
        if metadata.xmp != nil { found.append("XMP") }
        guard !found.isEmpty else { return Self.no }
        if registry.encodableFormats.contains(row.format) {
            let kept = try withExactCopy(of: encode(EncodeOptions(metadata: metadata)).array) {
                try registry.metadata(of: $0)
            }
            if kept.exif != nil && kept.xmp != nil { found.append("kept on request") }
        }
        return found.joined(separator: ", ")
    }

    private func orientation() throws -> String {
        guard let file = row.orientation else { return Self.no }
        let upright = try decode(file.replacing("/6.", with: "/1.")).rows
        let turned = try decode(file).rows
        return upright.size == turned.size && difference(upright.pixels, turned.pixels).mean < 8 ? "yes" : Self.no
    }

    // MARK: Writing

    private func written() throws -> String {
        var found: [String] = []
        if registry.encodableFormats.contains(row.format) {
            let isExact = try decode(encode(EncodeOptions(isLossless: true))).rows == Self.sample(0).rows
            let hasLoss =
                try encode(EncodeOptions(quality: 20)).count < encode(EncodeOptions(quality: 90)).count
            found.append(isExact ? (hasLoss ? "with and without loss" : "without loss") : hasLoss ? "with loss" : "yes")
        }
        if registry.encodableAnimations.contains(row.format) {
            let frames = try [0, 1].map { AnimationFrame(try Self.sample($0)) }
            let bytes = try registry.encode(FrameSequence(frames), as: row.format)
            if try registry.animation(of: bytes).frameCount == 2 { found.append("moving") }
        }
        return found.isEmpty ? Self.no : found.joined(separator: ", ")
    }

    /// A picture with more colours than a palette has.
    private static func sample(_ number: Int) throws -> Bitmap {
        let pixels = (0..<32 * 32).flatMap { index -> [UInt8] in
            let (x, y) = (index % 32, index / 32)
            return [UInt8(x * 8), UInt8(y * 8), UInt8((x * y * 5 + number * 128) % 256), 255]
        }
        return try Bitmap(PixelSize(width: 32, height: 32), .rgbx8, pixels)
    }

    private func encode(_ options: EncodeOptions) throws -> Bytes {
        try registry.encode(Self.sample(0), as: row.format, options: options)
    }

    private func decode(_ file: String, depth: DecodedDepth = .eightBits) throws -> Bitmap {
        try decode(Bytes(Fixture.bytes(file)), depth: depth)
    }

    private func decode(_ bytes: Bytes, depth: DecodedDepth = .eightBits) throws -> Bitmap {
        try registry.decode(bytes, depth: depth)
    }

    private func info(_ file: String) throws -> ImageInfo { try info(of: Bytes(Fixture.bytes(file))) }

    private func info(of bytes: Bytes) throws -> ImageInfo {
        try bytes.withUnsafeBytes { try registry.info(of: $0) }
    }
}
#endif
