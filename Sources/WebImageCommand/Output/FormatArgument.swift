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

    /// By the ending of a file's name.
    init?(path: String) {
        guard let ending = Self.ending(of: path) else { return nil }
        self.init(argument: ending)
    }

    /// What stands behind the last dot of a file's name.
    static func ending(of path: String) -> String? {
        let file = path.split(separator: "/").last ?? ""
        return file.lastIndex(of: ".").map { String(file[file.index(after: $0)...]) }
    }

    static var allValueStrings: [String] { CoderRegistry.standard.encodableFormats.map(\.name) }

    /// `jpeg, png or webp`
    static var list: String { allValueStrings.dropLast().joined(separator: ", ") + " or \(allValueStrings.last ?? "")" }

    private static let otherNames: [ImageFormat: [String]] = [
        .tiff: ["tif"], .jpegXL: ["jpegxl"], .heic: ["heif"],
    ]
}
