import Foundation
import ImageCaching
import Synchronization
import Testing
import WebImageTesting

@testable import WebImage

@Suite("The frames of all players")
struct FrameBudgetTests {
    private static let frameBytes = 64 * 64 * 4

    private func frames(_ count: Int, isChained: Bool = true) -> PaintedFrames {
        PaintedFrames(count: count, size: PixelSize(width: 64, height: 64), isChained: isChained)
    }

    private func play(_ player: AnimatedImagePlayer, _ scene: PlayerScene, to last: Int) async {
        player.play()
        await scene.showAhead(0, player)
        for index in 1...last {
            scene.clock.advance(by: .milliseconds(100))
            await scene.showAhead(index, player)
        }
    }

    @Test("P26 C270: a second view of the same animation decodes nothing, and holds nothing of its own")
    func secondView() async throws {
        let scene = PlayerScene()
        let frames = frames(20)
        let animation = try frames.animation()
        let first = AnimatedImagePlayer(animation, budget: scene.budget)
        await play(first, scene, to: 19)
        #expect(animation.decodedFrameCount == 20)
        let held = scene.budget.heldBytes
        #expect(held == 20 * Self.frameBytes)

        let second = AnimatedImagePlayer(animation, budget: scene.budget)
        await play(second, scene, to: 19)
        #expect(animation.decodedFrameCount == 20 && scene.budget.heldBytes == held)
        withExtendedLifetime((first, second)) {}
    }

    @Test("P26: two players at different places of one animation do not cost each other their place")
    func twoPlaces() async throws {
        // Room for a few frames only.
        let scene = PlayerScene(limit: 8 * Self.frameBytes, threadCount: 1)
        let frames = frames(60)
        let animation = try frames.animation()
        let first = AnimatedImagePlayer(animation, budget: scene.budget)
        let second = AnimatedImagePlayer(animation, budget: scene.budget)
        first.play()
        await scene.showAhead(0, first)
        second.seek(to: 30)
        second.play()
        await scene.showAhead(30, second)
        let known = animation.decodedFrameCount
        for step in 1...20 {
            scene.clock.advance(by: .milliseconds(100))
            await scene.showAhead(step, first)
            await scene.showAhead(30 + step, second)
        }
        // One for each player and step, and not the way there.
        #expect(animation.decodedFrameCount - known <= 40)
    }

    @Test("P28 C273: hidden there are no decodes and no deadline, and all frames are gone within a second")
    func hidden() async throws {
        let scene = PlayerScene()
        let frames = frames(20)
        let animation = try frames.animation()
        let player = AnimatedImagePlayer(animation, budget: scene.budget)
        await play(player, scene, to: 5)
        #expect(scene.budget.heldBytes > 0)
        player.isVisible = false
        let decoded = animation.decodedFrameCount
        #expect(player.nextDeadline == nil)
        scene.clock.advance(by: .seconds(1))
        await scene.wait { scene.budget.heldBytes == 0 }
        #expect(player.frame() == nil && animation.memoryCost == 0)
        scene.clock.advance(by: .seconds(60))
        _ = player.frame()
        #expect(animation.decodedFrameCount == decoded && player.nextDeadline == nil)
        #expect(scene.clock.sleeperCount == 0)
        // And it goes on where it was.
        player.isVisible = true
        let frame = await scene.show(5, player)
        #expect(frame.map { PaintedFrames.index(of: $0.bitmap) } == 5)
    }

    @Test("P28: looked away from for a moment, nothing has to be decoded again")
    func glance() async throws {
        let scene = PlayerScene()
        let frames = frames(20)
        let player = AnimatedImagePlayer(try frames.animation(), budget: scene.budget)
        await play(player, scene, to: 5)
        let drawn = frames.drawn.count
        player.isVisible = false
        scene.clock.advance(by: .milliseconds(300))
        player.isVisible = true
        #expect(player.frame()?.index == 5 && frames.drawn.count == drawn)
    }

    @Test(
        "P28 C276: paused, at its end, or with reduced motion, only the frame on the screen is held", arguments: 0..<4)
    func resting(reason: Int) async throws {
        let scene = PlayerScene()
        let frames = frames(20)
        let player = AnimatedImagePlayer(try frames.animation(), budget: scene.budget)
        player.loopCount = reason == 3 ? 1 : nil
        await play(player, scene, to: 19)
        switch reason {
        case 0: player.pause()
        case 1: player.prefersReducedMotion = true
        case 2: player.rate = 0
        default:
            scene.clock.advance(by: .milliseconds(100))
            _ = player.frame()
            #expect(!player.isPlaying)
        }
        scene.clock.advance(by: .seconds(1))
        await scene.wait { scene.budget.heldBytes == Self.frameBytes }
        #expect(player.frame()?.index == 19)
        let drawn = frames.drawn.count
        // Going on needs no way back: the frame that is shown is what the next is drawn on.
        player.loopCount = 0
        player.seek(to: 19)
        #expect(frames.drawn.count == drawn)
    }

