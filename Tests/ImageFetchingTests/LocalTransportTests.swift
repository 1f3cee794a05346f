import ByteBuffers
import Foundation
import Testing

@testable import ImageFetching

@Suite struct LocalTransportTests {
    private let fetcher = Fetcher()

    private func fetch(_ text: String, limits: FetchLimits = .patient()) async throws -> FetchedResource {
        let fetcher = Fetcher(configuration: .init(limits: limits))
        return try await fetcher.fetch(FetchRequest(url: try #require(URL(string: text))))
    }

    @Test(
        "RFC 2397: types and data",
        arguments: [
            ("data:,A%20brief%20note", "text/plain", "A brief note"),
            ("data:image/gif;base64,R0lG", "image/gif", "GIF"),
            ("data:image/gif;BASE64,R0lGOA", "image/gif", "GIF8"),
            ("data:image/gif;base64,R0%20lG%0A", "image/gif", "GIF"),
            ("data:;charset=utf-8,x", "text/plain", "x"), ("DATA:image/PNG;a=b;base64,", "image/png", ""),
            ("data:a/b;base64,R0lGOA%3D%3D", "a/b", "GIF8"), ("data:,a,b", "text/plain", "a,b"),
        ]) func dataURLs(_ url: String, _ type: String, _ content: String) async throws
    {
        let resource = try await fetch(url)
        #expect(String(decoding: resource.bytes.array, as: UTF8.self) == content)
        #expect(resource.head.mediaType == type && resource.origin == .local)
    }

    @Test(
        "Broken data: URLs are refused",
        arguments: ["data:image/gif", "data:;base64,A", "data:;base64,A!AA", "data:;base64,AA=A"])
    func brokenDataURLs(_ url: String) async throws {
        let error = await #expect(throws: FetchError.self) { try await fetch(url) }
        #expect(error?.code == .invalidDataURL)
    }

    @Test("P7: local resources keep to the limit too") func limits() async throws {
        let error = await #expect(throws: FetchError.self) {
            try await fetch("data:,12345", limits: .patient(maxBodyBytes: 4))
        }
        #expect(error?.code == .bodyTooLarge)
    }

    @Test("Files are read whole; what is no regular file is refused") func files() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("fetching-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let bytes = (0..<2_500_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let file = folder.appendingPathComponent("ein Bild ü.jpg")
        try Data(bytes).write(to: file)
        try Data().write(to: folder.appendingPathComponent("empty"))
        let pipe = folder.appendingPathComponent("pipe")
        #expect(mkfifo(pipe.path, 0o600) == 0)

        #expect(try await fetcher.fetch(FetchRequest(url: file)).bytes.array == bytes)
        #expect(try await fetcher.fetch(FetchRequest(url: folder.appendingPathComponent("empty"))).bytes.isEmpty)
        let refused: [(URL, FetchError.Code)] = [
            (folder.appendingPathComponent("none"), .fileNotFound), (folder, .fileUnreadable), (pipe, .fileUnreadable),
            (try #require(URL(string: "file://elsewhere.test/x")), .invalidURL),
            (try #require(URL(string: "file:///a%00b")), .invalidURL),
        ]
        for (url, code) in refused {
            let error = await #expect(throws: FetchError.self) { try await fetcher.fetch(FetchRequest(url: url)) }
            #expect(error?.code == code, "\(url)")
        }
    }
}
