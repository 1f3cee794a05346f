import WebImage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Where each loaded picture is written, and as what.
struct OutputPlan: Sendable {
    /// A path ending that names no picture format was given without `--format`.
    struct UnknownFormat: Error {
        let path: String
    }

    private let path: String
    private let isFolder: Bool
    private let format: ImageFormat?
    private var taken: Set<String> = []

    /// - Parameters:
    ///   - path: a file for one source; a folder for several, or when it ends in `/` or is one already.
    ///   - format: what to encode; `nil` goes by the file's extension, and in a folder by the picture.
    init(path: String, sourceCount: Int, format: ImageFormat?) throws(UnknownFormat) {
        self.path = path
        self.format = format
        var isDirectory = false
        let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
        isFolder = sourceCount > 1 || path.hasSuffix("/") || (exists && isDirectory)
        if !isFolder, format == nil, Self.format(ofPath: path) == nil { throw UnknownFormat(path: path) }
    }

    /// The file for a source. Two sources with one name get different files.
    mutating func file(for source: Source, hasAlpha: Bool) -> (path: String, format: ImageFormat) {
        guard isFolder else { return (path, format ?? Self.format(ofPath: path) ?? .png) }
        let format = format ?? (hasAlpha ? .png : .jpeg)
        let folder = path.hasSuffix("/") ? String(path.dropLast()) : path
        var name = "\(source.name).\(format.fileExtension)"
        var number = 1
        while !taken.insert(name).inserted {
            number += 1
            name = "\(source.name)-\(number).\(format.fileExtension)"
        }
        return ("\(folder)/\(name)", format)
    }

    /// The format that a file's extension names.
    static func format(ofPath path: String) -> ImageFormat? {
        let file = path.split(separator: "/").last ?? ""
        guard let dot = file.lastIndex(of: ".") else { return nil }
        return FormatArgument(argument: String(file[file.index(after: dot)...]))?.format
    }
}
