/// Where an animation stands, as a value over a clock that is passed in.
///
/// Every frame has a time at which it is over, counted from the one before it and not from when somebody looked: whoever
/// looks late finds the frame that is due then, those between are passed over, and nothing drifts. The time stands still
/// while nobody sees the animation, while the rate is not above zero, and at the last frame that has come of a file that
/// is still on its way.
struct PlaybackState: Sendable {
    /// What happened from one look to the next.
    struct Passage: Equatable, Sendable {
        /// Loops that were completed.
        var loops = 0
        /// The last of all loops was among them.
        var isEnd = false
    }

    private var durations: [Duration]
    private(set) var isComplete: Bool
    private var course: PlaybackCourse
    private var step = 0
    /// What is left of the frame, in the file's time. Counts while there is no `due`.
    private var remaining: Duration
    /// When the frame is over; `nil` while the time stands still.
    private var due: ContinuousClock.Instant?
    /// It has been at another place than the start.
    private(set) var hasMoved = false
    private(set) var isFinished = false

    /// Somebody wants it to play; it may stand still all the same.
    private(set) var isPlaying = false
    /// How often the animation was shown to its end since it began.
    private(set) var completedLoops = 0
    /// How often it plays in all; 0 means for ever.
    private(set) var loopCount: Int
    /// The speed. The time stands still at zero, below, and where it is no number.
    private(set) var rate = 1.0
    /// The time stands still whatever is wanted.
    private(set) var isSuspended = false

    /// The rates that are taken at their word; beyond, the nearest of them counts.
    static let rates = 0.001...1_000.0
    /// The longest time that a frame is seen at its own rate. Files can say more than time can be counted.
    static let longestDuration = Duration.seconds(86_400)
    /// The shortest time. Coders are to give each frame one, but a loop of no length at all would never end.
    static let shortestDuration = Duration.milliseconds(1)

    /// - Parameters:
    ///   - durations: of the frames that are there. At least one.
    ///   - isComplete: no more will come.
    init(durations: [Duration], loopCount: Int = 0, isComplete: Bool = true, mode: PlaybackMode = .normal) {
        precondition(!durations.isEmpty, "an animation has at least one frame")
        self.durations = durations.map(Self.bounded)
        self.isComplete = isComplete
        self.loopCount = max(0, loopCount)
        course = PlaybackCourse(mode: mode, frameCount: durations.count)
        remaining = self.durations[course.frame(at: 0)]
    }

    private static func bounded(_ duration: Duration) -> Duration {
        min(max(duration, shortestDuration), longestDuration)
    }

    var mode: PlaybackMode { course.mode }

    var frameCount: Int { course.frameCount }

    /// The frame that is to be seen.
    var frame: Int { course.frame(at: step) }

    /// The frame that comes after it; `nil` when none does, or when that is not known yet.
    var upcoming: Int? {
        guard frameCount > 1, !isFinished else { return nil }
        if step + 1 < course.length { return canLeave ? course.frame(at: step + 1) : nil }
        guard isComplete else { return nil }
        return isLastLoop && !course.isReturning ? nil : course.frame(at: 0)
    }

    /// When ``advance(to:)`` will say something new; `nil` for never, unless something else happens first.
    var nextDeadline: ContinuousClock.Instant? { due }

    /// The time passes, or would if there were more frames.
    var isRunning: Bool { isPlaying && !isSuspended && rate > 0 && frameCount > 1 }

    // MARK: Time

    /// Goes on to what is to be seen at a time. Earlier times than before change nothing.
    mutating func advance(to now: ContinuousClock.Instant) -> Passage {
        var passage = Passage()
        while let over = due, now >= over {
            guard canLeave else {
                // Goes on as soon as there is something to go on to.
                remaining = .zero
                due = nil
                break
            }
            hasMoved = true
            if step + 1 < course.length {
                step += 1
                due = over + time(of: frame)
                continue
            }
            passage.loops += 1
            completedLoops += 1
            guard loopCount == 0 || completedLoops < loopCount else {
                end()
                passage.isEnd = true
                break
            }
            step = 0
            due = over
            passage.loops += skipLoops(before: now)
            due = due.map { $0 + time(of: frame) }
        }
        return passage
    }

    /// Passes over whole loops, so that a machine that slept for a day need not count its frames.
    private mutating func skipLoops(before now: ContinuousClock.Instant) -> Int {
        guard let due, now - due >= time(of: frame) else { return 0 }
        let period = (0..<course.length).reduce(.zero) { $0 + time(of: course.frame(at: $1)) }
        var count = Int(min(((now - due) / period).rounded(.down), 1e12))
        if loopCount > 0 { count = min(count, loopCount - completedLoops - 1) }
        // The quotient was rounded.
        while count > 0, due + period * count > now { count -= 1 }
        completedLoops += count
        self.due = due + period * count
        return count
    }

