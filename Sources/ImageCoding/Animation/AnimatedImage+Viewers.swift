import ByteBuffers
package import Pixels
import Synchronization

/// What those need who play one animation at several places, within memory that is shared out among many.
extension AnimatedImage {
    /// A whole frame, upright, as ``frame(at:shouldContinue:)`` gives it, for one of several viewers.
    package func frame(
        at index: Int, for viewer: FrameViewer, shouldContinue: @escaping @Sendable () -> Bool = { true }
    ) throws(CodingError) -> Bitmap {
        guard header.frames.indices.contains(index) else {
            throw CodingError(
                .noSuchFrame, "There is no frame \(index): the picture has \(frameCount).", format: header.format)
        }
        if let picture = heldFrame(at: index, for: viewer) { return picture }
        return try draw(index, for: viewer, shouldContinue: shouldContinue)
    }

    /// A frame that need not be decoded. Never waits for a decode.
    package func heldFrame(at index: Int, for viewer: FrameViewer) -> Bitmap? {
        held.withLock { $0.picture(index, for: viewer) }
    }

    /// How many frames have to be decoded for one; zero for one that is held.
    package func distance(to index: Int) -> Int {
        header.frames.indices.contains(index) ? held.withLock { $0.distance(to: index) } : 0
    }

    /// Holds no more for a viewer than the frame at which it stopped; nothing where that is none that could be of this
    /// animation.
    package func settle(_ picture: Bitmap, at index: Int, for viewer: FrameViewer) {
        guard header.frames.indices.contains(index) else { return }
        let isOwn = isOwn(picture)
        held.withLock { isOwn ? $0.settle(picture, index, for: viewer) : $0.leave(viewer) }
    }

    /// A bitmap has the size of the frames that are shown and, where these are drawn on, their format.
    package func isOwn(_ picture: Bitmap) -> Bool {
        picture.size == size && (isFinishing || picture.format == (isOpaque ? .rgbx8 : .rgba8))
    }

    /// Holds nothing for a viewer any more.
    package func leave(_ viewer: FrameViewer) {
        held.withLock { $0.leave(viewer) }
    }

    /// Whether this is the same file as another, or more of it, in whatever size: the other's frames are its first ones.
    /// Compares all of the other's bytes.
    package func continues(_ other: AnimatedImage) -> Bool {
        self === other
            || header.format == other.header.format && header.canvas == other.header.canvas
                && header.orientation == other.header.orientation && header.isPaged == other.header.isPaged
                && header.frames.starts(with: other.header.frames) && bytes.starts(with: other.bytes)
    }

    /// Takes what another one has decoded, as far as that is worth holding here, and with it a viewer's place.
    ///
    /// - Parameter other: one that this one ``continues(_:)``, its frames finished in the same way if they have the same
    ///   size.
    package func take(from other: AnimatedImage, for viewer: FrameViewer) {
        guard size == other.size || !isFinishing && !other.isFinishing, isOpaque == other.isOpaque else { return }
        let taken = other.held.withLock(\.self)
        held.withLock { $0.take(from: taken, for: viewer) }
    }

    /// Changes ``AnimationOptions/keptBytes``; what is too much goes at once.
    ///
    /// - Parameter isHoldingBases: whether the canvas that a viewer's next frame is drawn on is held where it is not the
    ///   frame that it sees. Without it that frame is drawn anew from the last one that stands alone.
    package func keep(bytes: Int, isHoldingBases: Bool = true) {
        held.withLock { $0.keep(bytes: bytes, isHoldingBases: isHoldingBases) }
    }

    /// Keeps as much as its options say again.
    package func keepAsBefore() {
        held.withLock { $0.keep(bytes: options.keptBytes, isHoldingBases: true) }
    }

    /// The pixels that are held now.
    package var heldBitmaps: [Bitmap] { held.withLock(\.bitmaps) }

    /// What one frame takes as it is shown, in bytes.
    package var pictureBytes: Int { held.withLock(\.pictureBytes) }

    /// What one frame takes as it is composed, in bytes.
    package var canvasBytes: Int { held.withLock(\.canvasBytes) }

    /// Frames are composed apart from what is shown: in another size, or not upright.
    package var isFinishing: Bool { options.isFinishing(header) }

    /// Some frame is drawn on another canvas than that of the frame before it.
    package var isUncovering: Bool {
        composition.steps.indices.contains { index in composition.steps[index].base.map { $0 != index - 1 } ?? false }
    }
}
