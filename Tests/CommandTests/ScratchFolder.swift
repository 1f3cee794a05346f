import Foundation
import WebImage

/// A folder that goes away with its test.
final class ScratchFolder: Sendable {
    private let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "end-to-end-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func path(_ name: String) -> String { url.appending(path: name).path }

    func bytes(of name: String) throws -> Bytes {
        Bytes(Array(try Data(contentsOf: url.appending(path: name))))
    }

    /// The names of what is here, sorted.
    var names: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() } }

    /// Decodes a picture that was written here, all of it.
    func size(of name: String) throws -> PixelSize {
        let data = try Data(contentsOf: url.appending(path: name))
        return try CoderRegistry.standard.decode(Bytes(Array(data))).size
    }
}
