#if GTK
import CGTK
import WebImage

/// What a canvas draws for one slot: what is shown, what it takes the place of, and what is going on.
@MainActor
struct SlotLayers {
    /// A transition that runs.
    private struct Change {
        let from: PictureLayer
        let transition: ImageTransition
        let whenShown: (@MainActor () -> Void)?
        /// The time of its first frame, in microseconds.
        var start: Int64?
        /// From 0 to 1.
        var progress = 0.0
    }

    private(set) var current = PictureLayer.nothing
    private var change: Change?
    var activity = ActivityMark()
    /// How animations that come are played.
    private(set) var playback = WidgetPlayback()

    /// How far the transition is, from 0 to 1; nil when none runs.
    var progress: Double? { change?.progress }

    var needsFrames: Bool { change != nil || activity.needsFrames }

    mutating func prepare(_ indicator: ActivityIndicator, _ playback: WidgetPlayback) {
        activity.take(indicator)
        self.playback = playback
    }

    /// Shows a layer.
    ///
    /// - Parameter transition: nil for at once.
    /// - Returns: whom to tell that the change before is over; after everything else, because they may call back.
    mutating func show(
        _ layer: PictureLayer, transition: ImageTransition?, whenShown: (@MainActor () -> Void)?
    ) -> [@MainActor () -> Void] {
        var ended = [change?.whenShown]
        change = nil
        if let transition, transition.duration > .zero {
            change = Change(from: current, transition: transition, whenShown: whenShown)
        } else {
            ended.append(whenShown)
        }
        current = layer
        return ended.compactMap { $0 }
    }

    /// Goes on to the time of a frame.
    ///
    /// - Returns: whom to tell that the transition is over.
    mutating func advance(to time: Int64) -> (@MainActor () -> Void)? {
        activity.advance(to: time)
        guard var change else { return nil }
        let start = change.start ?? time
        let (seconds, attoseconds) = change.transition.duration.components
        let length = Double(seconds) * 1e6 + Double(attoseconds) / 1e12
        change.start = start
        change.progress = min(1, max(0, Double(time - start) / length))
        self.change = change
        return change.progress < 1 ? nil : endTransition()
    }

    /// Ends the transition where it is.
    mutating func endTransition() -> (@MainActor () -> Void)? {
        defer { change = nil }
        return change?.whenShown
    }

    func draw(_ snapshot: OpaquePointer, in box: graphene_rect_t) {
        if let change {
            // Fast at first and then slower.
            let eased = 1 - (1 - change.progress) * (1 - change.progress) * (1 - change.progress)
            draw(change, eased, snapshot, box)
        } else {
            current.draw(snapshot, in: box)
        }
        activity.draw(snapshot, in: box)
    }

    private func draw(_ change: Change, _ progress: Double, _ snapshot: OpaquePointer, _ box: graphene_rect_t) {
        switch change.transition.kind {
        case .crossFade:
            gtk_snapshot_push_cross_fade(snapshot, progress)
            change.from.drawFitted(snapshot, in: box)
            gtk_snapshot_pop(snapshot)
            current.draw(snapshot, in: box)
            gtk_snapshot_pop(snapshot)
        case .slide(let edge):
            change.from.drawFitted(snapshot, in: box)
            let rest = Float(1 - progress)
            var moved = box
            switch edge {
            case .left: moved.origin.x -= box.size.width * rest
            case .right: moved.origin.x += box.size.width * rest
            case .top: moved.origin.y -= box.size.height * rest
            case .bottom: moved.origin.y += box.size.height * rest
            }
            var clip = box
            gtk_snapshot_push_clip(snapshot, &clip)
            current.draw(snapshot, in: moved)
            gtk_snapshot_pop(snapshot)
        }
    }
}
#endif
