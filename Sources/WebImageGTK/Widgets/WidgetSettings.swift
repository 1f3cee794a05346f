#if GTK
public import Pixels
public import WebImage

/// How a widget plays pictures that move.
public struct WidgetPlayback: Hashable, Sendable {
    /// Whether animations are loaded as such. If not, they are their first frame. Default `true`.
    ///
    /// Requests that say themselves what becomes of animations are not touched.
    public var isWanted = true
    /// Whether they begin by themselves; see ``imagePlayer(of:in:)``. Default `true`. They stand still while the widget is
    /// not mapped, and where the setting `gtk-enable-animations` is off.
    public var playsAtOnce = true
    public var mode = PlaybackMode.normal
    /// The speed. Default 1.
    public var rate = 1.0
    /// How often it plays, 0 for ever; nil, the default, as often as the file says.
    public var loopCount: Int?

    public init() {}
}

/// How a widget shows what it loads.
public struct WidgetSettings: Sendable {
    /// How large the picture is decoded.
    public enum Size: Sendable {
        /// As large as the widget, in pixels of the screen. A widget that has no size yet is waited for; one that gets none
        /// when it is shown, because nothing asks for any, has the picture's own. When the widget grows, the picture is
        /// loaded anew and takes the place of the smaller one unseen.
        case widget
        /// The picture's own size.
        case original
        case pixels(TargetSize)
    }

    /// Placeholders, transitions, and what becomes of loads that nobody looks at.
    public var showing: SlotSettings
    /// Default ``Size/widget``. A request that has a target of its own is not touched.
    public var size: Size
    /// Default none.
    public var indicator: ActivityIndicator
    public var playback = WidgetPlayback()

    public init(
        showing: SlotSettings = SlotSettings(), size: Size = .widget, indicator: ActivityIndicator = .none
    ) {
        self.showing = showing
        self.size = size
        self.indicator = indicator
    }

    /// The settings that are asked for most.
    ///
    /// - Parameters:
    ///   - placeholder: shown until the picture is there.
    ///   - transition: how the picture takes its place, if it was not in memory.
    ///   - failurePicture: shown when there will be none.
    ///   - indicator: tells that something is on its way.
    public init(
        placeholder: StandIn?, transition: ImageTransition? = nil, failurePicture: StandIn? = nil,
        indicator: ActivityIndicator = .none
    ) {
        self.init(
            showing: SlotSettings(placeholder: placeholder, transition: transition, failurePicture: failurePicture),
            indicator: indicator)
    }
}
#endif
