#if GTK
import CGTK

/// A widget of a program's own. All that it has is a property `paintable`, which it draws.
@MainActor
enum OwnWidget {
    private static let type: GType = {
        var parent = GTypeQuery()
        g_type_query(gtk_widget_get_type(), &parent)
        return g_type_register_static_simple(
            gtk_widget_get_type(), "TrialOwnWidget", parent.class_size, { kind, _ in OwnWidget.setUp(kind) },
            parent.instance_size, nil, GTypeFlags(rawValue: 0))
    }()

    static func make() -> Widget? {
        g_object_new_with_properties(type, 0, nil, nil)
            .map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: GtkWidget.self) }
    }

    /// What it draws.
    nonisolated static func paintable(of widget: UnsafeMutableRawPointer) -> OpaquePointer? {
        g_object_get_data(widget.assumingMemoryBound(to: GObject.self), "shown").map { OpaquePointer($0) }
    }

    private nonisolated static func setUp(_ kind: UnsafeMutableRawPointer?) {
        guard let kind else { return }
        let objects = kind.assumingMemoryBound(to: GObjectClass.self)
        objects.pointee.get_property = { object, _, value, _ in
            guard let object, let value else { return }
            g_value_set_object(value, OwnWidget.paintable(of: object).map { UnsafeMutableRawPointer($0) })
        }
        objects.pointee.set_property = { object, _, value, _ in
            guard let object, let value else { return }
            OwnWidget.take(g_value_get_object(value), in: object)
        }
        g_object_class_install_property(
            objects, 1,
            g_param_spec_object(
                "paintable", nil, nil, gdk_paintable_get_type(),
                GParamFlags(rawValue: G_PARAM_READABLE.rawValue | G_PARAM_WRITABLE.rawValue)))
        kind.assumingMemoryBound(to: GtkWidgetClass.self).pointee.snapshot = { widget, snapshot in
            guard let widget, let paintable = OwnWidget.paintable(of: widget) else { return }
            gdk_paintable_snapshot(
                paintable, snapshot, Double(gtk_widget_get_width(widget)), Double(gtk_widget_get_height(widget)))
        }
    }

    private nonisolated static func take(
        _ paintable: UnsafeMutableRawPointer?, in object: UnsafeMutablePointer<GObject>
    ) {
        let redraw: @convention(c) (UnsafeMutablePointer<GtkWidget>?) -> Void = { gtk_widget_queue_draw($0) }
        if let old = OwnWidget.paintable(of: object) {
            g_signal_handlers_disconnect_matched(
                UnsafeMutableRawPointer(old), G_SIGNAL_MATCH_DATA, 0, 0, nil, nil, object)
        }
        guard let paintable else { return g_object_set_data(object, "shown", nil) }
        g_object_set_data_full(object, "shown", g_object_ref(paintable)) { if let held = $0 { g_object_unref(held) } }
        g_signal_connect_object(
            paintable, "invalidate-contents", unsafeBitCast(redraw, to: GCallback.self), object, G_CONNECT_SWAPPED)
        redraw(UnsafeMutableRawPointer(object).assumingMemoryBound(to: GtkWidget.self))
    }
}
#endif
