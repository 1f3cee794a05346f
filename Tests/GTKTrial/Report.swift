#if GTK
import Foundation

/// Prints findings, each on a line of its own.
enum Report {
    private struct Line: Encodable {
        let name: String
        let value: String
    }

    static func say(_ name: String, _ value: some CustomStringConvertible) {
        guard let data = try? JSONEncoder().encode(Line(name: name, value: "\(value)")) else { return }
        FileHandle.standardOutput.write(data + Data("\n".utf8))
    }
}
#endif
