/// What the machine needs to know of the settings, see ``SlotSettings``.
package struct SlotRules: Hashable, Sendable {
    package enum Placeholder: Hashable, Sendable { case none, atOnce, afterFailure }
    package enum Transition: Hashable, Sendable { case never, ifNew, always }

    package var placeholder = Placeholder.none
    package var hasFailurePicture = false
    package var keepsPrevious = false
    package var cancelsPrevious = true
    package var showsPicture = true
    package var transition = Transition.never
    package var waitsForTransition = false
    package var whenHidden = SlotSettings.WhenHidden.isLowered

    package init() {}
}

/// What a bind is about.
package struct SlotWish: Hashable, Sendable {
    package enum Source: Hashable, Sendable {
        /// There is no address.
        case nowhere
        /// The picture is in memory.
        case memory
        /// It has to be loaded.
        case elsewhere
    }

    package var source: Source
    /// It is what the last bind was about.
    package var isSameItem = false
    /// The request says how large the picture is to be.
    package var knowsSize = true

    package init(_ source: Source, isSameItem: Bool = false, knowsSize: Bool = true) {
        self.source = source
        self.isSameItem = isSameItem
        self.knowsSize = knowsSize
    }
}

/// How an attempt ended.
package enum SlotResult: Hashable, Sendable {
    case picture(isFromMemory: Bool)
    case failure
}

/// What is to be done after a change, in the order of the properties.
package struct SlotEffects: Hashable, Sendable {
    package enum Ending: Hashable, Sendable { case loaded, failed, cancelled, superseded }
    package enum Showing: Hashable, Sendable {
        case nothing, placeholder, preview, picture(moves: Bool), failurePicture
    }
    package enum Activity: Hashable, Sendable { case began, progressed, ended }
    package enum Urgency: Hashable, Sendable { case lowered, restored }

    /// How the load of the bind before ended.
    package var previous: Ending?
    /// The attempt that is under way is to be cancelled.
    package var stops = false
    /// The number of the attempt that is to begin.
    package var start: Int?
    package var urgency: Urgency?
    /// How the load ended.
    package var outcome: Ending?
    package var activity: Activity?
    /// What the target is to show. The last, because who is shown something may call back.
    package var show: Showing?

    package init() {}
}
