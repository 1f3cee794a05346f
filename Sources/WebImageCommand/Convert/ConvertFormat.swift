import ArgumentParser
import WebImage

/// What pictures are converted to, and what moving ones.
struct ConvertFormat: ExpressibleByArgument, Hashable {
    let still: ImageFormat
    /// `nil` where of a moving picture only one frame can be kept.
    let moving: ImageFormat?

    /// `png` makes still pictures; who wants moving ones says `apng`, and gets a plain PNG of what does not move.
    init?(argument: String) {
        let isMovingPNG = argument.lowercased() == ImageFormat.apng.name
        guard let format = FormatArgument(argument: isMovingPNG ? ImageFormat.png.name : argument)?.format else {
            return nil
        }
        still = format
        let candidate: ImageFormat? =
            switch format {
            case .png: isMovingPNG ? .apng : nil
            case .webp: .animatedWebP
            default: format
            }
        moving = candidate.flatMap { CoderRegistry.standard.encodableAnimations.contains($0) ? $0 : nil }
    }

    /// By the ending of a file's name.
    init?(path: String) {
        guard let ending = FormatArgument.ending(of: path) else { return nil }
        self.init(argument: ending)
    }

    static var list: String { allValueStrings.joined(separator: ", ") }

    static var allValueStrings: [String] { FormatArgument.allValueStrings + [ImageFormat.apng.name] }

    /// The encoder can keep every pixel as it is.
    var canBeLossless: Bool { ![.jpeg, .gif].contains(still) }
}