    private mutating func end() {
        if course.isReturning { step = 0 }
        isPlaying = false
        isFinished = true
        due = nil
        remaining = durations[frame]
    }

    // MARK: What is asked for

    /// Begins, or goes on. What has come to its end begins anew.
    mutating func play(at now: ContinuousClock.Instant) {
        if isFinished { rewind() }
        isPlaying = true
        update(at: now)
    }

    /// Keeps the frame, and how long it was seen.
    mutating func pause(at now: ContinuousClock.Instant) {
        isPlaying = false
        update(at: now)
    }

    /// Ends, and goes back to the start if that is wanted.
    mutating func stop(rewinds: Bool, at now: ContinuousClock.Instant) {
        pause(at: now)
        if rewinds { rewind() }
    }

    private mutating func rewind() {
        step = 0
        completedLoops = 0
        isFinished = false
        hasMoved = false
        due = nil
        remaining = durations[frame]
    }

    /// Goes to a frame, which is seen for all of its time. Loops that were completed stay counted, except after the end.
    ///
    /// - Returns: `false`, and nothing changes, for a frame that is not there.
    @discardableResult
    mutating func seek(to frame: Int, at now: ContinuousClock.Instant) -> Bool {
        guard (0..<frameCount).contains(frame) else { return false }
        if isFinished { rewind() }
        step = course.step(of: frame)
        hasMoved = true
        due = nil
        remaining = durations[frame]
        update(at: now)
        return true
    }

    /// Changes the speed from now on; what is left of the frame takes so much more or less time.
    mutating func setRate(_ rate: Double, at now: ContinuousClock.Instant) {
        hold(at: now)
        self.rate = rate > 0 ? min(max(rate, Self.rates.lowerBound), Self.rates.upperBound) : 0
        update(at: now)
    }

    /// Changes the order. The frame stays; what has not begun begins at the start of the new order.
    mutating func setMode(_ mode: PlaybackMode, at now: ContinuousClock.Instant) {
        guard mode != course.mode else { return }
        hold(at: now)
        let frame = frame
        course.mode = mode
        step = hasMoved ? course.step(of: frame) : 0
        if !hasMoved { remaining = durations[self.frame] }
        update(at: now)
    }

    /// Changes how often it plays in all; below 0 counts as 0, for ever. What has been shown more often ends with this loop.
    mutating func setLoopCount(_ count: Int) {
        loopCount = max(0, count)
    }

    mutating func setSuspended(_ isSuspended: Bool, at now: ContinuousClock.Instant) {
        guard isSuspended != self.isSuspended else { return }
        self.isSuspended = isSuspended
        update(at: now)
    }

    /// More frames have come, or it is known that none will.
    ///
    /// - Parameter durations: of all frames that are there now. Fewer than before, and more than all, change nothing.
    mutating func extend(to durations: [Duration], isComplete: Bool, at now: ContinuousClock.Instant) {
        guard !self.isComplete, durations.count >= self.durations.count else { return }
        let isAtStart = step == 0
        let frame = frame
        self.durations = durations.map(Self.bounded)
        self.isComplete = isComplete
        course.frameCount = durations.count
        if course.beginsForward || !isAtStart {
            step = course.step(of: frame)
        } else if self.frame != frame {
            // What comes first in the reverse order is the last that there is.
            due = nil
            remaining = self.durations[self.frame]
        }
        update(at: now)
    }

    // MARK: Parts

    private var isLastLoop: Bool { loopCount > 0 && completedLoops + 1 >= loopCount }

    /// What comes next is known: the way back is not while more frames may come.
    private var canLeave: Bool { isComplete || course.beginsForward && step + 1 < frameCount }

    /// How long a frame is seen.
    private func time(of frame: Int) -> Duration { rate == 1 ? durations[frame] : durations[frame] / rate }

    /// Lets the time pass or stand still, as it has to.
    private mutating func update(at now: ContinuousClock.Instant) {
        if !isRunning {
            hold(at: now)
        } else if due == nil, canLeave || remaining > .zero {
            due = now + (rate == 1 ? remaining : remaining / rate)
        }
    }

    private mutating func hold(at now: ContinuousClock.Instant) {
        guard let over = due else { return }
        remaining = max(.zero, rate == 1 ? over - now : (over - now) * rate)
        due = nil
    }
}
