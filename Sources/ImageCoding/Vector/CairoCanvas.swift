#if SVG || PDF
import Pixels

#if SVG
import CRSVG
#endif
#if PDF
import CPoppler
#endif

/// Lets a library draw through cairo into rows of a bitmap.
enum CairoCanvas {
    /// The longest side of cairo's image surfaces.
    private static let longestSide = 32_767

    /// What is there before anything is drawn: the byte that all components of all pixels are.
    enum Ground: UInt8 {
        case clear = 0
        case white = 255
    }

    /// - Parameters:
    ///   - frame: left as premultiplied RGBA.
    ///   - ground: what the frame is filled with first.
    ///   - options: say when to stop; asked again and again.
    ///   - body: draws; one unit is one pixel.
    static func draw(
        on frame: RowStrip, _ ground: Ground, size: PixelSize, format: ImageFormat, options: DecodeOptions,
        _ body: (OpaquePointer) throws(CodingError) -> Void
    ) throws(CodingError) {
        guard size.width <= longestSide, size.height <= longestSide else {
            throw CodingError(
                .sideTooLong, "The drawing is \(size) pixels; cairo draws at most \(longestSide) along a side.",
                format: format)
        }
        frame.fill(ground.rawValue, width: size.width, rows: size.height)
        let surface = cairo_image_surface_create_for_data(
            frame.base.assumingMemoryBound(to: UInt8.self), CAIRO_FORMAT_ARGB32, Int32(size.width), Int32(size.height),
            Int32(clamping: frame.bytesPerRow))
        defer { cairo_surface_destroy(surface) }
        let watch = DrawingWatch(options)
        try draw(on: surface, watch, format, body)
        cairo_surface_flush(surface)
        for row in 0..<size.height {
            swapRedAndBlue((frame.base + row * frame.bytesPerRow).assumingMemoryBound(to: UInt32.self), size.width)
        }
    }

    private static func draw(
        on surface: OpaquePointer?, _ watch: DrawingWatch, _ format: ImageFormat,
        _ body: (OpaquePointer) throws(CodingError) -> Void
    ) throws(CodingError) {
        let watched = watch.surface(over: surface)
        defer { cairo_surface_destroy(watched) }
        guard let cairo = cairo_create(watched) else {
            throw CodingError(.outOfMemory, "There is no memory to draw the \(format).", format: format)
        }
        defer { cairo_destroy(cairo) }
        try check(cairo_status(cairo), format)
        watch.watch(cairo)
        defer { watch.endWatch() }
        do throws(CodingError) {
            try body(cairo)
            try check(cairo_status(cairo), format)
        } catch {
            throw watch.failure ?? error
        }
        cairo_surface_flush(watched)
    }

    /// Cairo's pixels are numbers with alpha in the highest byte and blue in the lowest.
    private static func swapRedAndBlue(_ pixels: UnsafeMutablePointer<UInt32>, _ count: Int) {
        for index in 0..<count {
            let pixel = pixels[index]
            pixels[index] = pixel & 0xFF00_FF00 | (pixel & 0xFF) << 16 | pixel >> 16 & 0xFF
        }
    }

    private static func check(_ status: cairo_status_t, _ format: ImageFormat) throws(CodingError) {
        guard status != CAIRO_STATUS_SUCCESS else { return }
        if status == CAIRO_STATUS_NO_MEMORY {
            throw CodingError(.outOfMemory, "There is no memory to draw the \(format).", format: format)
        }
        let text = cairo_status_to_string(status).map { String(cString: $0) } ?? "\(status.rawValue)"
        throw CodingError(.malformed, "The \(format) cannot be drawn: cairo says \(text).", format: format)
    }
}

/// GLib's errors.
enum GLibError {
    /// The error's sentence; the error itself is freed.
    static func take(_ error: UnsafeMutablePointer<GError>?) -> String {
        guard let error else { return "no reason is given" }
        defer { g_error_free(error) }
        return error.pointee.message.map { String(cString: $0) } ?? "error \(error.pointee.code)"
    }
}
#endif
