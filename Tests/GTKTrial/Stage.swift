#if GTK
import CGTK
import Foundation
import Glibc
import ImageCaching
import ImageCoding
import ImageFetching
import Pixels
import ServerSupport
import WebImage
import WebImageGTK
import WebImageTesting

typealias Widget = UnsafeMutablePointer<GtkWidget>

/// A window without a frame, as large as it is told, with one child.
@MainActor
final class Window {
    let widget: Widget

    init(_ child: Widget?, width: Int = 400, height: Int = 300) throws {
        guard let widget = gtk_window_new() else { throw TrialError("There is no window.") }
        self.widget = widget
        let window = UnsafeMutableRawPointer(widget).assumingMemoryBound(to: GtkWindow.self)
        gtk_window_set_decorated(window, 0)
        gtk_window_set_default_size(window, gint(width), gint(height))
        gtk_window_set_child(window, child)
    }

    private var window: UnsafeMutablePointer<GtkWindow> {
        UnsafeMutableRawPointer(widget).assumingMemoryBound(to: GtkWindow.self)
    }

    /// Shows it and waits until it was drawn.
    func present() async {
        gtk_window_present(window)
        while gtk_widget_get_mapped(widget) == 0 { await Frames.pass(1, on: widget) }
        await Frames.pass(3, on: widget)
    }

    func setChild(_ child: Widget?) { gtk_window_set_child(window, child) }

    func setSize(width: Int, height: Int) { gtk_window_set_default_size(window, gint(width), gint(height)) }

    func destroy() { gtk_window_destroy(window) }

    /// What the window looks like, drawn by its own renderer.
    func picture() throws -> Shot {
        guard let paintable = gtk_widget_paintable_new(widget), let snapshot = gtk_snapshot_new() else {
            throw TrialError("There is no snapshot.")
        }
        defer { g_object_unref(UnsafeMutableRawPointer(paintable)) }
        let (width, height) = (gtk_widget_get_width(widget), gtk_widget_get_height(widget))
        gdk_paintable_snapshot(paintable, snapshot, Double(width), Double(height))
        guard let node = gtk_snapshot_free_to_node(snapshot) else { throw TrialError("Nothing is drawn.") }
        defer { gsk_render_node_unref(node) }
        let renderer = gtk_native_get_renderer(gtk_widget_get_native(widget))
        var area = graphene_rect_t(
            origin: graphene_point_t(x: 0, y: 0),
            size: graphene_size_t(width: Float(width), height: Float(height)))
        guard let texture = gsk_renderer_render_texture(renderer, node, &area) else {
            throw TrialError("Nothing is rendered.")
        }
        defer { g_object_unref(UnsafeMutableRawPointer(texture)) }
        return Shot(texture)
    }
}

/// Pixels of a window: blue, green, red, alpha.
struct Shot {
    let width: Int
    let height: Int
    private let bytes: [UInt8]

    init(_ texture: OpaquePointer) {
        width = Int(gdk_texture_get_width(texture))
        height = Int(gdk_texture_get_height(texture))
        var bytes = [UInt8](repeating: 0, count: width * height * 4)
        gdk_texture_download(texture, &bytes, gsize(width * 4))
        self.bytes = bytes
    }

    /// "red green blue" of a pixel.
    func color(_ x: Int, _ y: Int) -> String {
        guard (0..<width).contains(x), (0..<height).contains(y) else { return "outside" }
        let place = (y * width + x) * 4
        return "\(bytes[place + 2]) \(bytes[place + 1]) \(bytes[place])"
    }
}

@MainActor
enum Frames {
    private final class Wait {
        var left: Int
        let body: @MainActor (Int64) -> Void
        let continuation: CheckedContinuation<Void, Never>

        init(
            _ left: Int, _ body: @escaping @MainActor (Int64) -> Void, _ continuation: CheckedContinuation<Void, Never>
        ) {
            self.left = left
            self.body = body
            self.continuation = continuation
        }
    }

    /// Waits for so many frames of a widget, and calls `body` at the beginning of each.
    static func pass(_ count: Int, on widget: Widget, _ body: @escaping @MainActor (Int64) -> Void = { _ in }) async {
        await withCheckedContinuation { continuation in
            let wait = Wait(count, body, continuation)
            gtk_widget_add_tick_callback(
                widget,
                { _, clock, context in
                    guard let context, let clock else { return 0 }
                    let wait = Unmanaged<Wait>.fromOpaque(context).takeUnretainedValue()
                    let time = Int64(gdk_frame_clock_get_frame_time(clock))
                    nonisolated(unsafe) let current = wait
                    MainActor.assumeIsolated { current.body(time) }
                    wait.left -= 1
                    guard wait.left <= 0 else { return 1 }
                    wait.continuation.resume()
                    return 0
                }, Unmanaged.passRetained(wait).toOpaque(),
                { Unmanaged<Wait>.fromOpaque($0.unsafelyUnwrapped).release() })
        }
    }
}

