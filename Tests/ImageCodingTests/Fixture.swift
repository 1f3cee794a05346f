import Foundation
import Testing

/// Files that other programs made; `make.sh` beside them says how.
enum Fixture {
    /// The bytes of a file below `Fixtures`, `jpeg/photo.jpg` for example.
    static func bytes(_ path: String) throws -> [UInt8] {
        let folder = try #require(Bundle.module.resourceURL)
        return try [UInt8](Data(contentsOf: folder.appending(path: "Fixtures").appending(path: path)))
    }
}
