public import WebImage

/// A view without a toolkit: writes down what it is told to show.
///
/// ```swift
/// let target = RecordingTarget()
/// let slot = ImageSlot(pipeline: pipeline, target: target)
/// await slot.show(request).outcome
/// #expect(target.contents() == [.nothing, .picture])
/// ```
@MainActor
public final class RecordingTarget: ImageTarget {
    /// What is shown, without its pixels.
    public enum Content: Hashable, Sendable {
        case nothing, placeholder, preview, picture, failure

        init(_ content: SlotContent) {
            self =
                switch content {
                case .nothing: .nothing
                case .placeholder: .placeholder
                case .preview: .preview
                case .picture: .picture
                case .failure: .failure
                }
        }
    }

    /// One thing that it was told.
    public enum Event: Hashable, Sendable {
        case shown(Content, in: SlotKey, transition: ImageTransition?)
        case activity(SlotActivity, in: SlotKey)
    }

    /// All that it was told, in order.
    public private(set) var events: [Event] = []

    /// What each slot shows.
    public private(set) var current: [SlotKey: SlotContent] = [:]

    /// Is called after something was shown.
    public var onShow: (@MainActor (SlotContent, SlotKey) -> Void)?

    /// Whether transitions are over as soon as they begin. If not, a test ends them by ``endTransitions()``. Default `true`.
    public var endsTransitions = true

    private var running: [SlotKey: @MainActor () -> Void] = [:]

    public init() {}

    public func show(
        _ content: SlotContent, in slot: SlotKey, transition: ImageTransition?, whenShown: (@MainActor () -> Void)?
    ) {
        running.removeValue(forKey: slot)?()
        current[slot] = content
        events.append(.shown(Content(content), in: slot, transition: transition))
        if let whenShown { running[slot] = whenShown }
        if endsTransitions { endTransitions() }
        onShow?(content, slot)
    }

    public func indicate(_ activity: SlotActivity, in slot: SlotKey) {
        events.append(.activity(activity, in: slot))
    }

    /// Ends the transitions that run.
    public func endTransitions() {
        let ended = running
        running = [:]
        for end in ended.values { end() }
    }

    /// What a slot has shown, in order, from its first change on.
    public func contents(of slot: SlotKey = .image) -> [Content] {
        events.compactMap { event in
            if case .shown(let content, in: slot, _) = event { content } else { nil }
        }
    }

    /// What was going on in a slot, in order.
    public func activities(of slot: SlotKey = .image) -> [SlotActivity] {
        events.compactMap { event in
            if case .activity(let activity, in: slot) = event { activity } else { nil }
        }
    }
}
