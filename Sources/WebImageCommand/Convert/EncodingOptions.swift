import ArgumentParser
import WebImage

/// The options of `webimage convert` that say how pictures are encoded.
struct EncodingOptions: ParsableArguments {
    enum Metadata: EnumerableFlag {
        case stripMetadata, keepMetadata

        static func help(for value: Metadata) -> ArgumentHelp? {
            value == .keepMetadata
                ? "Write EXIF and XMP again, for the formats that have a place for them." : "Write none."
        }
    }

    @Option(help: "From 1, smallest, to 100, best, where the format has loss.")
    var quality: Int = 80

    @Flag(help: "Keep every pixel as it is: png, apng, webp, avif, heic, jxl, tiff, bmp.")
    var lossless = false

    @Option(help: "From 0, quickest, to 10, smallest. By default what the encoder finds reasonable.")
    var effort: Int?

    @Flag(help: "From coarse to fine, where the format can: jpeg.")
    var progressive = false

    @Option(help: "The most pixels each way, 1600x1200 or 1600 for both; larger pictures are made smaller.")
    var maxSize: MaximumSizeArgument?

    @Option(help: "The most bytes of each file, 200KB for example: quality, then size, go down until it fits.")
    var maxBytes: ByteCountArgument?

    @Option(help: "What transparent pixels are laid over where the format has none: RRGGBB.")
    var background: ColorArgument = .white

    @Flag(exclusivity: .exclusive)
    var metadata: Metadata = .stripMetadata

    @Option(help: "Put a small picture into the file, its longest side from 16 to 320 pixels: jpeg.")
    var thumbnail: Int?

    func validate() throws {
        guard (1...100).contains(quality) else { throw ValidationError("--quality goes from 1 to 100.") }
        guard effort.map((0...10).contains) ?? true else { throw ValidationError("--effort goes from 0 to 10.") }
        guard thumbnail.map((16...320).contains) ?? true else {
            throw ValidationError("--thumbnail goes from 16 to 320 pixels.")
        }
        guard maxBytes.map({ $0.bytes > 0 }) ?? true else { throw ValidationError("--max-bytes is at least 1.") }
    }

    /// The size stays out: pictures are resized before they are encoded.
    func options(for format: ImageFormat) -> EncodeOptions {
        EncodeOptions(
            quality: quality, isProgressive: progressive, isLossless: lossless, effort: effort,
            maximumBytes: maxBytes?.bytes, background: background.color, thumbnailSide: thumbnail)
    }
}

/// `1600x1200`, `1600x`, `x1200`, or `1600` for both.
struct MaximumSizeArgument: ExpressibleByArgument {
    let target: TargetSize

    init?(argument: String) {
        let text = argument.contains { $0 == "x" || $0 == "X" } ? argument : "\(argument)x\(argument)"
        guard let size = SizeArgument(argument: text) else { return nil }
        target = size.target(fit: .contain)
    }
}

/// `RRGGBB` in hexadecimal digits, with or without a `#`.
struct ColorArgument: ExpressibleByArgument {
    let color: OpaqueColor

    static let white = ColorArgument(color: .white)

    private init(color: OpaqueColor) { self.color = color }

    init?(argument: String) {
        let digits = argument.hasPrefix("#") ? argument.dropFirst() : argument[...]
        guard digits.utf8.count == 6, digits.allSatisfy(\.isHexDigit), let number = UInt32(digits, radix: 16) else {
            return nil
        }
        color = OpaqueColor(
            red: UInt8(truncatingIfNeeded: number >> 16), green: UInt8(truncatingIfNeeded: number >> 8),
            blue: UInt8(truncatingIfNeeded: number))
    }

    var defaultValueDescription: String { "ffffff" }
}
