import Testing
import WebImageTesting

@testable import WebImage

@Suite("Where an animation stands")
struct PlaybackStateTests {
    private let start = ContinuousClock.now

    private func state(
        _ milliseconds: [Int], loopCount: Int = 0, isComplete: Bool = true, mode: PlaybackMode = .normal
    ) -> PlaybackState {
        PlaybackState(
            durations: milliseconds.map { .milliseconds($0) }, loopCount: loopCount, isComplete: isComplete,
            mode: mode)
    }

    private func time(_ milliseconds: Int) -> ContinuousClock.Instant { start + .milliseconds(milliseconds) }

    /// The frames that are seen at every tick, each once in a row, and the loops that were reported.
    private func run(
        _ state: inout PlaybackState, from first: Int = 0, to last: Int, every tick: Int = 10
    ) -> (frames: [Int], loops: [Int], ends: Int) {
        var frames = [state.frame]
        var loops: [Int] = []
        var ends = 0
        for now in stride(from: first, through: last, by: tick) {
            let passage = state.advance(to: time(now))
            if passage.loops > 0 { loops += (state.completedLoops - passage.loops + 1)...state.completedLoops }
            if passage.isEnd { ends += 1 }
            if frames.last != state.frame { frames.append(state.frame) }
        }
        return (frames, loops, ends)
    }

    @Test(
        "C264 W009 C268 P27: in every mode the right frame comes first, and each of n loops is reported once",
        arguments: [
            (PlaybackMode.normal, [0, 1, 2, 0, 1, 2, 0, 1, 2]), (.reverse, [2, 1, 0, 2, 1, 0, 2, 1, 0]),
            (.bounce, [0, 1, 2, 1, 0, 1, 2, 1, 0, 1, 2, 1, 0]),
            (.reverseBounce, [2, 1, 0, 1, 2, 1, 0, 1, 2, 1, 0, 1, 2]),
        ])
    func modes(mode: PlaybackMode, order: [Int]) {
        var state = state([50, 70, 90], loopCount: 3, mode: mode)
        state.play(at: start)
        let shown = run(&state, to: 2_000)
        #expect(shown.frames == order)
        #expect(shown.loops == [1, 2, 3] && shown.ends == 1)
        #expect(!state.isPlaying && state.isFinished && state.nextDeadline == nil && state.upcoming == nil)
        // The end holds.
        let shown7 = run(&state, from: 2_000, to: 9_000).frames
        #expect(shown7 == [order.last])
        state.play(at: time(9_000))
        #expect(state.frame == order.first && state.completedLoops == 0)
    }

    @Test("W009: played once in reverse, frame 0 is seen for all of its time")
    func reverseOnce() {
        var state = state([100, 100], loopCount: 1, mode: .reverse)
        state.play(at: start)
        _ = state.advance(to: time(150))
        #expect(state.frame == 0 && state.isPlaying)
        let passage1 = state.advance(to: time(199))
        #expect(passage1 == PlaybackState.Passage())
        let passage2 = state.advance(to: time(200))
        #expect(passage2 == PlaybackState.Passage(loops: 1, isEnd: true))
        #expect(state.frame == 0)
    }

    @Test("C262 C275 P27: zero loops are for ever, and a count of one's own takes the file's place")
    func loopCounts() {
        var forever = state([20, 20])
        forever.play(at: start)
        let shown8 = run(&forever, to: 4_000).loops
        #expect(shown8 == Array(1...100))
        var own = state([20, 20], loopCount: 1)
        own.setLoopCount(4)
        own.play(at: start)
        let shown9 = run(&own, to: 4_000).loops
        #expect(shown9 == [1, 2, 3, 4])
        own.setLoopCount(-3)
        #expect(own.loopCount == 0)
    }

    @Test("C263: the rate multiplies the speed from now on; at zero, below, and for no number the time stands still")
    func rates() {
        var state = state([100, 100, 100])
        state.play(at: start)
        state.setRate(2, at: time(50))
        #expect(state.nextDeadline == time(75))
        for rate in [0, -1, -Double.infinity, .nan] {
            var state = state
            state.setRate(rate, at: time(60))
            #expect(state.rate == 0 && state.nextDeadline == nil && state.isPlaying)
            _ = state.advance(to: time(5_000))
            #expect(state.frame == 0)
            // 30 of 100 are left.
            state.setRate(1, at: time(5_000))
            #expect(state.nextDeadline == time(5_030))
        }
        state.setRate(.infinity, at: time(60))
        #expect(state.rate == PlaybackState.rates.upperBound)
        state.setRate(.leastNonzeroMagnitude, at: time(60))
        #expect(state.rate == PlaybackState.rates.lowerBound)
    }

