import Synchronization
import Testing
import WebImageTesting

@testable import WebImage

@Suite("Playing an animation")
struct AnimatedImagePlayerTests {
    private let scene = PlayerScene()

    private func player(
        _ frames: PaintedFrames, mode: PlaybackMode = .normal, poster: Bitmap? = nil, isGrowing: Bool = false
    ) throws -> AnimatedImagePlayer {
        AnimatedImagePlayer(
            try frames.animation(), poster: poster, mode: mode, isGrowing: isGrowing, budget: scene.budget)
    }

    @Test("S008 C255 C261 C266: the first frame comes at once, then each when it is due, decoded before that")
    func plays() async throws {
        let frames = PaintedFrames(count: 4)
        let player = try player(frames)
        player.play()
        await scene.showAhead(0, player)
        var seen: [Int] = []
        for _ in 0..<40 {
            let frame = try #require(player.frame())
            #expect(PaintedFrames.index(of: frame.bitmap) == frame.index)
            #expect(frame.index == player.currentIndex)
            if seen.last != frame.index { seen.append(frame.index) }
            scene.clock.advance(by: .milliseconds(25))
            await scene.wait { player.state.withLock { $0.ordered == nil } }
        }
        #expect(seen == [0, 1, 2, 3, 0, 1, 2, 3, 0, 1])
        #expect(player.completedLoops == 2)
        // Held after the first loop.
        #expect(frames.drawn == [0, 1, 2, 3])
    }

    @Test(
        "W009: in reverse the first frame that is ever shown is the last one, poster or not", arguments: [true, false])
    func reverse(isChangedLater: Bool) async throws {
        let frames = PaintedFrames(count: 4, loopCount: 1)
        let poster = try frames.animation().frame(at: 0)
        let player = try player(frames, mode: isChangedLater ? .normal : .reverse, poster: poster)
        if isChangedLater { player.mode = .reverse }
        #expect(player.frame()?.index != 0 && player.currentIndex == 3)
        player.play()
        await scene.showAhead(3, player)
        var seen: [Int] = []
        for _ in 0..<20 {
            let frame = try #require(player.frame())
            #expect(PaintedFrames.index(of: frame.bitmap) == frame.index)
            if seen.last != frame.index { seen.append(frame.index) }
            await scene.wait { player.state.withLock { $0.ordered == nil } }
            scene.clock.advance(by: .milliseconds(50))
        }
        #expect(seen == [3, 2, 1, 0] && !player.isPlaying)
    }

    @Test("C255: a poster is the first frame without any decode")
    func poster() throws {
        let frames = PaintedFrames(count: 4)
        let poster = try frames.animation().frame(at: 0)
        let decoded = frames.drawn.count
        let player = try player(frames, poster: poster)
        #expect(player.frame()?.index == 0 && frames.drawn.count == decoded)
    }

