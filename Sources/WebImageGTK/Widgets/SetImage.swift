#if GTK
import CGTK
import CGTKShim
public import WebImage

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Shows a picture on a widget.
///
/// ```swift
/// setImage(url, on: picture)
/// ```
///
/// A picture that is in memory is there before the call returns. Otherwise it is loaded, in the widget's size, and what
/// the widget was told to show before is cancelled: what was asked for last is what is shown. The widget keeps all that
/// belongs to it, and ends its loads when it goes.
///
/// - Parameters:
///   - url: `http:`, `https:`, `file:` or `data:`; nil ends in an error and shows what a failure shows.
///   - widget: a `GtkPicture`, `GtkImage`, `GtkButton`, or anything that has a property `paintable`.
///   - slot: which of the widget's pictures. A widget has a picture, an alternate one for while it is checked, selected or
///     under the pointer, and a background behind them.
///   - settings: sizes, placeholders, transitions.
///   - pipeline: what loads.
///   - completion: called once, on the main actor, after this call has returned.
/// - Returns: the load. It can be awaited, and ignored.
@MainActor
@discardableResult
public func setImage(
    _ url: URL?, on widget: some WidgetReference, in slot: SlotKey = .image,
    settings: WidgetSettings = WidgetSettings(), pipeline: ImagePipeline = .shared,
    completion: (@MainActor (SlotOutcome) -> Void)? = nil
) -> SlotLoad {
    showImage(
        url.map { .address($0) } ?? .nothing, on: widget, in: slot, settings: settings, pipeline: pipeline,
        completion: completion)
}

/// Shows a picture on a widget, as a request says.
///
/// - Parameters:
///   - request: if it has a target, that counts and not the widget's size.
///   - widget: a `GtkPicture`, `GtkImage`, `GtkButton`, or anything that has a property `paintable`.
///   - slot: which of the widget's pictures.
///   - settings: sizes, placeholders, transitions.
///   - pipeline: what loads.
///   - completion: called once, on the main actor, after this call has returned.
/// - Returns: the load. It can be awaited, and ignored.
@MainActor
@discardableResult
public func setImage(
    _ request: ImageRequest?, on widget: some WidgetReference, in slot: SlotKey = .image,
    settings: WidgetSettings = WidgetSettings(), pipeline: ImagePipeline = .shared,
    completion: (@MainActor (SlotOutcome) -> Void)? = nil
) -> SlotLoad {
    showImage(
        request.map { .request($0) } ?? .nothing, on: widget, in: slot, settings: settings, pipeline: pipeline,
        completion: completion)
}

@MainActor
func showImage(
    _ wish: WidgetWish, on widget: some WidgetReference, in slot: SlotKey, settings: WidgetSettings,
    pipeline: ImagePipeline, completion: (@MainActor (SlotOutcome) -> Void)?
) -> SlotLoad {
    MainLoop.attachOrComplain()
    let widget = widget.widgetAddress.assumingMemoryBound(to: GtkWidget.self)
    guard let binding = WidgetBinding.on(widget, pipeline: pipeline) else {
        let name = String(cString: webimage_type_name(widget))
        return SlotLoad.refused(
            wish.request(target: nil, animation: .still), "A \(name) has no place for a picture.",
            completion: completion)
    }
    binding.slots[slot].pipeline = pipeline
    return binding.show(wish, in: slot, settings: settings, completion: completion)
}

/// Ends the loads of a widget as cancelled. Pictures that are shown stay.
@MainActor
public func cancelImages(on widget: some WidgetReference) { binding(of: widget)?.slots.cancel() }

/// Ends the loads of a widget and shows nothing, ready for its next use.
@MainActor
public func clearImages(on widget: some WidgetReference) { binding(of: widget)?.slots.reset() }

/// The slots of a widget, with their addresses and progress; nil for one that has never been given a picture.
@MainActor
public func imageBinding(of widget: some WidgetReference) -> ImageBinding? { binding(of: widget)?.slots }

/// What plays the animation that a widget shows: to pause it, to go to a frame, to hear of its loops. Another one with every
/// picture.
///
/// - Returns: nil when the slot shows nothing that moves.
@MainActor
public func imagePlayer(of widget: some WidgetReference, in slot: SlotKey = .image) -> AnimatedImagePlayer? {
    binding(of: widget)?.canvas.player(in: slot)
}

@MainActor
func binding(of widget: some WidgetReference) -> WidgetBinding? {
    WidgetBinding.existing(on: widget.widgetAddress.assumingMemoryBound(to: GtkWidget.self))
}
#endif