    @Test("P26 P28: after a pause the next frame is drawn on the one that was shown")
    func resuming() async throws {
        let scene = PlayerScene()
        let frames = frames(40)
        let player = AnimatedImagePlayer(try frames.animation(), budget: scene.budget)
        await play(player, scene, to: 20)
        player.pause()
        scene.clock.advance(by: .seconds(1))
        await scene.wait { scene.budget.heldBytes == Self.frameBytes }
        let drawn = frames.drawn.count
        player.play()
        await scene.showAhead(20, player)
        #expect(frames.drawn.count == drawn + 1)
    }

    @Test("C276: stopping can give frames back at once")
    func stopping() async throws {
        let scene = PlayerScene()
        let player = AnimatedImagePlayer(try frames(20).animation(), budget: scene.budget)
        await play(player, scene, to: 10)
        player.stop([.rewind, .releaseFrames])
        #expect(scene.budget.heldBytes <= 2 * Self.frameBytes)
        await scene.show(0, player)
        #expect(player.completedLoops == 0)
    }

    @Test(
        "P1: fifty players of fifty animations stay within the budget and all of them go on", arguments: [70, 120, 400])
    func fifty(room: Int) async throws {
        let scene = PlayerScene(limit: room * Self.frameBytes)
        let players = try (0..<50).map { _ in
            AnimatedImagePlayer(try frames(300).animation(), budget: scene.budget)
        }
        for player in players { player.play() }
        for player in players { await scene.showAhead(0, player) }
        var most = 0
        for step in 1...30 {
            scene.clock.advance(by: .milliseconds(100))
            for player in players { await scene.showAhead(step, player) }
            most = max(most, scene.budget.heldBytes)
        }
        #expect(most <= room * Self.frameBytes)
    }

    @Test("P1: with room for nothing each player still has its frame, decoded when it is due")
    func nothing() async throws {
        let scene = PlayerScene(limit: 0)
        let frames = frames(30)
        let player = AnimatedImagePlayer(try frames.animation(), budget: scene.budget)
        await play(player, scene, to: 29)
        #expect(frames.drawn == Array(0..<30))
        #expect(scene.budget.heldBytes <= 2 * Self.frameBytes)
    }

    @Test("P1 C270: memory pressure gives back what is not on the screen, and playing goes on")
    func pressure() async throws {
        let scene = PlayerScene()
        let player = AnimatedImagePlayer(try frames(20).animation(), budget: scene.budget)
        await play(player, scene, to: 15)
        #expect(scene.budget.heldBytes > 10 * Self.frameBytes)
        scene.budget.relieve(.critical)
        #expect(scene.budget.heldBytes <= 3 * Self.frameBytes)
        scene.clock.advance(by: .milliseconds(100))
        await scene.showAhead(16, player)
        #expect(scene.budget.heldBytes <= 3 * Self.frameBytes)
    }

    @Test("C265 W043: the budget is 64 MiB, or less where this process may use little, and can be set")
    func limit() {
        #expect(FrameBudget.standardLimit(MemoryBudget(available: 16 << 30)) == 64 << 20)
        #expect(FrameBudget.standardLimit(MemoryBudget(available: 100 << 20)) == 10 << 20)
        #expect(FrameBudget.standardLimit(MemoryBudget(available: nil)) == 64 << 20)
        let budget = FrameBudget()
        #expect(budget.limit == FrameBudget.standardLimit)
        budget.limit = 1 << 20
        #expect(budget.limit == 1 << 20)
        budget.limit = -1
        #expect(budget.limit == 0)
    }

    @Test("P28: ten thousand players that come and go leave no thread, no file and no frame behind")
    func comeAndGo() async throws {
        let scene = PlayerScene()
        let animation = try frames(20).animation()
        func counts() -> [Int] {
            ["/proc/self/task", "/proc/self/fd"].map {
                (try? FileManager.default.contentsOfDirectory(atPath: $0).count) ?? 0
            }
        }
        var keeper: AnimatedImagePlayer? = AnimatedImagePlayer(animation, budget: scene.budget)
        if let keeper { await play(keeper, scene, to: 19) }
        let before = counts()
        for round in 0..<10_000 {
            let player = AnimatedImagePlayer(animation, budget: scene.budget)
            player.play()
            if round % 7 == 0 { player.isVisible = false }
            if round % 5 == 0 { player.seek(to: round % 20) }
            _ = player.frame()
        }
        let after = counts()
        // Other tests run beside this one.
        for (new, old) in zip(after, before) { #expect(new <= old + 32) }
        keeper = nil
        await scene.wait { scene.budget.heldBytes == 0 }
        #expect(scene.budget.state.withLock { $0.players.isEmpty && $0.animations.isEmpty })
    }
}
