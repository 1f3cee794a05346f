import Benchmark
import BenchmarkInputs
import CControls
import Dispatch
import Foundation
import WebImage
import WebImageTesting

/// Players of one file by a clock that is moved by hand: a second passes as fast as its frames can be decoded.
private final class PlayedFile {
    private static let tick = Duration.nanoseconds(33_333_333)

    private let clock = ManualClock()
    private let players: [AnimatedImagePlayer]
    private let news = DispatchSemaphore(value: 0)

    /// - Parameters:
    ///   - players: each has an animation of its own, and shares nothing with the others.
    ///   - limit: of the frame budget.
    init(_ bytes: Bytes, players count: Int = 1, limit: Int) throws {
        let budget = FrameBudget(limit: limit, clock: clock.face)
        players = try (0..<count).map { _ in
            AnimatedImagePlayer(
                try CoderRegistry.standard.animation(of: bytes, options: AnimationOptions(keptBytes: 0)),
                budget: budget)
        }
        for player in players {
            player.onChange = { [news] in news.signal() }
            player.play()
        }
        look()
    }

    /// Looks at the frame that is shown, once for each `count`.
    func look(_ count: Int) {
        for _ in 0..<count { blackHole(players[0].frame()?.index) }
    }

    func play(frames: Int) {
        for _ in 0..<frames {
            clock.advance(by: Self.tick)
            look()
        }
    }

    /// Waits until every player shows the frame that is due, asleep while none comes.
    private func look() {
        for player in players {
            while player.frame()?.index != player.currentIndex { news.wait() }
        }
    }
}

/// What all threads of this process have used of the processor, in nanoseconds.
private func processorTime() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
}

/// Registers a benchmark of the processor time that `play` takes for each second of an animation.
///
/// - Parameter play: plays two seconds: all 60 frames.
private func measurePlaying<State>(
    _ name: String, on makeState: @escaping () throws -> State, play: @escaping (State) throws -> Void
) {
    Benchmark(name, configuration: .measuring([.each], for: .seconds(4), atMost: 30)) {
        (benchmark: Benchmark, state: State) throws -> Void in
        let before = processorTime()
        try play(state)
        benchmark.measurement(.each, (processorTime() - before) / 2 * 1_000)
    } setup: {
        try makeState()
    }
}

func playbackBenchmarks() {
    measure("tick on a held frame", .measuring(scale: .kilo)) {
        let file = try PlayedFile(Bytes(BenchmarkInput.playedWebP.bytes()), limit: 64 << 20)
        file.play(frames: 60)
        return file
    } run: { file, count in
        file.look(count)
    }

    measurePlaying("a second of WebP, no frame kept") {
        try PlayedFile(Bytes(BenchmarkInput.playedWebP.bytes()), limit: 0)
    } play: {
        $0.play(frames: 60)
    }
    measurePlaying("a second of WebP, no frame kept (C)") {
        try BenchmarkInput.playedWebP.bytes()
    } play: { bytes in
        try ControlFailure.check(ctl_webp_play(bytes, bytes.count, 60), "play")
    }
    measurePlaying("a second of WebP, all frames kept") {
        let file = try PlayedFile(Bytes(BenchmarkInput.playedWebP.bytes()), limit: 64 << 20)
        file.play(frames: 60)
        return file
    } play: {
        $0.play(frames: 60)
    }

    // Two seconds of fifty files of 55 MB each when decoded, in a process that has played one frame before.
    Benchmark("50 players, memory", configuration: .measuring([.footprint], atMost: 1, warmup: 0)) {
        (benchmark: Benchmark, bytes: Bytes) throws -> Void in
        let peak = try ResidentMemory.peak {
            try PlayedFile(bytes, players: 50, limit: 64 << 20).play(frames: 60)
        }
        benchmark.measurement(.footprint, peak)
    } setup: {
        let bytes = try Bytes(BenchmarkInput.playedWebP.bytes())
        _ = try PlayedFile(bytes, limit: 0)
        return bytes
    }
}
