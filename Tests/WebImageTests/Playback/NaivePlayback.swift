@testable import WebImage

/// What a player of the plainest kind does: it writes the order of frames out, and counts every millisecond.
struct NaivePlayback {
    /// In milliseconds.
    private(set) var durations: [Int]
    private(set) var isComplete: Bool
    private(set) var mode: PlaybackMode
    private(set) var loopCount: Int
    private(set) var loops = 0
    private(set) var isPlaying = false
    private(set) var isFinished = false
    /// Twice the rate, so that halves are whole.
    var doubleRate = 2
    var isSuspended = false
    private var place = 0
    private var hasMoved = false
    /// Half milliseconds of the file's time that the frame has been seen.
    private var seen = 0

    init(_ durations: [Int], loopCount: Int, isComplete: Bool, mode: PlaybackMode) {
        self.durations = durations
        self.loopCount = loopCount
        self.isComplete = isComplete
        self.mode = mode
    }

    private var order: [Int] {
        let there = Array(durations.indices)
        let back = Array(there.reversed())
        switch mode {
        case .normal: return there
        case .reverse: return back
        case .bounce: return there.count > 1 ? there + back.dropFirst().dropLast() : there
        case .reverseBounce: return there.count > 1 ? back + there.dropFirst().dropLast() : there
        }
    }

    var frame: Int { order[place] }

    private var isRunning: Bool { isPlaying && !isSuspended && doubleRate > 0 && durations.count > 1 }

    mutating func pass(milliseconds: Int) {
        for _ in 0..<milliseconds where isRunning {
            seen += doubleRate
            settle()
        }
    }

    mutating func settle() {
        while isRunning, seen >= durations[frame] * 2 {
            let isForward = mode == .normal || mode == .bounce
            guard isComplete || isForward && place + 1 < durations.count else {
                seen = durations[frame] * 2
                return
            }
            seen -= durations[frame] * 2
            hasMoved = true
            place += 1
            guard place == order.count else { continue }
            loops += 1
            place = 0
            guard loopCount > 0, loops >= loopCount else { continue }
            if mode == .normal || mode == .reverse || durations.count == 1 { place = order.count - 1 }
            isPlaying = false
            isFinished = true
            seen = 0
        }
    }

    mutating func play() {
        if isFinished { rewind() }
        isPlaying = true
    }

    mutating func pause() { isPlaying = false }

    mutating func stop(rewinds: Bool) {
        isPlaying = false
        if rewinds { rewind() }
    }

    private mutating func rewind() {
        (place, loops, seen, isFinished, hasMoved) = (0, 0, 0, false, false)
    }

    mutating func seek(to frame: Int) {
        guard durations.indices.contains(frame) else { return }
        if isFinished { rewind() }
        place = order.firstIndex(of: frame) ?? 0
        hasMoved = true
        seen = 0
    }

    mutating func set(_ mode: PlaybackMode) {
        guard mode != self.mode else { return }
        let frame = frame
        self.mode = mode
        if hasMoved { place = order.firstIndex(of: frame) ?? 0 } else { (place, seen) = (0, 0) }
    }

    mutating func set(loopCount: Int) { self.loopCount = loopCount }

    mutating func extend(by more: [Int], isComplete: Bool) {
        guard !self.isComplete else { return }
        let frame = frame
        durations += more
        self.isComplete = isComplete
        let isWaitingAtStart = (mode == .reverse || mode == .reverseBounce) && place == 0
        if !isWaitingAtStart {
            place = order.firstIndex(of: frame) ?? 0
        } else if self.frame != frame {
            seen = 0
        }
    }
}
