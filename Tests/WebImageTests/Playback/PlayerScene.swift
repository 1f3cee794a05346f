import Synchronization
import WebImageTesting

@testable import WebImage

/// A budget by a clock that a test moves, and what is needed to wait for its threads.
struct PlayerScene {
    let clock = ManualClock()
    let budget: FrameBudget

    init(limit: Int = 64 << 20, threadCount: Int = 2) {
        budget = FrameBudget(limit: limit, threadCount: threadCount, clock: clock.face)
    }

    /// Looks at a player until it shows a frame. Would hang if it never did.
    @discardableResult
    func show(_ index: Int, _ player: AnimatedImagePlayer) async -> AnimatedImagePlayer.Frame? {
        while true {
            if let frame = player.frame(), frame.index == index { return frame }
            await Task.yield()
        }
    }

    /// Looks at a player until it has what comes next as well.
    func showAhead(_ index: Int, _ player: AnimatedImagePlayer) async {
        await show(index, player)
        while player.state.withLock({ $0.ordered != nil }) { await Task.yield() }
    }

    /// Waits until something is so.
    func wait(until isSo: () -> Bool) async {
        while !isSo() { await Task.yield() }
    }
}
