#if GTK
import CGTK

/// Keys that do something while a widget, or one within it, has the focus.
@MainActor
struct Shortcuts {
    private final class Action {
        let body: @MainActor () -> Void

        init(_ body: @escaping @MainActor () -> Void) { self.body = body }
    }

    private let controller: OpaquePointer?

    init(on widget: Widget) {
        controller = gtk_shortcut_controller_new()
        if let controller { gtk_widget_add_controller(widget, controller) }
    }

    /// - Parameter key: a `GDK_KEY`.
    func add(_ key: Int32, control: Bool = false, _ body: @escaping @MainActor () -> Void) {
        guard let controller else { return }
        let trigger = gtk_keyval_trigger_new(guint(key), control ? GDK_CONTROL_MASK : GdkModifierType(rawValue: 0))
        let action = gtk_callback_action_new(
            { _, _, context in
                guard let context else { return 0 }
                nonisolated(unsafe) let action = Unmanaged<Action>.fromOpaque(context).takeUnretainedValue()
                // Not sent anywhere: GTK calls on the main actor's thread.
                MainActor.assumeIsolated { action.body() }
                return 1
            }, Unmanaged.passRetained(Action(body)).toOpaque(),
            { context in if let context { Unmanaged<Action>.fromOpaque(context).release() } })
        gtk_shortcut_controller_add_shortcut(controller, gtk_shortcut_new(trigger, action))
    }
}
#endif
