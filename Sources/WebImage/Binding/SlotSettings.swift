public import Pixels

/// What stands in for a picture that is not there.
public enum StandIn: Sendable {
    case bitmap(Bitmap)
    /// All of the view in one colour; the colour is not multiplied by alpha.
    case color(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255)
}

/// How a picture takes the place of what was shown before.
public struct ImageTransition: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        /// The old fades out while the new fades in.
        case crossFade
        /// The new comes in from an edge, over the old.
        case slide(from: Edge)
    }

    public enum Edge: Hashable, Sendable, CaseIterable { case left, right, top, bottom }

    public var kind: Kind
    /// How long it takes, in the time of the view's frames. Default a quarter of a second.
    public var duration: Duration

    public init(_ kind: Kind, duration: Duration = .milliseconds(250)) {
        self.kind = kind
        self.duration = duration
    }

    public static let crossFade = ImageTransition(.crossFade)

    public static func slide(from edge: Edge) -> ImageTransition { ImageTransition(.slide(from: edge)) }
}

/// How a view shows what it loads. Every part has defaults, and none of them contradicts another.
public struct SlotSettings: Sendable {
    /// What is shown while there is no picture yet.
    public struct Waiting: Sendable {
        public enum Time: Hashable, Sendable {
            /// While the picture is loaded, and when it does not come.
            case atOnce
            /// Only when the picture does not come.
            case afterFailure
        }

        /// Default none.
        public var placeholder: StandIn?
        /// When the placeholder is shown. Default ``Time/atOnce``.
        public var placeholderTime = Time.atOnce
        /// Whether the picture of another address stays until the new one is there. It is gone when the new one fails. A
        /// picture of the same address always stays. Default `false`.
        public var keepsPrevious = false
    }

    /// How the picture is shown when it has come.
    public struct Arrival: Sendable {
        public enum TransitionRule: Hashable, Sendable {
            /// Only for pictures that were not in memory.
            case unlessFromMemory
            case always
        }

        /// Default none.
        public var transition: ImageTransition?
        /// Default ``TransitionRule/unlessFromMemory``.
        public var transitionRule = TransitionRule.unlessFromMemory
        /// Whether the load ends only when the transition has. Default `false`.
        public var waitsForTransition = false
        /// Whether the view shows the picture by itself. If not, placeholders are still shown; the picture is the caller's to
        /// set. Default `true`.
        public var showsPicture = true
    }

    /// What becomes of loads that nobody looks at.
    public enum WhenHidden: Hashable, Sendable {
        /// They go on with the lowest priority.
        case isLowered
        /// They stop, and begin again when the view is seen.
        case isCancelled
        /// Nothing changes.
        case goesOn
    }

    public var waiting = Waiting()
    public var arrival = Arrival()
    /// What is shown when the load fails; the placeholder if there is none. Default none.
    public var failurePicture: StandIn?
    /// Whether a bind cancels the load before. If not, that one still ends as superseded and is never shown, but goes on
    /// for the caches. Default `true`.
    public var cancelsPrevious = true
    /// Default ``WhenHidden/isLowered``.
    public var whenHidden = WhenHidden.isLowered

    public init() {}

    /// Settings with a placeholder.
    ///
    /// - Parameters:
    ///   - placeholder: shown until the picture is there.
    ///   - transition: how the picture takes its place.
    ///   - failurePicture: shown when there will be none.
    public init(placeholder: StandIn?, transition: ImageTransition? = nil, failurePicture: StandIn? = nil) {
        waiting.placeholder = placeholder
        arrival.transition = transition
        self.failurePicture = failurePicture
    }

    var rules: SlotRules {
        var rules = SlotRules()
        if waiting.placeholder != nil {
            rules.placeholder = waiting.placeholderTime == .atOnce ? .atOnce : .afterFailure
        }
        rules.hasFailurePicture = failurePicture != nil
        rules.keepsPrevious = waiting.keepsPrevious
        rules.cancelsPrevious = cancelsPrevious
        rules.showsPicture = arrival.showsPicture
        if arrival.transition != nil { rules.transition = arrival.transitionRule == .always ? .always : .ifNew }
        rules.waitsForTransition = arrival.waitsForTransition
        rules.whenHidden = whenHidden
        return rules
    }
}
