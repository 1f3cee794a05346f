/// Names one of the places for pictures that a view has.
public struct SlotKey: Hashable, Sendable, RawRepresentable, ExpressibleByStringLiteral {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public init(stringLiteral value: String) { rawValue = value }

    /// The picture of a view that has one.
    public static let image: SlotKey = "image"
    /// The picture of a second state, highlighted for example.
    public static let alternate: SlotKey = "alternate"
    /// The picture behind the rest.
    public static let background: SlotKey = "background"
}

/// What a place for a picture is to show.
public enum SlotContent: Sendable {
    case nothing
    case placeholder(StandIn)
    /// As much of the picture as has come.
    case preview(ImagePreview)
    case picture(ImageResponse)
    /// The load has failed.
    case failure(StandIn)
}

/// What is going on in a slot, for progress bars and spinners.
public enum SlotActivity: Hashable, Sendable {
    case began
    /// Bytes have come; from 0 to 1, nil while nobody knows how many there will be.
    case progressed(Double?)
    /// Loaded, failed or cancelled. A load in whose place another one begins is not heard of any more: what comes next is
    /// the other's ``began``. Nothing is said of a view that is gone.
    case ended
}

/// What shows the pictures of a binding: the toolkit's side of it.
@MainActor
public protocol ImageTarget: AnyObject {
    /// Shows something in the place of what is shown.
    ///
    /// - Parameters:
    ///   - content: what.
    ///   - slot: which of the view's places it is for.
    ///   - transition: how; nil at once.
    ///   - whenShown: to be called once when the transition is over or cannot run, also when something else is shown
    ///     before that; nil when nobody waits for it.
    func show(
        _ content: SlotContent, in slot: SlotKey, transition: ImageTransition?, whenShown: (@MainActor () -> Void)?)

    /// Something is going on, or no more. Loads from memory say nothing.
    func indicate(_ activity: SlotActivity, in slot: SlotKey)
}
