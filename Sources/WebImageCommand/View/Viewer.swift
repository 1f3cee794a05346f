#if GTK
import CGTK
import WebImage
import WebImageGTK

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A window with a grid of thumbnails, and a page for one picture at a time.
@MainActor
final class Viewer {
    private let pipeline: ImagePipeline
    private let fetching: FetchingOptions
    private let window: Widget
    private let stack: Widget
    private let grid: Widget
    private let page: PicturePage
    /// The addresses, a `GtkStringList`, and which of them is selected.
    private let addresses: OpaquePointer
    private let selection: OpaquePointer
    private var shown: guint?

    /// Opens a window and returns when it is closed.
    static func run(_ sources: [Source], _ fetching: FetchingOptions, thumbnail: Int) throws {
        guard gtk_init_check() != 0 else { throw ViewerError("There is no display to open a window on.") }
        try MainLoop.attach()
        let pipeline = ImagePipeline.forCommand(fetching)
        let viewer = try Viewer(pipeline, fetching, thumbnail: thumbnail)
        viewer.add(sources)
        // There is nothing to choose from.
        if sources.count == 1 { viewer.show(0) }
        gtk_window_present(viewer.window.cast(to: GtkWindow.self))
        while g_list_model_get_n_items(gtk_window_get_toplevels()) > 0 { g_main_context_iteration(nil, 1) }
        var isWritten = false
        Task {
            await pipeline.finishWrites()
            isWritten = true
        }
        while !isWritten { g_main_context_iteration(nil, 1) }
        withExtendedLifetime(viewer) {}
    }

    private init(_ pipeline: ImagePipeline, _ fetching: FetchingOptions, thumbnail: Int) throws {
        self.pipeline = pipeline
        self.fetching = fetching
        guard let addresses = gtk_string_list_new(nil),
            // The selection takes the list over, and we keep it too.
            let selection = gtk_single_selection_new(OpaquePointer(g_object_ref(UnsafeMutableRawPointer(addresses)))),
            let window = gtk_window_new(), let stack = gtk_stack_new(), let scrolled = gtk_scrolled_window_new(),
            let page = PicturePage()
        else { throw ViewerError("GTK makes no window.") }
        let settings = WidgetSettings(
            placeholder: .color(red: 128, green: 128, blue: 128, alpha: 40), transition: .crossFade,
            failurePicture: .color(red: 200, green: 60, blue: 60), indicator: .bar)
        let factory = imageListFactory(
            width: thumbnail, height: thumbnail, settings: settings, pipeline: pipeline,
            request: { item in
                gtk_string_object_get_string(OpaquePointer(item)).flatMap { Source(String(cString: $0)).url }
                    .map { fetching.request($0) }
            })
        guard let grid = gtk_grid_view_new(selection, factory) else { throw ViewerError("GTK makes no grid.") }
        (self.addresses, self.selection, self.window, self.stack, self.grid, self.page) =
            (addresses, selection, window, stack, grid, page)
        gtk_grid_view_set_single_click_activate(OpaquePointer(grid), 1)
        gtk_grid_view_set_max_columns(OpaquePointer(grid), 24)
        gtk_scrolled_window_set_child(OpaquePointer(scrolled), grid)
        gtk_stack_add_named(OpaquePointer(stack), scrolled, "grid")
        gtk_stack_add_named(OpaquePointer(stack), page.widget, "picture")
        gtk_window_set_child(window.cast(to: GtkWindow.self), stack)
        gtk_window_set_default_size(window.cast(to: GtkWindow.self), 960, 720)
        gtk_window_set_title(window.cast(to: GtkWindow.self), "webimage")
        Signal.connect(grid, positionOf: "activate") { [weak self] in self?.show($0) }
        addShortcuts()
        DropTarget.add(to: window) { [weak self] texts in self?.add(texts.map { Source($0) }) }
    }

    private func addShortcuts() {
        Shortcuts(on: window).add(GDK_KEY_q, control: true) { [weak self] in self?.close() }
        let keys = Shortcuts(on: page.widget)
        keys.add(GDK_KEY_Escape) { [weak self] in self?.showGrid() }
        keys.add(GDK_KEY_Right) { [weak self] in self?.move(by: 1) }
        keys.add(GDK_KEY_Left) { [weak self] in self?.move(by: -1) }
        keys.add(GDK_KEY_i) { [weak self] in self?.page.toggleSheet() }
        keys.add(GDK_KEY_space) { [weak self] in self?.page.toggleAnimation() }
    }

    private func add(_ sources: [Source]) {
        for source in sources { gtk_string_list_append(addresses, source.text) }
    }

    private func show(_ index: guint) {
        guard let text = gtk_string_list_get_string(addresses, index) else { return }
        let source = Source(String(cString: text))
        shown = index
        gtk_single_selection_set_selected(selection, index)
        gtk_stack_set_visible_child_name(OpaquePointer(stack), "picture")
        gtk_window_set_title(window.cast(to: GtkWindow.self), "\(source.text) - webimage")
        page.show(source, source.url.map { fetching.request($0) }, pipeline)
    }

    private func move(by step: Int) {
        guard let shown else { return }
        let next = Int(shown) + step
        if (0..<Int(g_list_model_get_n_items(addresses))).contains(next) { show(guint(next)) }
    }

    private func showGrid() {
        shown = nil
        page.clear()
        gtk_window_set_title(window.cast(to: GtkWindow.self), "webimage")
        gtk_stack_set_visible_child_name(OpaquePointer(stack), "grid")
        focusSelected()
    }

    /// Has the keys go to the picture that was looked at last, and not to the one that was opened.
    private func focusSelected() {
        // The list makes the widgets that are scrolled to, and knows the selected one by its state.
        gtk_widget_activate_action_variant(
            grid, "list.scroll-to-item", g_variant_new_uint32(gtk_single_selection_get_selected(selection)))
        var item = gtk_widget_get_first_child(grid)
        while let widget = item {
            let flags = gtk_widget_get_state_flags(widget).rawValue
            if flags & GTK_STATE_FLAG_SELECTED.rawValue != 0, gtk_widget_grab_focus(widget) != 0 { return }
            item = gtk_widget_get_next_sibling(widget)
        }
    }

    private func close() { gtk_window_destroy(window.cast(to: GtkWindow.self)) }
}

typealias Widget = UnsafeMutablePointer<GtkWidget>

extension Widget {
    /// The same object as one of the classes between it and the widget.
    func cast<Class>(to type: Class.Type) -> UnsafeMutablePointer<Class> {
        UnsafeMutableRawPointer(self).assumingMemoryBound(to: type)
    }
}

/// Why there is no window, in a sentence.
struct ViewerError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
#endif
