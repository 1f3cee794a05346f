// Shows the pictures at the addresses that it is given, in a grid that scrolls.
#if GTK
import CGTK
import Foundation
import WebImageGTK

guard gtk_init_check() != 0 else { exit(1) }

// What is to be shown: a model of GTK with one address an item.
let addresses = gtk_string_list_new(nil)
for address in CommandLine.arguments.dropFirst() { gtk_string_list_append(addresses, address) }

// How it is shown: grey until it is there, with a bar, and fading in if it was not in memory.
let settings = WidgetSettings(
    placeholder: .color(red: 220, green: 220, blue: 220), transition: .crossFade, indicator: .bar)
let factory = imageListFactory(width: 200, height: 150, settings: settings) { item in
    gtk_string_object_get_string(OpaquePointer(item)).flatMap { URL(string: String(cString: $0)) }
}
let grid = gtk_grid_view_new(gtk_no_selection_new(addresses), factory)
let scrolled = gtk_scrolled_window_new()
gtk_scrolled_window_set_child(OpaquePointer(scrolled), grid)

let window = UnsafeMutableRawPointer(gtk_window_new()).assumingMemoryBound(to: GtkWindow.self)
gtk_window_set_default_size(window, 660, 500)
gtk_window_set_child(window, scrolled)
gtk_window_present(window)

// Synchronous to the end: an await up here would move the main actor away from GTK's thread.
while g_list_model_get_n_items(gtk_window_get_toplevels()) > 0 { g_main_context_iteration(nil, 1) }
#endif
