import Foundation
import Synchronization
import Testing
import WebImageTesting

@testable import WebImage

/// Animations that move while their bytes come.
@Suite struct AnimationPreviewTests {
    /// Noise, of which each frame changes a part, so that it is drawn on the one before.
    private static func encode(_ format: ImageFormat, frames: Int = 6) throws -> [UInt8] {
        let size = PixelSize(width: 48, height: 32)
        let list = try (0..<frames).map { frame in
            var bitmap = try Bitmap(uninitialized: size, format: .rgbx8)
            let stride = bitmap.bytesPerRow
            try bitmap.withUnsafeMutableBytes { pixels in
                var state: UInt32 = 1
                for y in 0..<size.height {
                    for x in 0..<size.width * 4 {
                        state = state &* 1_664_525 &+ 1_013_904_223
                        let isChanged = y > 0 && y <= 28 && x >= 4 && x < 160
                        let value = UInt8(truncatingIfNeeded: state >> 24) &+ (isChanged ? UInt8(frame * 41) : 0)
                        pixels[y * stride + x] = x % 4 == 3 ? 255 : value
                    }
                }
            }
            return AnimationFrame(bitmap, duration: .milliseconds(50))
        }
        return try CoderRegistry.standard.encode(FrameSequence(list, loopCount: 1), as: format).array
    }

