public import ImageCoding
public import Pixels
import Synchronization

/// Plays an `AnimatedImage`: says which frame is to be seen at a time, and has it decoded before it is due.
///
/// A player draws nothing and has no timer. Whoever shows the animation asks for ``frame(at:)`` when the time of
/// ``nextDeadline`` has come, in a toolkit's frame clock or by a timer, and after ``onChange`` was called:
///
/// ```swift
/// let player = AnimatedImagePlayer(animation)
/// player.onChange = { print("look again") }   // on a decode thread
/// player.play()
/// if let frame = player.frame() {
///     print("frame \(frame.index) until \(player.nextDeadline, default: "something changes")")
/// }
/// ```
///
/// Programs without a toolkit read ``frames`` instead.
///
/// The frame is always the one that is due: who looks late passes over frames and never sees several at once. While a frame
/// is not decoded yet, the one before it stays. All players share the memory and the threads of a ``FrameBudget``. A player
/// that is not visible, paused, at its end, or that prefers reduced motion costs no processor time: ``nextDeadline`` is
/// `nil`, nothing is decoded, and the frames that it does not show go within a second.
///
/// Every call returns at once, from any thread.
public final class AnimatedImagePlayer: Sendable {
    /// One frame on the screen.
    public struct Frame: Sendable {
        /// Upright, in the size of the animation.
        public let bitmap: Bitmap
        /// Which frame of the animation it is, from 0.
        public let index: Int
        /// How many came before it.
        let serial: Int
    }

    /// What happened.
    public enum Event: Hashable, Sendable {
        /// Another frame is to be seen.
        case frame(Int)
        /// A loop was completed, the first one is 1. Reported for every loop, and before ``finished``.
        case loop(Int)
        /// The last loop was completed. The last frame stays.
        case finished
    }

    /// What a stop does besides.
    public struct StopOptions: OptionSet, Sendable {
        public let rawValue: Int

        public init(rawValue: Int) { self.rawValue = rawValue }

        /// The next start begins with the first frame and the first loop.
        public static let rewind = StopOptions(rawValue: 1)
        /// The frames that are not shown go at once, not within a second.
        public static let releaseFrames = StopOptions(rawValue: 2)
    }

    struct State {
        var animation: AnimatedImage
        var playback: PlaybackState
        private(set) var shown: Frame?
        /// It is of another animation, which was played before, and in another size.
        private(set) var isOutdated = false
        /// How many frames were shown so far.
        private var shownCount = 0
        /// The frame whose event has been sent.
        var reported: Int?
        /// The frame that comes next.
        var ahead: (bitmap: Bitmap, index: Int)?
        /// What has been ordered and did not come yet.
        var ordered: Int?
        /// Frames that cannot be decoded; tried again with the next loop.
        var failed: Set<Int> = []
        var failure: CodingError?
        var isVisible = true
        var prefersReducedMotion = false
        /// What the budget was told.
        var standing = FrameSeats.Standing.hidden
        var ownLoopCount: Int?
        var onChange: (@Sendable () -> Void)?
        var onEvent: (@Sendable (Event) -> Void)?
        var watchers: [ObjectIdentifier: @Sendable () -> Void] = [:]

        init(_ animation: AnimatedImage, _ playback: PlaybackState) {
            self.animation = animation
            self.playback = playback
        }

        mutating func show(_ bitmap: Bitmap, _ index: Int) {
            shownCount += 1
            shown = Frame(bitmap: bitmap, index: index, serial: shownCount)
            isOutdated = false
        }

        /// The frame that is due is the one that is shown.
        var isUpToDate: Bool { shown?.index == playback.frame && !isOutdated }

        /// What is shown stays to be seen until there is something in the new size.
        mutating func changeSize() {
            isOutdated = true
            ahead = nil
        }

        mutating func showNothing() {
            shown = nil
            isOutdated = false
            ahead = nil
            ordered = nil
        }
    }

    let budget: FrameBudget
    let id: FrameSeats.PlayerID
    let state: Mutex<State>
    /// Held while another animation takes the place of the old one.
    let extending = Mutex(())

    /// A player that stands at the first frame.
    ///
    /// - Parameters:
    ///   - animation: may be played by others too; its frames are shared.
    ///   - poster: the first frame, if it is at hand, so that it need not be decoded: ``ImageResponse/bitmap`` of the
    ///     response that the animation came with.
    ///   - mode: in which order. Default ``PlaybackMode/normal``.
    ///   - isGrowing: more frames will come, see ``extend(to:poster:isGrowing:)``: it waits at the last one that there is. Default
    ///     `false`.
    ///   - budget: whose memory and threads it uses. Default ``FrameBudget/shared``.
    public init(
        _ animation: AnimatedImage, poster: Bitmap? = nil, mode: PlaybackMode = .normal, isGrowing: Bool = false,
        budget: FrameBudget = .shared
    ) {
        self.budget = budget
        id = budget.join(animation)
        var state = State(
            animation,
            PlaybackState(
                durations: animation.playedDurations, loopCount: animation.loopCount, isComplete: !isGrowing,
                mode: mode))
        if let poster, state.playback.frame == 0 { state.show(poster, 0) }
        state.standing = .resting
        self.state = Mutex(state)
        budget.seat(self)
        budget.review(self)
    }

