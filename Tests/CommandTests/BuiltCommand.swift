import Foundation
import Testing

/// The command as it was built, next to the tests.
struct BuiltCommand {
    /// What one run left behind.
    struct Outcome {
        let code: Int32
        let output: String
        let notes: String

        /// The lines of `--json`.
        func records<Record: Decodable>(_ type: Record.Type = Record.self) throws -> [Record] {
            try output.split(separator: "\n").map { try JSONDecoder().decode(type, from: Data($0.utf8)) }
        }
    }

    private let executable: URL

    init() throws {
        #if os(macOS)
        let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
        #else
        let bundle = Bundle.main.executableURL
        #endif
        executable = try #require(bundle).deletingLastPathComponent().appending(path: "webimage")
        try #require(FileManager.default.isExecutableFile(atPath: executable.path), "\(executable.path) is not built")
    }

    /// Runs it to its end, without a terminal. No thread waits meanwhile.
    func run(_ arguments: [String], input: String = "") async throws -> Outcome {
        let folder = FileManager.default.temporaryDirectory.appending(path: "command-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        // Files and not pipes: neither side ever waits for the other.
        let files = ["input", "output", "notes"].map { folder.appending(path: $0) }
        for (file, text) in zip(files, [input, "", ""]) { try Data(text.utf8).write(to: file) }
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.standardInput = try FileHandle(forReadingFrom: files[0])
        process.standardOutput = try FileHandle(forWritingTo: files[1])
        process.standardError = try FileHandle(forWritingTo: files[2])
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            process.terminationHandler = { _ in continuation.resume() }
            do {
                try process.run()
            } catch {
                process.terminationHandler = nil
                continuation.resume(throwing: error)
            }
        }
        return Outcome(
            code: process.terminationStatus,
            output: try String(contentsOf: files[1], encoding: .utf8),
            notes: try String(contentsOf: files[2], encoding: .utf8))
    }
}