    @Test("C268: every frame and every loop is told once, the last loop before the end")
    func events() async throws {
        let events = Mutex<[AnimatedImagePlayer.Event]>([])
        let player = try player(PaintedFrames(count: 2, loopCount: 2))
        player.onEvent = { event in events.withLock { $0.append(event) } }
        player.play()
        await scene.showAhead(0, player)
        for _ in 0..<10 {
            scene.clock.advance(by: .milliseconds(50))
            _ = player.frame()
            await scene.wait { player.state.withLock { $0.ordered == nil } }
            _ = player.frame()
        }
        #expect(
            events.withLock(\.self) == [
                .frame(0), .frame(1), .frame(0), .loop(1), .frame(1), .loop(2), .finished,
            ])
    }

    @Test(
        "C266: while a frame is not decoded the one before it stays, and those that were due meanwhile are passed over")
    func late() async throws {
        let gate = Gate()
        let frames = PaintedFrames(count: 10)
        let slow = PaintedFrames(count: 10, gate: gate)
        let player = AnimatedImagePlayer(
            try slow.animation(), poster: try frames.animation().frame(at: 0), budget: scene.budget)
        player.play()
        #expect(player.frame()?.index == 0)
        scene.clock.advance(by: .milliseconds(450))
        #expect(player.frame()?.index == 0 && player.currentIndex == 4)
        gate.open()
        await scene.show(4, player)
        // Frame 1 had been ordered when it was next, and was drawn on the poster; 2 and 3 were only drawn on the way.
        #expect(slow.drawn.starts(with: [1, 2, 3, 4]))
    }

    @Test("C267: seeking shows the frame, playing or not, and is refused outside")
    func seek() async throws {
        let player = try player(PaintedFrames(count: 10))
        #expect(player.seek(to: 7))
        let frame = await scene.show(7, player)
        #expect(frame.map { PaintedFrames.index(of: $0.bitmap) } == 7)
        #expect(!player.seek(to: 10) && !player.seek(to: -1))
        #expect(player.currentIndex == 7 && player.nextDeadline == nil)
    }

    @Test(
        "P26: a jump decodes no more than the frames from the last one that can be drawn on", arguments: [true, false])
    func jumps(isChained: Bool) async throws {
        let frames = PaintedFrames(count: 200, size: PixelSize(width: 64, height: 64), isChained: isChained)
        let player = try player(frames)
        player.play()
        await scene.showAhead(0, player)
        var known = frames.drawn.count
        player.seek(to: 150)
        await scene.showAhead(150, player)
        #expect(frames.drawn.count - known == (isChained ? 150 : 2))
        known = frames.drawn.count
        // On what is held.
        player.seek(to: 152)
        await scene.showAhead(152, player)
        #expect(frames.drawn.count - known <= 2)
        known = frames.drawn.count
        player.seek(to: 40)
        await scene.showAhead(40, player)
        #expect(frames.drawn.count - known <= (isChained ? 0 : 2))
    }

    @Test("C263 C267 C273 C276: what stands still has no deadline, for whatever reason")
    func standsStill() async throws {
        let player = try player(PaintedFrames(count: 4))
        player.play()
        await scene.showAhead(0, player)
        #expect(player.nextDeadline != nil)
        player.pause()
        #expect(player.nextDeadline == nil && !player.isPlaying)
        player.play()
        player.rate = 0
        #expect(player.nextDeadline == nil && player.isPlaying)
        player.rate = 2
        #expect(player.nextDeadline != nil)
        player.prefersReducedMotion = true
        #expect(player.nextDeadline == nil)
        player.prefersReducedMotion = false
        player.isVisible = false
        #expect(player.nextDeadline == nil)
        // Asked to play while nobody sees it: it does as soon as somebody does.
        player.pause()
        player.play()
        #expect(player.nextDeadline == nil)
        player.isVisible = true
        #expect(player.nextDeadline != nil)
        scene.clock.advance(by: .milliseconds(60))
        await scene.show(1, player)
        player.stop()
        await scene.show(0, player)
        #expect(player.nextDeadline == nil && player.completedLoops == 0)
    }

    @Test("C274 C279 W006: frames that come later are played on from the last one")
    func growing() async throws {
        let player = try player(PaintedFrames(count: 2), isGrowing: true)
        player.play()
        await scene.showAhead(0, player)
        scene.clock.advance(by: .milliseconds(500))
        await scene.show(1, player)
        #expect(player.nextDeadline == nil && player.completedLoops == 0)
        player.extend(to: try PaintedFrames(count: 1).animation(), isGrowing: true)
        #expect(player.animation.frameCount == 2)
        player.extend(to: try PaintedFrames(count: 3, loopCount: 1).animation(), isGrowing: false)
        await scene.show(2, player)
        scene.clock.advance(by: .milliseconds(100))
        _ = player.frame()
        #expect(!player.isPlaying && player.completedLoops == 1)
        #expect(player.frame().map { PaintedFrames.index(of: $0.bitmap) } == 2)
    }

    @Test("C274: what was ordered and not begun is not lost when more frames come", .timeLimit(.minutes(2)))
    func orderedBefore() async throws {
        let gate = Gate()
        let part = try PaintedFrames(count: 2, gate: gate).animation()
        let first = AnimatedImagePlayer(part, budget: scene.budget)
        let player = AnimatedImagePlayer(part, isGrowing: true, budget: scene.budget)
        // Of one animation one frame is decoded at a time: the second one waits behind the first.
        #expect(first.frame() == nil && player.frame() == nil)
        player.extend(to: try PaintedFrames(count: 3).animation(), isGrowing: true)
        await scene.show(0, player)
        #expect(player.frame().map { PaintedFrames.index(of: $0.bitmap) } == 0)
        gate.open()
        await scene.show(0, first)
    }

    @Test(
        "S019: the same animation in another size goes on where it is, playing or not, and counts its loops on",
        .timeLimit(.minutes(2)))
    func anotherSize() async throws {
        let player = try player(PaintedFrames(count: 3))
        player.play()
        await scene.showAhead(0, player)
        scene.clock.advance(by: .milliseconds(420))
        await scene.show(1, player)
        player.pause()
        #expect(player.completedLoops == 1)
        let large = PaintedFrames(count: 3, size: PixelSize(width: 32, height: 32))
        player.extend(to: try large.animation(), isGrowing: false)
        // What is there stays to be seen meanwhile.
        #expect(player.frame()?.index == 1)
        await scene.wait { player.frame()?.bitmap.width == 32 }
        let frame = try #require(player.frame())
        #expect(frame.index == 1 && PaintedFrames.index(of: frame.bitmap) == 1)
        #expect(player.completedLoops == 1 && !player.isPlaying && large.drawn == [0, 1])
        player.play()
        scene.clock.advance(by: .milliseconds(80))
        await scene.show(2, player)
        #expect(player.frame()?.bitmap.width == 32)
    }

    @Test(
        "P28: a frame of the old size is never drawn on in the new one, whoever stops while that is decoded",
        .timeLimit(.minutes(2)))
    func outdatedFrame() async throws {
        let gate = Gate()
        let frames = PaintedFrames(count: 4)
        var small = AnimationOptions(keptBytes: 0)
        small.thumbnail = .init(size: PixelSize(width: 4, height: 4)) { frame in
            try frame.resized(scaledTo: PixelSize(width: 4, height: 4), filter: .box)
        }
        let player = AnimatedImagePlayer(try frames.animation(small), budget: scene.budget)
        player.play()
        await scene.showAhead(0, player)
        scene.clock.advance(by: .milliseconds(110))
        await scene.show(1, player)
        let held = PaintedFrames(count: 4, gate: gate)
        let large = try held.animation()
        player.extend(to: large, isGrowing: false)
        #expect(player.frame()?.bitmap.width == 4)
        player.pause()
        player.stop(.releaseFrames)
        #expect(player.frame()?.bitmap.width == 4)
        #expect(large.heldBitmaps.allSatisfy { $0.size == large.size })
        gate.open()
        await scene.wait { player.frame()?.bitmap.width == 16 }
        #expect(player.frame().map { PaintedFrames.index(of: $0.bitmap) } == 1)
        player.play()
        scene.clock.advance(by: .milliseconds(110))
        await scene.show(2, player)
        #expect(large.heldBitmaps.allSatisfy { $0.size == large.size })
        #expect(player.frame().map { PaintedFrames.index(of: $0.bitmap) } == 2)
    }

    @Test("C268 P27: frames that cannot be decoded are passed over and say why")
    func broken() async throws {
        let frames = PaintedFrames(count: 3, isChained: false)
        frames.broken = [0, 2]
        let player = try player(frames)
        player.play()
        await scene.wait {
            _ = player.frame(); return player.failure != nil
        }
        #expect(player.failure?.code == .malformed)
        await scene.wait {
            _ = player.frame(); return player.nextDeadline != nil
        }
        scene.clock.advance(by: .milliseconds(100))
        await scene.show(1, player)
        scene.clock.advance(by: .milliseconds(100))
        #expect(player.frame()?.index == 1 && player.currentIndex == 2)
        // The next loop tries again.
        frames.broken = []
        scene.clock.advance(by: .milliseconds(100))
        await scene.show(0, player)
    }

    @Test("C262 C275: the file's loops, or one's own")
    func loopCount() async throws {
        let player = try player(PaintedFrames(count: 2, loopCount: 1))
        player.loopCount = 3
        player.play()
        await scene.showAhead(0, player)
        scene.clock.advance(by: .seconds(9))
        _ = player.frame()
        #expect(player.completedLoops == 3 && !player.isPlaying)
        player.loopCount = nil
        player.play()
        scene.clock.advance(by: .seconds(9))
        _ = player.frame()
        #expect(player.completedLoops == 1)
    }

    @Test("C266 C271: without a toolkit the frames come as a sequence, each when it is due, and end with the last loop")
    func sequence() async throws {
        let player = try player(PaintedFrames(count: 3, loopCount: 2))
        player.play()
        let (clock, start) = (scene.clock, scene.clock.now())
        let reader = Task {
            var seen: [String] = []
            for await frame in player.frames {
                seen.append("\(frame.index) at \((clock.now() - start) / .milliseconds(1))")
            }
            return seen
        }
        let isDone = Mutex(false)
        let driver = Task {
            while !isDone.withLock(\.self) {
                // Moved only while the reader sleeps, and to the time that it sleeps for.
                if clock.sleeperCount > 0, let deadline = player.nextDeadline, deadline > clock.now(),
                    player.state.withLock({ $0.ordered == nil })
                {
                    clock.advance(by: deadline - clock.now())
                }
                await Task.yield()
            }
        }
        let seen = await reader.value
        isDone.withLock { $0 = true }
        await driver.value
        #expect(seen == ["0 at 0.0", "1 at 100.0", "2 at 200.0", "0 at 300.0", "1 at 400.0", "2 at 500.0"])
    }

    @Test("P28: a reader that is woken early waits anew, once")
    func wokenReader() async throws {
        let player = try player(PaintedFrames(count: 3))
        let isReading = AsyncGate()
        let reader = Task {
            for await _ in player.frames { isReading.open() }
        }
        player.play()
        try await isReading.pass()
        await scene.wait { scene.clock.sleeperCount == 1 && player.state.withLock { $0.ordered == nil } }
        let before = scene.clock.sleepCount
        player.rate = 0.5
        await scene.wait { scene.clock.sleepCount > before }
        for _ in 0..<2_000 { await Task.yield() }
        #expect(scene.clock.sleepCount <= before + 2)
        reader.cancel()
        await reader.value
    }

    @Test("C271: a reader that is cancelled ends, and is forgotten")
    func cancelledSequence() async throws {
        let player = try player(PaintedFrames(count: 3))
        let started = AsyncGate()
        let reader = Task {
            for await _ in player.frames { started.open() }
        }
        try await started.pass()
        reader.cancel()
        await reader.value
        await scene.wait { player.state.withLock { $0.watchers.isEmpty } }
    }
}
