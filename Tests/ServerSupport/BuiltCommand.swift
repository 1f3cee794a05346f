package import Foundation

/// The command, or another program of this package, as it was built next to the tests.
package struct BuiltCommand {
    /// What one run left behind.
    package struct Outcome {
        package let code: Int32
        /// Whether a signal ended it; the code is then the signal's number.
        package let isKilled: Bool
        package let output: String
        package let notes: String

        /// The lines of `--json`.
        package func records<Record: Decodable>(_ type: Record.Type = Record.self) throws -> [Record] {
            try output.split(separator: "\n").map { try JSONDecoder().decode(type, from: Data($0.utf8)) }
        }
    }

    package let executable: URL

    package init(_ name: String = "webimage") throws {
        #if os(macOS)
        let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
        #else
        let bundle = Bundle.main.executableURL
        #endif
        guard let folder = bundle?.deletingLastPathComponent() else { throw ServerError("The tests have no folder.") }
        executable = folder.appending(path: name)
        guard FileManager.default.isExecutableFile(atPath: executable.path) else {
            throw ServerError("\(executable.path) is not built.")
        }
    }

    /// Runs it to its end, without a terminal. No thread waits meanwhile.
    ///
    /// - Parameters:
    ///   - environment: what is set beside the tests' own environment.
    ///   - output: where standard output goes; nil keeps it for the outcome.
    ///   - observer: the words in front of it, of a program of the system that watches it.
    package func run(
        _ arguments: [String], input: String = "", environment: [String: String] = [:], output: FileHandle? = nil,
        under observer: [String] = []
    ) async throws -> Outcome {
        let program = try observer.first.map { try ServerProcess.executable($0) } ?? executable
        let arguments = observer.isEmpty ? arguments : observer.dropFirst() + [executable.path] + arguments
        let folder = FileManager.default.temporaryDirectory.appending(path: "command-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        // Files and not pipes: neither side ever waits for the other.
        let files = ["input", "output", "notes"].map { folder.appending(path: $0) }
        for (file, text) in zip(files, [input, "", ""]) { try Data(text.utf8).write(to: file) }
        let handles = try (
            input: FileHandle(forReadingFrom: files[0]), output: output ?? FileHandle(forWritingTo: files[1]),
            notes: FileHandle(forWritingTo: files[2])
        )
        let process = try ChildProcess(
            program, arguments, environment: ProcessInfo.processInfo.environment.merging(environment) { $1 },
            input: handles.input.fileDescriptor, output: handles.output.fileDescriptor,
            errors: handles.notes.fileDescriptor)
        let ending = await process.end()
        return Outcome(
            code: ending.code, isKilled: ending.isKilled,
            output: try String(contentsOf: files[1], encoding: .utf8),
            notes: try String(contentsOf: files[2], encoding: .utf8))
    }
}
