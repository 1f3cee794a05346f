#if GTK
import CGTK
import Glibc
import WebImageGTK
import WebImageTesting

/// A window that something can be dragged from once: the text of `WEBIMAGE_DRAG_TEXT`, or the files whose paths are the
/// lines of `WEBIMAGE_DRAG_FILES`. It says how far the drag is, and ends with it.
@MainActor
enum DragTrial {
    static func run() async throws {
        guard let box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0), let source = gtk_drag_source_new(),
            let content = content()
        else { throw TrialError("There is nothing to drag.") }
        gtk_drag_source_set_content(source, content)
        g_object_unref(UnsafeMutableRawPointer(content))
        let ended = Tally()
        Signal.connect(source, "drag-begin") {
            Report.say("drag", "begun")
            guard let drag = gtk_drag_source_get_drag(source) else { return }
            Signal.connect(drag, "notify::selected-action") {
                if gdk_drag_get_selected_action(drag) != GdkDragAction(rawValue: 0) { Report.say("drag", "accepted") }
            }
        }
        Signal.connect(source, "drag-cancel") { Report.say("drag", "cancelled") }
        Signal.connect(source, "drag-end") { ended.add() }
        gtk_widget_add_controller(box, source)
        let window = try Window(box, width: 40, height: 40)
        gtk_window_set_title(
            UnsafeMutableRawPointer(window.widget).assumingMemoryBound(to: GtkWindow.self), "drag source")
        await window.present()
        await ended.reaches(1)
        Report.say("drag", "ended")
        window.destroy()
    }

    private static func content() -> UnsafeMutablePointer<GdkContentProvider>? {
        var value = GValue()
        defer { g_value_unset(&value) }
        if let text = getenv("WEBIMAGE_DRAG_TEXT") {
            // G_TYPE_STRING, a macro.
            g_value_init(&value, GType(16 << 2))
            g_value_set_string(&value, text)
        } else {
            let paths = getenv("WEBIMAGE_DRAG_FILES").map { String(cString: $0) } ?? ""
            var files: UnsafeMutablePointer<GSList>?
            for path in paths.split(separator: "\n") {
                files = g_slist_append(files, g_file_new_for_path(String(path)).map { UnsafeMutableRawPointer($0) })
            }
            g_value_init(&value, gdk_file_list_get_type())
            g_value_take_boxed(&value, gdk_file_list_new_from_list(files).map { UnsafeRawPointer($0) })
            g_slist_free_full(files) { if let file = $0 { g_object_unref(file) } }
        }
        return gdk_content_provider_new_for_value(&value)
    }
}
#endif
