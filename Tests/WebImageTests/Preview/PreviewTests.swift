import Foundation
import Synchronization
import Testing
import WebImage
import WebImageTesting

/// Pictures that are shown before all of their bytes have come.
@Suite struct PreviewTests {
    private static let size = PixelSize(width: 64, height: 64)

    /// A JPEG of many bytes: every pixel differs from the next.
    private static func jpeg(isProgressive: Bool) throws -> [UInt8] {
        var bitmap = try Bitmap(uninitialized: size, format: .rgbx8)
        let stride = bitmap.bytesPerRow
        try bitmap.withUnsafeMutableBytes { pixels in
            for y in 0..<size.height {
                for x in 0..<size.width * 4 { pixels[y * stride + x] = x % 4 == 3 ? 255 : UInt8((x * 3 + y * 2) & 255) }
            }
        }
        let options = EncodeOptions(quality: 95, isProgressive: isProgressive)
        return try CoderRegistry.standard.encode(bitmap, as: .jpeg, options: options).array
    }

    static func pipeline(_ transport: TrickleTransport, _ memory: ImageMemoryCache? = nil) -> ImagePipeline {
        var fetching = Fetcher.Configuration()
        fetching.retry = .none
        return ImagePipeline(
            configuration: ImagePipeline.Configuration(
                memoryCache: memory, diskCache: nil,
                fetcher: Fetcher(configuration: fetching, transports: [transport])))
    }

    static func request(_ policy: PreviewPolicy, width: Int? = nil) throws -> ImageRequest {
        var request = ImageRequest(
            url: try #require(URL(string: "https://example.org/photo")), target: width.map { TargetSize(width: $0) })
        request.options.previews = policy
        return request
    }

    /// Sends a picture's bytes, each piece when the one before could be seen, and returns what could be seen.
    static func watch(
        _ bytes: [UInt8], cuts: [Int], _ request: ImageRequest, memory: ImageMemoryCache? = nil
    ) async throws -> (previews: [ImagePreview], response: ImageResponse) {
        let transport = TrickleTransport(total: bytes.count)
        let pipeline = pipeline(transport, memory)
        let task = pipeline.task(for: request)
        var previews: [ImagePreview] = []
        var cuts = cuts[...]
        var sent = 0
        func sendNext() {
            let end = cuts.popFirst() ?? bytes.count
            transport.send(bytes[sent..<end])
            sent = end
            if sent == bytes.count { transport.finish() }
        }
        // The first piece begins the body, the second one is looked at.
        let events = task.events
        sendNext()
        sendNext()
        for await event in events {
            guard case .preview(let preview) = event else { continue }
            previews.append(preview)
            sendNext()
        }
        return (previews, try await task.response)
    }

    @Test("C169 C187 C191 S088: rows of a baseline picture are shown while it comes, and then the picture itself")
    func rows() async throws {
        let bytes = try Self.jpeg(isProgressive: false)
        let count = bytes.count
        let memory = ImageMemoryCache(costLimit: 1 << 20)
        let request = try Self.request(.shown(every: .zero))
        let (previews, response) = try await Self.watch(
            bytes, cuts: [10, count / 3, count * 2 / 3], request, memory: memory)
        #expect(previews.count >= 2)
        let whole = response.bitmap.pixels
        for preview in previews {
            #expect(preview.size == Self.size && preview.pass == 1)
            #expect(preview.region == PixelRect(preview.bitmap.size))
            #expect(preview.bitmap.pixels.elementsEqual(whole.prefix(preview.bitmap.pixels.count)))
        }
        #expect(previews.map(\.bitmap.height) == previews.map(\.bitmap.height).sorted())
        #expect(try CoderRegistry.standard.decode(Bytes(bytes)).pixels == whole)
        // A preview is kept nowhere.
        #expect(memory.statistics.count == 1)
    }

    @Test("C169 C191 W024: passes of a progressive picture, in the wanted size")
    func passes() async throws {
        let bytes = try Self.jpeg(isProgressive: true)
        let (previews, response) = try await Self.watch(
            bytes, cuts: [10, bytes.count / 2], try Self.request(.shown(every: .zero), width: 16))
        #expect(previews.count >= 1)
        #expect(previews.allSatisfy { $0.bitmap.size == PixelSize(width: 16, height: 16) })
        #expect(response.bitmap.size == PixelSize(width: 16, height: 16))
    }

    @Test("S089: there are no previews unless they are asked for, and none of a picture that is processed")
    func off() async throws {
        let bytes = try Self.jpeg(isProgressive: true)
        var processed = try Self.request(.shown(every: .zero))
        processed.processing = [.resize(TargetSize(width: 8))]
        for request in [try Self.request(.none), processed] {
            let transport = TrickleTransport(total: bytes.count)
            let pipeline = Self.pipeline(transport)
            let task = pipeline.task(for: request)
            let events = task.events
            for start in stride(from: 0, to: bytes.count, by: 500) {
                transport.send(bytes[start..<min(start + 500, bytes.count)])
            }
            transport.finish()
            for await event in events {
                if case .preview = event { Issue.record("nobody wants a preview") }
            }
            _ = try await task.response
        }
    }

    @Test("previews of a turned picture are upright, and lie where their rows belong")
    func turned() async throws {
        // Orientation 6: rows that come first are the right columns (EXIF 2.32, tag 0x0112).
        var bytes = try Self.jpeg(isProgressive: false)
        let exif: [UInt8] =
            [0xFF, 0xE1, 0, 34] + Array("Exif".utf8) + [0, 0]
            + [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0]
        bytes.insert(contentsOf: exif, at: 2)
        let (previews, response) = try await Self.watch(
            bytes, cuts: [10, bytes.count / 2], try Self.request(.shown(every: .zero)))
        let preview = try #require(previews.first)
        #expect(response.info.orientation == .right)
        #expect(preview.bitmap.height == 64 && preview.bitmap.width < 64)
        #expect(preview.region.x + preview.region.width == 64 && preview.region.y == 0)
    }

    @Test("S090: bytes that come at once are not looked at before they are decoded")
    func atOnce() async throws {
        let bytes = try Self.jpeg(isProgressive: true)
        let transport = TrickleTransport(total: bytes.count)
        let task = Self.pipeline(transport).task(for: try Self.request(.shown))
        let events = task.events
        transport.send(bytes)
        transport.finish()
        for await event in events {
            if case .preview = event { Issue.record("there was no time for a preview") }
        }
        #expect(try await task.response.bitmap.size == Self.size)
    }
}
