#if GTK
import CGTK
public import WebImage

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Makes the pictures of a `GtkListView` or a `GtkGridView`: binds them to what they show, and unbinds them.
///
/// ```swift
/// let factory = imageListFactory(width: 160, height: 120) { item in url(of: item) }
/// let grid = gtk_grid_view_new(model, factory)
/// ```
///
/// The list reuses few widgets for many items. What scrolls out of sight is cancelled; what scrolls in again shows its
/// picture at once if it is still in memory.
///
/// - Parameters:
///   - width: of every picture, in units of the toolkit.
///   - height: of every picture, in units of the toolkit.
///   - settings: placeholders, transitions.
///   - pipeline: what loads.
///   - url: the address of an item of the list's model, whose pointer it gets.
/// - Returns: a `GtkListItemFactory` that belongs to the caller; the list's constructor takes it over. Nil only if GTK
///   makes none.
@MainActor
public func imageListFactory(
    width: Int, height: Int, settings: WidgetSettings = WidgetSettings(), pipeline: ImagePipeline = .shared,
    url: @escaping @MainActor (_ item: UnsafeMutableRawPointer) -> URL?
) -> OpaquePointer? {
    factory(width, height, settings, pipeline) { url($0).map { .address($0) } ?? .nothing }
}

/// Makes the pictures of a list, each as a request says.
///
/// - Parameters:
///   - width: of every picture, in units of the toolkit.
///   - height: of every picture, in units of the toolkit.
///   - settings: placeholders, transitions.
///   - pipeline: what loads.
///   - request: how an item of the list's model is loaded, whose pointer it gets.
/// - Returns: a `GtkListItemFactory` that belongs to the caller; the list's constructor takes it over. Nil only if GTK
///   makes none.
@MainActor
public func imageListFactory(
    width: Int, height: Int, settings: WidgetSettings = WidgetSettings(), pipeline: ImagePipeline = .shared,
    request: @escaping @MainActor (_ item: UnsafeMutableRawPointer) -> ImageRequest?
) -> OpaquePointer? {
    factory(width, height, settings, pipeline) { request($0).map { .request($0) } ?? .nothing }
}

@MainActor
private func factory(
    _ width: Int, _ height: Int, _ settings: WidgetSettings, _ pipeline: ImagePipeline,
    wish: @escaping @MainActor (UnsafeMutableRawPointer) -> WidgetWish
) -> OpaquePointer? {
    MainLoop.attachOrComplain()
    guard let factory = gtk_signal_list_item_factory_new() else { return nil }
    Signal.connect(factory, argumentOf: "setup") { item in
        guard let picture = gtk_picture_new() else { return }
        gtk_widget_set_size_request(picture, gint(clamping: width), gint(clamping: height))
        gtk_list_item_set_child(OpaquePointer(item), picture)
    }
    Signal.connect(factory, argumentOf: "bind") { item in
        let item = OpaquePointer(item)
        guard let picture = gtk_list_item_get_child(item), let value = gtk_list_item_get_item(item) else { return }
        _ = showImage(
            wish(value), on: picture, in: .image, settings: settings, pipeline: pipeline, completion: nil)
    }
    Signal.connect(factory, argumentOf: "unbind") { item in
        if let picture = gtk_list_item_get_child(OpaquePointer(item)) { clearImages(on: picture) }
    }
    return factory
}
#endif
