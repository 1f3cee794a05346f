#if GTK
/// A pointer to a widget, in any of the types that importers of GTK's headers give it.
public protocol WidgetReference {
    /// Where the widget is.
    var widgetAddress: UnsafeMutableRawPointer { get }
}

extension UnsafeMutableRawPointer: WidgetReference {
    public var widgetAddress: UnsafeMutableRawPointer { self }
}

extension UnsafeMutablePointer: WidgetReference {
    public var widgetAddress: UnsafeMutableRawPointer { UnsafeMutableRawPointer(self) }
}

extension OpaquePointer: WidgetReference {
    public var widgetAddress: UnsafeMutableRawPointer { UnsafeMutableRawPointer(self) }
}
#endif
