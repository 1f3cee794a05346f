import Foundation
import Testing

@testable import WebImage

/// What makes two requests want the same thing.
@Suite struct RequestKeysTests {
    /// A change of a request, and the first of its keys that has to change with it.
    struct Change: Sendable, CustomTestStringConvertible {
        enum Level: Sendable { case bytes, picture, steps, none }

        let name: String
        let level: Level
        let make: @Sendable (inout ImageRequest) -> Void
        var testDescription: String { name }

        init(_ name: String, _ level: Level, _ make: @escaping @Sendable (inout ImageRequest) -> Void) {
            (self.name, self.level, self.make) = (name, level, make)
        }
    }

    static let changes: [Change] = [
        Change("address", .bytes) { $0 = request("https://example.org/b.png") },
        Change("query", .bytes) { $0 = request("https://example.org/a.png?v=2") },
        Change("field", .bytes) { $0.headers["X-User"] = "1" },
        Change("another value of the field", .bytes) { $0.headers["X-User"] = "2" },
        Change("secret field", .bytes) { $0.options.sensitiveHeaders = ["X-User"] },
        Change("hooks", .bytes) { $0.options.hooks = RequestHooks("decrypt", FetchHooks()) },
        Change("filter of the address", .bytes) { $0.options.keyFilter = .custom(name: "one") { _ in "one" } },
        Change("full size", .picture) { $0.target = nil },
        Change("width", .picture) { $0.target?.width = 20 },
        Change("height", .picture) { $0.target?.height = 20 },
        Change("width and height changed over", .picture) { $0.target = TargetSize(width: 8, height: 10) },
        Change("fit", .picture) { $0.target?.fit = .cover },
        Change("enlarging", .picture) { $0.target?.allowsUpscaling = true },
        Change("most pixels", .picture) { $0.limits.maxPixels = 1_000 },
        Change("longest side", .picture) { $0.limits.maxSide = 1_000 },
        Change("most bytes", .picture) { $0.limits.maxInputBytes = 1_000 },
        Change("most scans", .picture) { $0.limits.maxScans = 10 },
        Change("most frames", .picture) { $0.limits.maxFrames = 10 },
        Change("most pixels of all frames", .picture) { $0.limits.maxTotalPixels = 10 },
        Change("longest decode", .picture) { $0.limits.maxDuration = .seconds(1) },
        Change("nesting", .picture) { $0.limits.maxNesting = 1 },
        Change("colours", .picture) { $0.options.color = .keep },
        Change("thumbnails", .picture) { $0.options.usesEmbeddedThumbnail = true },
        Change("bytes of pixels", .picture) { $0.options.byteLimit = 1_000 },
        Change("animation", .steps) { $0.options.animation = .moving },
        Change("processed animation", .steps) {
            $0.processing = [resize(4)]
            $0.options.animation = AnimationPolicy(isWanted: true, processesFrames: true)
        },
        Change("preloading nothing", .none) { $0.options.animation.preloadsFrames = true },
        Change("previews", .none) { $0.options.previews = .shown },
        Change("a step", .steps) { $0.processing = [resize(4)] },
        Change("two steps", .steps) { $0.processing = [resize(4), resize(2)] },
        Change("two steps in another order", .steps) { $0.processing = [resize(2), resize(4)] },
        Change("a step of one's own", .steps) { $0.processing = [.custom(CustomStep("4") { $0 })] },
        Change("priority", .none) { $0.priority = .high },
        Change("policy", .none) { $0.caching = .reload },
        Change("fragment", .none) { $0 = request("https://example.org/a.png#top") },
        Change("retry", .none) { $0.options.retry = RetryPolicy.none },
    ]

    static func request(_ address: String = "https://example.org/a.png") -> ImageRequest {
        guard let url = URL(string: address) else { preconditionFailure("\(address) is no address") }
        return ImageRequest(url: url, target: TargetSize(width: 10, height: 8))
    }

    static func resize(_ width: Int) -> ProcessingStep { .resize(TargetSize(width: width)) }

    @Test(
        "C013 C060 W016: address, fields, hooks, size, fit, limits and steps are in the keys, and nothing else is"
    )
    func everyPart() {
        let plain = Self.request().keys
        var seen: [KeyDigest: String] = [plain.goal: "nothing"]
        for change in Self.changes {
            var request = Self.request()
            change.make(&request)
            let keys = request.keys
            #expect((keys.bytes == plain.bytes) == (change.level != .bytes), "\(change.name)")
            #expect((keys.picture == plain.picture) == [.steps, .none].contains(change.level), "\(change.name)")
            #expect((keys.goal == plain.goal) == (change.level == .none), "\(change.name)")
            // No two changes make the same picture.
            guard change.level != .none else { continue }
            #expect(seen[keys.goal] == nil, "\(change.name) and \(seen[keys.goal] ?? "") have one key")
            seen[keys.goal] = change.name
        }
    }

    @Test("C013: a request that was made at once has the keys of one that was changed step by step")
    func sameWays() {
        var changed = Self.request()
        changed.headers["X-A"] = "1"
        changed.headers["x-b"] = "2"
        changed.target = TargetSize(width: 5)
        changed.processing = [Self.resize(4), Self.resize(2)]
        changed.limits.maxSide = 100
        let whole = ImageRequest(
            url: changed.url, headers: ["X-B": "2", "x-a": "1"], target: TargetSize(width: 5),
            limits: DecodeLimits(maxSide: 100), processing: [Self.resize(4), Self.resize(2)])
        #expect(changed.keys == whole.keys)
        // Every prefix of the steps is the goal of a shorter request.
        var shorter = whole
        shorter.processing.removeLast()
        #expect(shorter.keys.goal == whole.keys.steps[0] && shorter.keys.goal != whole.keys.goal)
    }
}