    @Test("C266: after a gap one frame is shown, the one that is due, and the phase stays")
    func gaps() {
        var state = state([30, 40, 50])
        state.play(at: start)
        let passage3 = state.advance(to: time(10 * 120 + 35))
        #expect(passage3 == PlaybackState.Passage(loops: 10))
        #expect(state.frame == 1 && state.nextDeadline == time(10 * 120 + 70))
        // A machine that slept for a year.
        let year = 31_536_000_000
        let passage4 = state.advance(to: time(year))
        #expect(passage4.loops == year / 120 - 10)
        #expect(state.completedLoops == year / 120 && state.frame == 0)
        #expect(state.nextDeadline == time(year + 30))
    }

    @Test("C266: of the loops that are left no more are counted than there are, however late somebody looks")
    func gapToTheEnd() {
        var state = state([30, 40, 50], loopCount: 3, mode: .bounce)
        state.play(at: start)
        let passage5 = state.advance(to: time(1 << 40))
        #expect(passage5 == PlaybackState.Passage(loops: 3, isEnd: true))
        #expect(state.frame == 0)
    }

    @Test("C267 C276: pausing keeps the frame and its time, stopping goes back, seeking goes anywhere that is there")
    func commands() {
        var state = state([100, 100, 100])
        state.play(at: start)
        _ = state.advance(to: time(130))
        state.pause(at: time(130))
        #expect(state.nextDeadline == nil && state.upcoming == 2)
        _ = state.advance(to: time(900))
        #expect(state.frame == 1)
        state.play(at: time(1_000))
        #expect(state.nextDeadline == time(1_070))

        let isThere = state.seek(to: 2, at: time(1_010))
        #expect(isThere)
        #expect(state.frame == 2 && state.nextDeadline == time(1_110))
        let (isBehind, isBefore) = (state.seek(to: 3, at: time(1_020)), state.seek(to: -1, at: time(1_020)))
        #expect(!isBehind && !isBefore)
        #expect(state.frame == 2)

        _ = state.advance(to: time(1_150))
        #expect((state.frame, state.completedLoops) == (0, 1))
        state.stop(rewinds: false, at: time(1_230))
        #expect((state.frame, state.completedLoops, state.isPlaying) == (0, 1, false))
        _ = state.seek(to: 1, at: time(1_240))
        state.stop(rewinds: true, at: time(1_250))
        #expect((state.frame, state.completedLoops) == (0, 0))
    }

    @Test("C274 C279 W006: playing waits at the last frame that has come, and goes on when more come")
    func growing() {
        var state = state([50, 50], loopCount: 2, isComplete: false)
        state.play(at: start)
        let shown10 = run(&state, to: 500).frames
        #expect(shown10 == [0, 1])
        #expect(state.nextDeadline == nil && state.isRunning && state.completedLoops == 0)
        state.extend(to: Array(repeating: .milliseconds(50), count: 4), isComplete: false, at: time(500))
        let shown11 = run(&state, from: 500, to: 1_000).frames
        #expect(shown11 == [1, 2, 3])
        state.extend(to: Array(repeating: .milliseconds(50), count: 3), isComplete: true, at: time(1_000))
        #expect(state.frameCount == 4)
        state.extend(to: Array(repeating: .milliseconds(50), count: 4), isComplete: true, at: time(1_000))
        let rest = run(&state, from: 1_000, to: 2_000)
        #expect(rest.frames == [3, 0, 1, 2, 3] && rest.loops == [1, 2] && rest.ends == 1)
    }

    @Test(
        "C274 W009: in reverse nothing plays before the last frame has come",
        arguments: [
            PlaybackMode.reverse, .reverseBounce,
        ])
    func growingInReverse(mode: PlaybackMode) {
        var state = state([50, 50], isComplete: false, mode: mode)
        state.play(at: start)
        let shown12 = run(&state, to: 500).frames
        #expect(shown12 == [1])
        state.extend(to: Array(repeating: .milliseconds(50), count: 3), isComplete: true, at: time(500))
        let shown13 = run(&state, from: 500, to: 600).frames
        #expect(shown13 == [2, 1, 0])
    }

    @Test(
        "P27 C266: ticks of any frequency show the frame that is due, without drift in a minute",
        arguments: [60, 90, 120, 144])
    func drift(frequency: Int) {
        var numbers = SeededGenerator(seed: UInt64(frequency))
        for durations in [[33, 33, 34], [40], [100], [11, 500, 20, 90], [17]] {
            for mode in PlaybackMode.allCases {
                let durations = Array(repeating: durations, count: 5).flatMap(\.self)
                var state = state(durations, mode: mode)
                let course = PlaybackCourse(mode: mode, frameCount: durations.count)
                let order = (0..<course.length).map { course.frame(at: $0) }
                let ends = order.reduce(into: [Int]()) { $0.append(($0.last ?? 0) + durations[$1] * 1_000) }
                state.play(at: start)
                var most = 0
                for tick in 1...60 * frequency {
                    // Ticks come late by up to half a period, and now and then one is left out.
                    if Int.random(in: 0..<50, using: &numbers) == 0 { continue }
                    let late = Int.random(in: 0..<500_000 / frequency, using: &numbers)
                    let now = tick * 1_000_000 / frequency + late
                    _ = state.advance(to: start + .microseconds(now))
                    let phase = now % (ends.last ?? 1)
                    let step = ends.firstIndex { phase < $0 } ?? 0
                    most = max(most, order[step] == state.frame ? 0 : 1)
                }
                #expect(most == 0, "\(durations), \(mode)")
            }
        }
    }