@MainActor
enum Stage {
    /// What is on the screen itself, after some frames of a widget.
    static func screen(after frames: Int = 3, of widget: Widget) async throws -> ScreenDump {
        await Frames.pass(frames, on: widget)
        gdk_display_sync(gdk_display_get_default())
        guard let file = getenv("WEBIMAGE_SCREEN") else { throw TrialError("There is no file of the screen.") }
        return try ScreenDump(URL(filePath: String(cString: file)))
    }

    /// Sets what the user has set for all programs: whether things may move.
    static func setAnimations(_ areWanted: Bool, of widget: Widget) {
        var value = GValue()
        // G_TYPE_BOOLEAN, a macro.
        g_value_init(&value, GType(5 << 2))
        g_value_set_boolean(&value, areWanted ? 1 : 0)
        g_object_set_property(
            UnsafeMutableRawPointer(gtk_widget_get_settings(widget)).assumingMemoryBound(to: GObject.self),
            "gtk-enable-animations", &value)
    }
}

@MainActor
enum Turns {
    private final class Turn {
        let done: CheckedContinuation<Void, Never>

        init(_ done: CheckedContinuation<Void, Never>) { self.done = done }
    }

    /// Lets everything go that waits for a turn of the loop.
    static func pass() async {
        for _ in 0..<200 {
            await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
                g_idle_add_full(
                    G_PRIORITY_LOW,
                    { context in
                        Unmanaged<Turn>.fromOpaque(context.unsafelyUnwrapped).takeRetainedValue().done.resume()
                        return 0
                    }, Unmanaged.passRetained(Turn(done)).toOpaque(), nil)
            }
        }
    }
}

struct TrialError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// A pipeline over pictures that the trial makes, without a disk cache.
@MainActor
final class Pictures {
    let transport = ScriptedTransport()
    let pipeline: ImagePipeline

    /// - Parameter other: answers in place of `transport`.
    init(memory: Int = 256 << 20, other: (any Transport)? = nil) {
        var fetching = Fetcher.Configuration()
        fetching.retry = .none
        let fetcher = Fetcher(configuration: fetching, transports: [other ?? transport])
        pipeline = ImagePipeline(
            configuration: .init(
                memoryCache: ImageMemoryCache(costLimit: memory), diskCache: nil, fetcher: fetcher))
    }

    /// Puts a picture at an address.
    func put(_ name: String, _ bitmap: Bitmap) throws -> URL {
        transport.answer(address(name), with: .body(try Self.encoded(bitmap), mediaType: "image/png"))
        return try url(name)
    }

    static func encoded(_ bitmap: Bitmap) throws -> [UInt8] {
        try CoderRegistry.standard.encode(bitmap, as: .png).withUnsafeBytes { Array($0) }
    }

    func url(_ name: String) throws -> URL {
        guard let url = URL(string: address(name)) else { throw TrialError("\(name) is no address.") }
        return url
    }

    private func address(_ name: String) -> String { "https://example.org/\(name).png" }

    /// A picture whose pixels are a function of their place.
    static func bitmap(_ width: Int, _ height: Int, _ color: (Int, Int) -> [UInt8]) throws -> Bitmap {
        var bitmap = try Bitmap(uninitialized: PixelSize(width: width, height: height), format: .rgbx8)
        let stride = bitmap.bytesPerRow
        try bitmap.withUnsafeMutableBytes { bytes in
            for y in 0..<height {
                for x in 0..<width {
                    let color = color(x, y)
                    for channel in 0..<3 { bytes[y * stride + x * 4 + channel] = color[channel] }
                    bytes[y * stride + x * 4 + 3] = 255
                }
            }
        }
        return bitmap
    }

    static func plain(_ width: Int, _ height: Int, _ color: [UInt8]) throws -> Bitmap {
        try bitmap(width, height) { _, _ in color }
    }

    /// Red, green, blue and yellow quarters.
    static func quarters(_ width: Int, _ height: Int) throws -> Bitmap {
        try bitmap(width, height) { x, y in
            switch (x < width / 2, y < height / 2) {
            case (true, true): [255, 0, 0]
            case (false, true): [0, 255, 0]
            case (true, false): [0, 0, 255]
            case (false, false): [255, 255, 0]
            }
        }
    }
}
#endif
