/// In which order an animation's frames are shown.
public enum PlaybackMode: Hashable, Sendable, CaseIterable {
    /// From the first frame to the last.
    case normal
    /// From the last frame to the first. The first one to be seen is the last of the file.
    case reverse
    /// To the last frame and back again. There and back is one loop; the frames at the ends are shown once each time, and
    /// after the last loop the first frame stays.
    case bounce
    /// To the first frame and back to the last, which stays after the last loop.
    case reverseBounce
}

/// The steps of one loop: which frame is shown at which.
struct PlaybackCourse: Equatable {
    var mode: PlaybackMode
    var frameCount: Int

    /// How many steps a loop has.
    var length: Int { isReturning ? 2 * frameCount - 2 : frameCount }

    /// The loop ends where it began.
    var isReturning: Bool { (mode == .bounce || mode == .reverseBounce) && frameCount > 1 }

    /// The frames come in the order of the file first.
    var beginsForward: Bool { mode == .normal || mode == .bounce }

    func frame(at step: Int) -> Int {
        let distance = step < frameCount ? step : length - step
        return beginsForward ? distance : frameCount - 1 - distance
    }

    /// The first step that shows a frame.
    func step(of frame: Int) -> Int { beginsForward ? frame : frameCount - 1 - frame }
}