    /// How many bytes it takes until so many frames are there.
    private static func cut(_ bytes: [UInt8], frames: Int) -> Int {
        var (low, high) = (0, bytes.count)
        while low < high {
            let middle = (low + high) / 2
            let animation = try? CoderRegistry.standard.animation(of: Bytes(Array(bytes[..<middle])))
            if animation?.frameCount ?? 0 >= frames { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// As ``PreviewTests`` does it, without the preview of all frames: whether the last bytes are looked at before they are
    /// known to be the last is a matter of luck.
    private static func watch(
        _ bytes: [UInt8], cuts: [Int], _ request: ImageRequest
    ) async throws -> (previews: [ImagePreview], response: ImageResponse) {
        let (previews, response) = try await PreviewTests.watch(bytes, cuts: cuts, request)
        return (
            previews.filter { $0.animation?.frameCount != response.animation?.frameCount || $0.animation == nil },
            response
        )
    }

    private static func request(width: Int? = nil) throws -> ImageRequest {
        var request = try PreviewTests.request(.shown(every: .zero), width: width)
        request.options.animation = .moving
        return request
    }

    @Test(
        "C274 C279 W006: an animation's frames are there as they come, each of them right, and in the end all",
        arguments: [ImageFormat.gif, .apng, .animatedWebP], [nil, 12])
    func frames(format: ImageFormat, width: Int?) async throws {
        let bytes = try Self.encode(format)
        let cuts = [10] + (2..<6).map { Self.cut(bytes, frames: $0) }
        let (previews, response) = try await Self.watch(bytes, cuts: cuts, Self.request(width: width))
        let whole = try #require(response.animation)
        #expect(whole.frameCount == 6 && whole.bytes.array == bytes)
        #expect(previews.map(\.animation?.frameCount) == [2, 3, 4, 5])
        for preview in previews {
            let animation = try #require(preview.animation)
            #expect(whole.continues(animation) && !animation.continues(whole))
            #expect(animation.size == response.bitmap.size && preview.size == response.bitmap.size)
            #expect(preview.bitmap.pixels == response.bitmap.pixels)
            #expect(animation.durations == Array(whole.durations.prefix(animation.frameCount)))
            for index in 0..<animation.frameCount {
                #expect(try animation.frame(at: index).pixels == whole.frame(at: index).pixels)
            }
        }
    }

    @Test("W006: the first frame is shown as it comes; who wants one frame only is shown no more")
    func firstFrame() async throws {
        let bytes = try Self.encode(.gif)
        let half = Self.cut(bytes, frames: 2) / 3
        let cuts = [10, half] + [2, 3].map { Self.cut(bytes, frames: $0) }
        let (previews, _) = try await Self.watch(bytes, cuts: cuts, Self.request())
        #expect(previews.map(\.animation?.frameCount) == [nil, 2, 3])
        #expect(previews.first.map { $0.bitmap.height < 32 } == true)

        let still = try PreviewTests.request(.shown(every: .zero))
        let (rows, response) = try await PreviewTests.watch(bytes, cuts: [10, half], still)
        #expect(!rows.isEmpty && rows.allSatisfy { $0.animation == nil } && response.animation == nil)
    }

    @Test("a look is taken only when an eighth more has come; what cannot be read shows nothing and does no harm")
    func looks() throws {
        let bytes = try Self.encode(.gif)
        let request = try Self.request()
        let stage = PictureStage()
        func look(_ frames: inout ComingFrames, _ count: Int) -> Int? {
            bytes[..<count].withUnsafeBytes { bytes in
                frames.update(bytes, stage, for: request) { true }?.animation?.frameCount
            }
        }
        var frames = ComingFrames()
        let third = Self.cut(bytes, frames: 3)
        #expect(look(&frames, third - 1) == 2)
        #expect(look(&frames, third) == nil, "one byte more is no reason to walk over all again")
        #expect(look(&frames, third * 9 / 8 + 1) == 3)
        #expect(look(&frames, bytes.count) == 6)

        // A PNG says that it moves behind its header.
        let png = try Self.encode(.apng)
        var late = ComingFrames()
        let counts = [35, Self.cut(png, frames: 2)].map { count in
            png[..<count].withUnsafeBytes { bytes in
                late.update(bytes, stage, for: request) { true }?.animation?.frameCount
            }
        }
        #expect(counts == [nil, 2])

        var damaged = ComingFrames()
        let noise = Array(bytes.prefix(20)) + [UInt8](repeating: 0x55, count: 4_000)
        noise.withUnsafeBytes { noise in
            #expect(damaged.update(noise, stage, for: request) { true } == nil)
        }
        var empty = ComingFrames()
        #expect(empty.update(UnsafeRawBufferPointer(start: nil, count: 0), stage, for: request) { true } == nil)
    }

    @Test(
        "C274 C279: a player goes on with what has come, decodes no frame twice, and ends with the file",
        .timeLimit(.minutes(2)), arguments: [nil, 24])
    func played(width: Int?) async throws {
        let bytes = try Self.encode(.gif)
        let cuts = [10] + [2, 4].map { Self.cut(bytes, frames: $0) }
        let (previews, response) = try await Self.watch(bytes, cuts: cuts, Self.request(width: width))
        let parts = previews.compactMap(\.animation)
        let whole = try #require(response.animation)
        #expect(parts.map(\.frameCount) == [2, 4])
        let scene = PlayerScene()
        let player = AnimatedImagePlayer(
            try #require(parts.first), poster: previews.first?.bitmap, isGrowing: true, budget: scene.budget)
        player.play()
        var seen: [[UInt8]] = []
        func play(to index: Int) async throws {
            while true {
                _ = player.frame()
                let due = player.currentIndex
                if let frame = await scene.show(due, player), frame.index == seen.count {
                    seen.append(Array(frame.bitmap.pixels))
                }
                await scene.wait { player.state.withLock { $0.ordered == nil } }
                guard due != index else { break }
                scene.clock.advance(by: .milliseconds(50))
            }
            // Longer than the frame is due: it stays.
            scene.clock.advance(by: .milliseconds(500))
            #expect(player.frame()?.index == index)
        }
        try await play(to: 1)
        #expect(player.nextDeadline == nil && player.completedLoops == 0)
        player.extend(to: parts[1], isGrowing: true)
        try await play(to: 3)
        #expect(player.nextDeadline == nil && player.completedLoops == 0 && parts[1].decodedFrameCount == 2)
        player.extend(to: whole, isGrowing: false)
        try await play(to: 5)
        #expect(!player.isPlaying && player.completedLoops == 1)
        // One was decoded for the response.
        #expect(whole.decodedFrameCount == 1 + 2)
        let wanted = try (0..<6).map { Array(try whole.frame(at: $0).pixels) }
        #expect(seen == wanted)
    }
}