    deinit { budget.leave(id, animation) }

    /// What is played.
    public var animation: AnimatedImage { state.withLock(\.animation) }

    // MARK: What is seen

    /// The frame that is to be seen at a time; `nil` before the first one has been decoded. Events are sent from here.
    ///
    /// - Parameter now: not before the time of an earlier call. Default: the time of the budget's clock.
    public func frame(at now: ContinuousClock.Instant? = nil) -> Frame? {
        let now = now ?? budget.now()
        return look(at: now)
    }

    /// When ``frame(at:)`` has something else to say. `nil` while nothing is going to change by itself: then no tick is
    /// needed before ``onChange``.
    public var nextDeadline: ContinuousClock.Instant? { state.withLock { $0.playback.nextDeadline } }

    /// Called when ``frame(at:)`` or ``nextDeadline`` may have changed for another reason than the time: a frame has been
    /// decoded, or somebody plays, pauses, or seeks. On any thread, under no lock; must not block. Default none.
    public var onChange: (@Sendable () -> Void)? {
        get { state.withLock(\.onChange) }
        set { state.withLock { $0.onChange = newValue } }
    }

    /// Called with what happens, by whoever calls ``frame(at:)``. Default none.
    public var onEvent: (@Sendable (Event) -> Void)? {
        get { state.withLock(\.onEvent) }
        set { state.withLock { $0.onEvent = newValue } }
    }

    /// The frame that is due; the one that is seen may be an earlier one, until this is decoded.
    public var currentIndex: Int { state.withLock(\.playback.frame) }

    /// How often the animation was played to its end since it began.
    public var completedLoops: Int { state.withLock(\.playback.completedLoops) }

    /// Why a frame could not be decoded, the first time that it happened. Such frames are passed over.
    public var failure: CodingError? { state.withLock(\.failure) }

    // MARK: What is asked for

    /// Begins, or goes on; after the end it begins anew. While it cannot be seen it waits.
    public func play() { command { $0.play(at: $1) } }

    /// Stands still at the frame that is shown.
    public func pause() { command { $0.pause(at: $1) } }

    /// Somebody wants it to play; whether it moves depends on ``isVisible`` and ``prefersReducedMotion`` too.
    public var isPlaying: Bool { state.withLock(\.playback.isPlaying) }

    /// Ends.
    ///
    /// - Parameter options: Default: goes back to the start, and keeps what is shown until the start is decoded.
    public func stop(_ options: StopOptions = .rewind) {
        command(isAtOnce: options.contains(.releaseFrames)) {
            $0.stop(rewinds: options.contains(.rewind), at: $1)
        }
    }

    /// Goes to a frame, playing or not. It is shown as soon as it is decoded: that takes the frames from the last one that
    /// is held, or that stands alone, to this one.
    ///
    /// - Returns: `false` for an index that is not there; then nothing changes.
    @discardableResult
    public func seek(to index: Int) -> Bool {
        var isThere = false
        command { isThere = $0.seek(to: index, at: $1) }
        return isThere
    }

    /// The speed, 1 by default. From 0.001 to 1,000; beyond, the nearest of them counts. At 0, below, and for what is no
    /// number it stands still, and goes on where it was once the rate is above again.
    public var rate: Double {
        get { state.withLock(\.playback.rate) }
        set { command { $0.setRate(newValue, at: $1) } }
    }

    /// In which order frames come. A change keeps the frame that is shown; before the first start it is the first frame
    /// that changes.
    public var mode: PlaybackMode {
        get { state.withLock(\.playback.mode) }
        set {
            change { state, now in
                state.playback.setMode(newValue, at: now)
                // The poster of another order is no first frame of this one.
                if !state.playback.hasMoved, state.shown?.index != state.playback.frame { state.showNothing() }
            }
        }
    }

    /// How often it plays in all, 0 for ever; `nil`, the default, as often as the file says.
    public var loopCount: Int? {
        get { state.withLock(\.ownLoopCount) }
        set {
            change { state, _ in
                state.ownLoopCount = newValue
                state.playback.setLoopCount(newValue ?? state.animation.loopCount)
            }
        }
    }

    /// Somebody sees it. Default `true`; a view sets it to `false` while it is unmapped, hidden or covered.
    public var isVisible: Bool {
        get { state.withLock(\.isVisible) }
        set {
            change { state, _ in state.isVisible = newValue }
        }
    }

    /// Whether it stands still because somebody asked programs not to move things. Default `false`.
    public var prefersReducedMotion: Bool {
        get { state.withLock(\.prefersReducedMotion) }
        set {
            change { state, _ in state.prefersReducedMotion = newValue }
        }
    }

    private func command(
        isAtOnce: Bool = false, _ body: (inout PlaybackState, ContinuousClock.Instant) -> Void
    ) {
        change(isAtOnce: isAtOnce) { body(&$0.playback, $1) }
    }
}

extension AnimatedImage {
    /// How long each frame is played; one that never ends where there is nothing to play.
    var playedDurations: [Duration] { isMoving || !header.isPaged ? durations : [.zero] }
}
