#if GTK
import CGTK

/// Takes files and addresses that are dropped on a widget.
@MainActor
enum DropTarget {
    private final class Receiver {
        let body: @MainActor ([String]) -> Void

        init(_ body: @escaping @MainActor ([String]) -> Void) { self.body = body }
    }

    /// Calls `body` with the addresses of files, or with the lines of a text.
    static func add(to widget: Widget, _ body: @escaping @MainActor ([String]) -> Void) {
        guard let target = gtk_drop_target_new(text, GDK_ACTION_COPY) else { return }
        var types = [gdk_file_list_get_type(), text]
        gtk_drop_target_set_gtypes(target, &types, gsize(types.count))
        let drop:
            @convention(c) (OpaquePointer?, UnsafePointer<GValue>?, Double, Double, UnsafeMutableRawPointer?) ->
                gboolean = {
                    _, value, _, _, context in
                    guard let context, let value else { return 0 }
                    let texts = DropTarget.texts(value)
                    nonisolated(unsafe) let receiver = Unmanaged<Receiver>.fromOpaque(context).takeUnretainedValue()
                    // Not sent anywhere: GTK calls on the main actor's thread.
                    MainActor.assumeIsolated { receiver.body(texts) }
                    return texts.isEmpty ? 0 : 1
                }
        g_signal_connect_data(
            UnsafeMutableRawPointer(target), "drop", unsafeBitCast(drop, to: GCallback.self),
            Unmanaged.passRetained(Receiver(body)).toOpaque(),
            { context, _ in if let context { Unmanaged<Receiver>.fromOpaque(context).release() } },
            GConnectFlags(rawValue: 0))
        gtk_widget_add_controller(widget, target)
    }

    /// `G_TYPE_STRING`, a macro.
    private nonisolated static var text: GType { GType(16 << 2) }

    /// Whether a line says where something is. A relative path does not: nobody tells which folder it was dragged from.
    private nonisolated static func isAddress(_ line: String) -> Bool {
        let start = line.prefix(8).lowercased()
        return ["/", "http://", "https://", "file://", "data:"].contains { start.hasPrefix($0) }
    }

    private nonisolated static func texts(_ value: UnsafePointer<GValue>) -> [String] {
        if g_type_check_value_holds(value, text) != 0 {
            let lines = g_value_get_string(value).map { String(cString: $0) } ?? ""
            return lines.split(whereSeparator: \.isNewline).map { $0.trimmed }.filter(isAddress)
        }
        guard let list = g_value_get_boxed(value) else { return [] }
        var texts: [String] = []
        let files = gdk_file_list_get_files(OpaquePointer(list))
        defer { g_slist_free(files) }
        for index in 0..<g_slist_length(files) {
            guard let address = g_file_get_uri(g_slist_nth_data(files, index).map { OpaquePointer($0) }) else {
                continue
            }
            texts.append(String(cString: address))
            g_free(address)
        }
        return texts
    }
}
#endif
