#if GTK
import CGTK
import CGTKShim
import Pixels
import WebImage

/// Where in a widget a paintable goes.
enum WidgetPlace {
    /// A `GtkPicture`.
    case picture
    /// A `GtkImage`, which draws at the size of an icon.
    case icon
    /// A `GtkButton`: a picture that becomes its child.
    case button
    /// Anything else that has a property `paintable`.
    case property

    init?(_ widget: UnsafeMutablePointer<GtkWidget>) {
        if webimage_is_a(widget, gtk_picture_get_type()) != 0 {
            self = .picture
        } else if webimage_is_a(widget, gtk_image_get_type()) != 0 {
            self = .icon
        } else if webimage_is_a(widget, gtk_button_get_type()) != 0 {
            self = .button
        } else if webimage_accepts_paintable(widget) != 0 {
            self = .property
        } else {
            return nil
        }
    }

    /// Has the widget show the paintable, if it does not.
    ///
    /// - Returns: the widget that draws it.
    @MainActor
    func install(
        _ paintable: OpaquePointer, in widget: UnsafeMutablePointer<GtkWidget>,
        drawing: UnsafeMutablePointer<GtkWidget>?
    ) -> UnsafeMutablePointer<GtkWidget> {
        let place = OpaquePointer(widget)
        switch self {
        case .picture:
            if gtk_picture_get_paintable(place) != paintable { gtk_picture_set_paintable(place, paintable) }
        case .icon:
            if gtk_image_get_paintable(place) != paintable { gtk_image_set_from_paintable(place, paintable) }
        case .property: webimage_set_paintable(widget, paintable)
        case .button:
            let child = webimage_button_child(widget)
            if let child, child == drawing { return child }
            guard let picture = gtk_picture_new_for_paintable(paintable) else { return widget }
            webimage_button_set_child(widget, picture)
            return picture
        }
        return widget
    }

    /// How large the widget that draws is, in pixels of the screen; nil while it has no size.
    @MainActor
    func box(of widget: UnsafeMutablePointer<GtkWidget>) -> TargetSize? {
        let scale = max(1, Int(gtk_widget_get_scale_factor(widget)))
        var (width, height) = (Int(gtk_widget_get_width(widget)), Int(gtk_widget_get_height(widget)))
        var fit = Fit.contain
        switch self {
        case .icon:
            let pixels = gtk_image_get_pixel_size(OpaquePointer(widget))
            let usual = gtk_image_get_icon_size(OpaquePointer(widget)) == GTK_ICON_SIZE_LARGE ? 32 : 16
            width = pixels > 0 ? Int(pixels) : usual
            height = width
        case .picture, .button:
            if gtk_picture_get_content_fit(OpaquePointer(widget)) == GTK_CONTENT_FIT_COVER { fit = .cover }
        case .property: break
        }
        if width <= 0 || height <= 0 {
            var (asked, askedHeight): (gint, gint) = (0, 0)
            gtk_widget_get_size_request(widget, &asked, &askedHeight)
            (width, height) = (Int(asked), Int(askedHeight))
        }
        guard width > 0, height > 0 else { return nil }
        func pixels(_ length: Int) -> Int {
            let (product, overflow) = length.multipliedReportingOverflow(by: scale)
            return overflow ? TargetSize.maximumSide : min(product, TargetSize.maximumSide)
        }
        return TargetSize(width: pixels(width), height: pixels(height), fit: fit)
    }
}
#endif