    @Test("P27: frame times that no clock can count are cut, and one frame has nothing to play")
    func extremes() {
        var state = PlaybackState(durations: [.seconds(Int64.max), .seconds(Int64.max)])
        state.setRate(.leastNonzeroMagnitude, at: start)
        state.play(at: start)
        let seconds = state.nextDeadline.map { ($0 - start) / .seconds(1) } ?? 0
        #expect(abs(seconds - 86_400_000) < 1)
        var single = PlaybackState(durations: [.zero], loopCount: 1)
        single.play(at: start)
        #expect(single.nextDeadline == nil && single.upcoming == nil)
        let passage6 = single.advance(to: time(1_000))
        #expect(passage6 == PlaybackState.Passage())
    }

    @Test("C261 C267 C274: a million random commands do what the plainest player does", arguments: 0..<20)
    func walk(seed: UInt64) {
        var numbers = SeededGenerator(seed: seed)
        var now = 0
        var left = 50_000
        while left > 0 {
            let durations = (0..<Int.random(in: 1...6, using: &numbers)).map { _ in
                Int.random(in: 11...60, using: &numbers)
            }
            let loopCount = Int.random(in: 0...3, using: &numbers)
            let isComplete = Bool.random(using: &numbers)
            let mode = PlaybackMode.allCases.randomElement(using: &numbers) ?? .normal
            var state = state(durations, loopCount: loopCount, isComplete: isComplete, mode: mode)
            var naive = NaivePlayback(durations, loopCount: loopCount, isComplete: isComplete, mode: mode)
            var reported = 0
            for step in 0..<500 {
                left -= 1
                let command = Int.random(in: 0..<40, using: &numbers)
                let before = state.completedLoops
                switch command {
                case 0:
                    state.pause(at: time(now))
                    naive.pause()
                case 1:
                    let rewinds = Bool.random(using: &numbers)
                    state.stop(rewinds: rewinds, at: time(now))
                    naive.stop(rewinds: rewinds)
                case 2:
                    let frame = Int.random(in: -1...naive.durations.count, using: &numbers)
                    state.seek(to: frame, at: time(now))
                    naive.seek(to: frame)
                case 3:
                    let rate = [0, 1, 2, 4].randomElement(using: &numbers) ?? 2
                    state.setRate(Double(rate) / 2, at: time(now))
                    naive.doubleRate = rate
                case 4:
                    let mode = PlaybackMode.allCases.randomElement(using: &numbers) ?? .normal
                    state.setMode(mode, at: time(now))
                    naive.set(mode)
                case 5:
                    naive.isSuspended.toggle()
                    state.setSuspended(naive.isSuspended, at: time(now))
                case 6:
                    let more = (0..<Int.random(in: 0...2, using: &numbers)).map { _ in
                        Int.random(in: 11...60, using: &numbers)
                    }
                    let isComplete = Int.random(in: 0..<4, using: &numbers) == 0
                    state.extend(
                        to: (naive.durations + more).map { .milliseconds($0) }, isComplete: isComplete, at: time(now))
                    naive.extend(by: more, isComplete: isComplete)
                case 7:
                    let count = Int.random(in: 0...4, using: &numbers)
                    state.setLoopCount(count)
                    naive.set(loopCount: count)
                case 8...12:
                    state.play(at: time(now))
                    naive.play()
                case 13:
                    // Somebody looks late.
                    let gap = Int.random(in: 0...2_000, using: &numbers)
                    now += gap
                    naive.pass(milliseconds: gap)
                default:
                    let gap = Int.random(in: 0...20, using: &numbers)
                    now += gap
                    naive.pass(milliseconds: gap)
                }
                naive.settle()
                let rewound = state.completedLoops < before
                let passage = state.advance(to: time(now))
                reported = (rewound ? 0 : reported) + passage.loops
                guard state.frame == naive.frame, state.completedLoops == naive.loops,
                    state.isPlaying == naive.isPlaying, state.isFinished == naive.isFinished,
                    (0..<state.frameCount).contains(state.frame),
                    state.nextDeadline.map({ $0 > time(now) }) ?? true,
                    passage.isEnd == (state.isFinished && passage.loops > 0)
                else {
                    Issue.record("seed \(seed), step \(step), command \(command): \(state) is not \(naive)")
                    return
                }
            }
        }
    }
}
