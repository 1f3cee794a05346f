public import ImageCoding
public import Pixels
import Synchronization

/// How one animation takes the place of another.
extension AnimatedImagePlayer {
    /// Takes the same file with more of its frames, or in another size, or the news that no more will come. It goes on where
    /// it is, and what was decoded stays as far as it is of use.
    ///
    /// - Parameters:
    ///   - animation: of the same bytes or more of them. With fewer frames than before nothing changes.
    ///   - poster: its first frame, if it is at hand. Default `nil`.
    ///   - isGrowing: still more will come.
    public func extend(to animation: AnimatedImage, poster: Bitmap? = nil, isGrowing: Bool) {
        extending.withLock { _ in
            let old = self.animation
            guard animation.frameCount >= old.frameCount else { return }
            extend(old, to: animation, isSame: animation.continues(old), poster: poster, isGrowing: isGrowing)
        }
    }

    /// The same, for what may be another file, or less of this one.
    ///
    /// - Returns: `false`, and nothing changes, when it is.
    package func goOn(with animation: AnimatedImage, poster: Bitmap, isGrowing: Bool) -> Bool {
        extending.withLock { _ in
            let (old, isComplete) = state.withLock { ($0.animation, $0.playback.isComplete) }
            guard animation.continues(old), !isComplete || !isGrowing && animation.frameCount == old.frameCount else {
                return false
            }
            extend(old, to: animation, isSame: true, poster: poster, isGrowing: isGrowing)
            return true
        }
    }

    private func extend(
        _ old: AnimatedImage, to animation: AnimatedImage, isSame: Bool, poster: Bitmap?, isGrowing: Bool
    ) {
        if animation !== old { budget.move(id, from: old, to: animation, isSame: isSame) }
        change { state, now in
            state.animation = animation
            if animation !== old {
                // Nobody brings what was ordered of the old one and not begun.
                state.ordered = nil
                state.failed = []
            }
            if animation.size != old.size {
                state.changeSize()
                if let poster, state.shown?.index == 0 { state.show(poster, 0) }
            }
            state.playback.extend(to: animation.playedDurations, isComplete: !isGrowing, at: now)
            if state.ownLoopCount == nil { state.playback.setLoopCount(animation.loopCount) }
        }
    }
}
