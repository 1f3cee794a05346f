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

    /// What `GtkPicture` gives a picture of which it knows nothing, in both directions.
    private static let unasked = 16

    /// The room that a picture has, in pixels of the screen; nil while the widget has none yet.
    @MainActor
    func room(in widget: UnsafeMutablePointer<GtkWidget>) -> PictureRoom? {
        let scale = max(1, Int(gtk_widget_get_scale_factor(widget)))
        func pixels(_ length: Int?) -> Int? {
            guard let length else { return nil }
            let (product, overflow) = length.multipliedReportingOverflow(by: scale)
            return overflow ? TargetSize.maximumSide : min(product, TargetSize.maximumSide)
        }
        if case .icon = self {
            let size = gtk_image_get_pixel_size(OpaquePointer(widget))
            let usual = gtk_image_get_icon_size(OpaquePointer(widget)) == GTK_ICON_SIZE_LARGE ? 32 : 16
            let side = pixels(size > 0 ? Int(size) : usual)
            return PictureRoom(target: TargetSize(width: side, height: side))
        }
        var (askedWidth, askedHeight): (gint, gint) = (0, 0)
        gtk_widget_get_size_request(widget, &askedWidth, &askedHeight)
        // A side that is no longer than that was not asked for by anybody: it is the picture that has to ask.
        func side(_ length: gint, _ asked: gint) -> Int? {
            let longer = Int(max(length, asked))
            return longer > Self.unasked || asked > 0 ? longer : nil
        }
        let (width, height) = (gtk_widget_get_width(widget), gtk_widget_get_height(widget))
        let isAsked = askedWidth > 0 && askedHeight > 0
        guard isAsked || (width > 0 && height > 0) else { return nil }
        let (wide, high) = (side(width, askedWidth), side(height, askedHeight))
        guard wide != nil || high != nil else { return PictureRoom(target: nil) }
        var fit = Fit.contain
        if case .property = self {
        } else if wide != nil, high != nil,
            gtk_picture_get_content_fit(OpaquePointer(widget)) == GTK_CONTENT_FIT_COVER
        {
            fit = .cover
        }
        return PictureRoom(target: TargetSize(width: pixels(wide), height: pixels(high), fit: fit))
    }
}

/// How large a widget lets a picture be.
struct PictureRoom: Hashable {
    /// Nil for as large as the picture is.
    let target: TargetSize?
}
#endif
