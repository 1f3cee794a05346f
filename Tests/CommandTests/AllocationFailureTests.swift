#if os(Linux)
import Foundation
import ServerSupport
import Testing

/// The built command where every k-th large request for memory fails: bodies and pixels live in memory that may be refused.
@Suite struct AllocationFailureTests {
    private let command: BuiltCommand
    private let folder: ScratchFolder
    private let sources: [String]
    private let shim: String

    init() throws {
        command = try BuiltCommand()
        folder = try ScratchFolder()
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
        let samples = root.appending(path: "Samples").path
        sources = try FileManager.default.contentsOfDirectory(atPath: samples).sorted()
            .filter { [".jpg", ".png", ".gif", ".webp"].contains(where: $0.hasSuffix) }.map { "\(samples)/\($0)" }
        shim = folder.path("failing-malloc.so")
        let compiler = try ChildProcess(
            URL(filePath: "/usr/bin/env"),
            ["clang", "-shared", "-fPIC", "-O1", "-o", shim, root.appending(path: "Scripts/failing-malloc.c").path])
        try #require(compiler.wait().code == 0)
    }

    @Test("P7 F41: no memory for bodies or pixels is an error with a code, never a crash", arguments: [1, 2, 3, 4, 6])
    func everyKth(_ k: Int) async throws {
        let outcome = try await command.run(
            ["load"] + sources + ["--json", "--cache-dir", folder.path("cache"), "--output", folder.path("out")],
            environment: ["LD_PRELOAD": shim, "FAIL_EVERY": "\(k)", "FAIL_SIZE": "65536"])
        #expect(!outcome.isKilled, "signal \(outcome.code): \(outcome.notes)")
        #expect(outcome.code == 0 || outcome.code == 1)
        let records = try outcome.records(LoadLine.self)
        #expect(records.map(\.source).sorted() == sources)
        let codes = records.compactMap { $0.error?.code }
        // libwebp says of some of its own refused requests that the file is damaged.
        #expect(Set(codes).subtracting(["malformed"]) == ["outOfMemory"])
        #expect(codes.count { $0 == "malformed" } <= 1)
    }

    @Test("F41: with memory enough for all of them nothing fails under the same shim")
    func control() async throws {
        let outcome = try await command.run(
            ["load"] + sources + ["--json", "--cache-dir", folder.path("cache")],
            environment: ["LD_PRELOAD": shim, "FAIL_EVERY": "1", "FAIL_SIZE": "1000000000"])
        #expect(outcome.code == 0, "\(outcome.notes)")
        #expect(try outcome.records(LoadLine.self).count == sources.count)
    }
}
#endif
