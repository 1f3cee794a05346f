#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A file that is measured on. `PrepareInputs` makes all of them once; benchmarks only read them.
public enum BenchmarkInput: String, CaseIterable, Sendable {
    /// The project's sample photograph of 12 megapixels, as it is.
    case photo = "photo.jpg"
    /// The same coefficients in progressive order.
    case progressive = "progressive.jpg"
    /// The same pixels as PNG, by the project's own encoder.
    case png = "photo.png"
    /// The same pixels as WebP with loss, quality 80, by the project's own encoder.
    case webp = "photo.webp"
    /// The same pixels by the project's own encoders, quality 80 where there is one.
    case avif = "photo.avif"
    case heic = "photo.heic"
    case jxl = "photo.jxl"
    case tiff = "photo.tiff"
    case bmp = "photo.bmp"
    /// A thousand shapes on a square.
    case svg = "shapes.svg"
    case pdf = "shapes.pdf"
    /// Three by three times the photograph: 12,000 × 9,000 pixels.
    case hugeJPEG = "huge.jpg"
    /// A look that wanders over the photograph: 60 frames of 640 × 480, each of which changes all pixels.
    case movingWebP = "moving.webp"
    case movingGIF = "moving.gif"
    /// The same look, 60 frames of 480 × 480 at 30 a second.
    case playedWebP = "played.webp"
    /// 16 × 16 pixels of it.
    case tinyJPEG = "tiny.jpg"
    case tinyPNG = "tiny.png"

    /// In this package's build folder, so that it goes with it.
    public static let directory = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: ".build/inputs")

    public var url: URL { Self.directory.appending(path: rawValue) }

    public func bytes() throws -> [UInt8] {
        do {
            return try [UInt8](Data(contentsOf: url))
        } catch {
            throw MissingInput(name: rawValue)
        }
    }
}

/// A file that `PrepareInputs` has not made.
public struct MissingInput: Error, CustomStringConvertible {
    let name: String

    public var description: String { "\(name) is missing; Scripts/bench makes it." }
}
