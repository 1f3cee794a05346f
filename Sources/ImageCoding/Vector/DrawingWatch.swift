#if SVG || PDF
import Pixels

#if SVG
import CRSVG
#endif
#if PDF
import CPoppler
#endif

/// Asks before each thing that a library draws whether to go on, and has cairo refuse all that follows if not.
///
/// Only what reaches the page is seen: the parts of a translucent group are drawn beside it, and the group then in one go.
final class DrawingWatch {
    private let options: DecodeOptions
    private var canvas: OpaquePointer?
    private(set) var failure: CodingError?

    init(_ options: DecodeOptions) {
        self.options = options
    }

    /// A surface that hands all drawing on to `target`, and asks first. This has to outlive it.
    ///
    /// - Returns: `nil` without memory; to be destroyed by the caller.
    func surface(over target: OpaquePointer?) -> OpaquePointer? {
        guard let surface = cairo_surface_create_observer(target, CAIRO_SURFACE_OBSERVER_NORMAL) else { return nil }
        let context = Unmanaged.passUnretained(self).toOpaque()
        let ask: cairo_surface_observer_callback_t = { _, _, context in
            guard let context else { return }
            Unmanaged<DrawingWatch>.fromOpaque(context).takeUnretainedValue().ask()
        }
        for add in [
            cairo_surface_observer_add_paint_callback, cairo_surface_observer_add_mask_callback,
            cairo_surface_observer_add_fill_callback, cairo_surface_observer_add_stroke_callback,
            cairo_surface_observer_add_glyphs_callback,
        ] {
            _ = add(surface, ask, context)
        }
        return surface
    }

    /// - Parameter canvas: drawn on by the library, made for the surface.
    func watch(_ canvas: OpaquePointer) {
        self.canvas = canvas
    }

    /// The canvas is about to go.
    func endWatch() {
        canvas = nil
    }

    private func ask() {
        guard failure == nil, let canvas else { return }
        do {
            try options.checkCancellation()
        } catch {
            failure = error
            // Cairo's contexts know no stop; a wrong argument puts them into an error for good, and the libraries give up.
            var length = -1.0
            cairo_set_dash(canvas, &length, 1, 0)
        }
    }
}
#endif
