#if GTK
import CGTK
import Foundation
import Glibc
import ImageCoding
import WebImage
import WebImageGTK
import WebImageTesting

/// What the thread of the windows does for each frame while ten thousand thumbnails are scrolled by, two rows of them a
/// frame; and what it does for a grid of GTK's own pictures, which are all there from the beginning. For `make bench`.
@MainActor
enum ScrollTrial {
    private static let count = 10_000
    private static let frames = 1_500
    private static let (width, height) = (160, 120)

    static func run() async throws {
        let pictures = Pictures(memory: 64 << 20)
        let bodies = try (0..<100).map { number in
            let bitmap = try Pictures.bitmap(640, 480) { x, y in
                [UInt8(truncatingIfNeeded: x &* (number + 1) / 8), UInt8(truncatingIfNeeded: y / 2), UInt8(number * 2)]
            }
            return try CoderRegistry.standard.encode(bitmap, as: .jpeg).withUnsafeBytes { Array($0) }
        }
        for number in 0..<count {
            pictures.transport.answer(address(number), with: .body(bodies[number % 100], mediaType: "image/jpeg"))
        }
        let factory = imageListFactory(
            width: width, height: height, pipeline: pictures.pipeline,
            url: { item in
                gtk_string_object_get_string(OpaquePointer(item)).flatMap { URL(string: String(cString: $0)) }
            })
        try await scroll(factory, "")
        Report.say("requests", pictures.transport.requests.count)
    }

    /// The control: a texture of the same size for each item, and nothing else.
    static func plain() async throws {
        let colors = try (0..<100).map { try Pictures.plain(width, height, [UInt8($0 * 2), 100, 50]) }
        let textures = colors.map { bitmap in
            bitmap.withUnsafeBytes { bytes in
                let copy = g_bytes_new(bytes.baseAddress, gsize(bytes.count))
                defer { g_bytes_unref(copy) }
                return gdk_memory_texture_new(
                    gint(width), gint(height), GDK_MEMORY_R8G8B8A8, copy, gsize(bitmap.bytesPerRow))
            }
        }
        let context = UnsafeMutablePointer<OpaquePointer?>.allocate(capacity: textures.count)
        context.initialize(from: textures, count: textures.count)
        let factory = gtk_signal_list_item_factory_new()
        typealias Handler = @convention(c) (OpaquePointer?, OpaquePointer, UnsafeMutablePointer<OpaquePointer?>) -> Void
        let setup: Handler = { _, item, _ in
            let picture = gtk_picture_new()
            gtk_widget_set_size_request(picture, gint(160), gint(120))
            gtk_list_item_set_child(item, picture)
        }
        let bind: Handler = { _, item, textures in
            gtk_picture_set_paintable(
                OpaquePointer(gtk_list_item_get_child(item)), textures[Int(gtk_list_item_get_position(item)) % 100])
        }
        for (signal, handler) in [("setup", setup), ("bind", bind)] {
            g_signal_connect_data(
                factory.map { UnsafeMutableRawPointer($0) }, signal, unsafeBitCast(handler, to: GCallback.self),
                context,
                nil, G_CONNECT_DEFAULT)
        }
        try await scroll(factory, "plain ")
    }

    private static func address(_ number: Int) -> String { "https://example.org/\(number).jpg" }

    private static func scroll(_ factory: OpaquePointer?, _ prefix: String) async throws {
        let strings = gtk_string_list_new(nil)
        for number in 0..<count { gtk_string_list_append(strings, address(number)) }
        guard let factory, let selection = gtk_no_selection_new(strings),
            let grid = gtk_grid_view_new(selection, factory), let scrolled = gtk_scrolled_window_new()
        else { throw TrialError("There is no grid.") }
        gtk_scrolled_window_set_child(OpaquePointer(scrolled), grid)
        let window = try Window(scrolled, width: 900, height: 700)
        await window.present()
        let adjustment = gtk_scrolled_window_get_vadjustment(OpaquePointer(scrolled))
        var costs: [Double] = []
        var last = processorTime()
        await Frames.pass(frames, on: window.widget) { _ in
            let now = processorTime()
            costs.append(Double(now - last) / 1e6)
            last = now
            gtk_adjustment_set_value(adjustment, gtk_adjustment_get_value(adjustment) + Double(2 * height))
        }
        costs.sort()
        let within = costs.count { $0 <= 16.7 }
        Report.say(prefix + "frames within 16.7 ms", "\(Double(within * 1_000 / costs.count) / 10) %")
        for (name, part) in [("median", 0.5), ("99th", 0.99), ("most", 1)] {
            let cost = costs[min(costs.count - 1, Int(Double(costs.count) * part))]
            Report.say(prefix + name, "\((cost * 100).rounded() / 100) ms")
        }
        window.destroy()
    }

    /// What this thread has used of the processor, in nanoseconds.
    private static func processorTime() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}
#endif
