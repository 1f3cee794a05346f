import ArgumentParser
import WebImage

/// A format that a picture can be written in, by its name or a file extension that it has.
struct FormatArgument: ExpressibleByArgument, Hashable {
    let format: ImageFormat

    init?(argument: String) {
        let name = argument.lowercased()
        let found = CoderRegistry.standard.encodableFormats.first { format in
            format.name == name || format.fileExtension == name || Self.otherNames[format]?.contains(name) == true
        }
        guard let found else { return nil }
        format = found
    }

    static var allValueStrings: [String] { CoderRegistry.standard.encodableFormats.map(\.name) }

    /// `jpeg, png or webp`
    static var list: String { allValueStrings.dropLast().joined(separator: ", ") + " or \(allValueStrings.last ?? "")" }

    private static let otherNames: [ImageFormat: [String]] = [
        .tiff: ["tif"], .jpegXL: ["jpegxl"], .heic: ["heif"],
    ]
}
