/// Somebody who goes through the frames of an animation at a pace of their own.
///
/// What the next frame of each is drawn on stays held, so that several can play one animation at different places, and
/// neither has to begin anew because of the other.
package struct FrameViewer: Hashable, Sendable {
    private let id: UInt64

    package init(_ id: UInt64) { self.id = id }

    /// Whoever does not say who they are.
    static let anyone = FrameViewer(0)
}
