import ArgumentParser
import WebImage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What the command line says of where pictures go; an ``OutputPlan`` is made of it as soon as the sources are known.
struct OutputWish: Sendable {
    /// What happens to files that are there already.
    enum Replacement: Sendable {
        /// They stay.
        case none
        /// They give way, but never a source.
        case others
        /// They give way, and so does a picture's own source.
        case all
    }

    /// A file, a folder, or one of the names of standard output; nil where no picture is written.
    var path: String?
    /// What to encode; nil goes by the file's extension, and in a folder by the picture.
    var format: ImageFormat?
    var replacement = Replacement.others
    /// The file of the contact sheet.
    var sheet: String?

    /// Finds what is wrong whatever the sources are.
    func check() throws(ValidationError) {
        if let path {
            if path.isEmpty { throw ValidationError("--output names nothing: give a file or a folder.") }
            if OutputFile.isStandardOutput(path) { try checkStandardOutput() }
        }
        if let sheet { _ = try ContactSheet(path: sheet) }
        if let path, let sheet, Self.standard(path) == Self.standard(sheet) {
            throw ValidationError("--output and --contact-sheet name the same file.")
        }
    }

    /// Whether a path means a folder, however many pictures there are.
    static func isFolder(_ path: String) -> Bool {
        var isDirectory = false
        return path.hasSuffix("/")
            || (FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) && isDirectory)
    }

    /// One spelling for all that name the same place.
    static func standard(_ path: String) -> String {
        URL(filePath: path).standardizedFileURL.path(percentEncoded: false)
    }

    private func checkStandardOutput() throws(ValidationError) {
        guard format != nil else {
            throw ValidationError("A picture on standard output has no name that says its format; say --format.")
        }
        guard !Output.isTerminal else {
            throw ValidationError("A terminal takes no picture: send it to a file with > or to a program with |.")
        }
    }
}
