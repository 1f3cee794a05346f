// Written by Scripts/snippets from the README and the articles. They only have to compile; nobody calls them.
// swift-format-ignore-file
import Foundation
import WebImage

enum Snippets {
    /// README.md, block 1.
    static func readme1(url: URL) async throws {

        let url = URL(string: "https://example.com/photo.jpg")!
        let picture = try await ImagePipeline.shared.image(for: url, target: TargetSize(width: 400))
        print("\(picture.width) × \(picture.height) pixels")
    }

    /// README.md, block 3.
    static func readme3(url: URL) async throws {
        let request = ImageRequest(url: url, target: TargetSize(width: 300, height: 300, fit: .cover), priority: .high)
        let task = ImagePipeline.shared.task(for: request)
        for await event in task.events {
            if case .progress(let progress) = event { print("\(progress.received) of \(progress.expected ?? 0) bytes") }
        }
        let response = try await task.response
        print("from \(response.tier.rawValue) in \(response.timings.total)")
    }

    /// Sources/WebImage/WebImage.docc/WebImage.md, block 1.
    static func webimage1(url: URL) async throws {
        let picture = try await ImagePipeline.shared.image(for: url, target: TargetSize(width: 400))
        print("\(picture.width) × \(picture.height) pixels")
    }

    /// Sources/WebImage/WebImage.docc/WebImage.md, block 2.
    static func webimage2(url: URL) async throws {
        let task = ImagePipeline.shared.task(for: ImageRequest(url: url, priority: .low))
        task.priority = .high
        for await case .progress(let progress) in task.events { print(progress.received) }
        let response = try await task.response
        print("from \(response.tier.rawValue)")
    }

    /// Sources/WebImage/WebImage.docc/WebImage.md, block 3.
    static func webimage3(url: URL) async throws {
        var configuration = ImagePipeline.Configuration()
        configuration.diskCache = nil
        configuration.cpuThreads = 1
        let pipeline = ImagePipeline(configuration: configuration)
        let picture = try await pipeline.image(for: url)
        print("\(picture.width) × \(picture.height)")
    }

}
