#if GTK
import CGTK
import Foundation
import ImageCaching
import ImageCoding
import ImageFetching
import Pixels
import ServerSupport
import WebImage
import WebImageGTK
import WebImageTesting

/// A picture whose bytes come from an origin a part at a time.
@MainActor
enum PreviewTrial {
    private static let side = 192

    /// A picture whose rows come one after the other, from the top.
    static func rows() async throws {
        let bytes = try encoded(isProgressive: false)
        try await show(bytes, cut: bytes.count / 2, isWhole: false)
    }

    /// A picture that comes as a whole, finer with every pass.
    static func passes() async throws {
        let bytes = try encoded(isProgressive: true)
        // A scan begins with the marker SOS (ISO/IEC 10918-1 B.2.3). Two are there, and the beginning of the third.
        let scans = bytes.indices.dropLast().filter { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xDA }
        guard scans.count > 3 else { throw TrialError("There are only \(scans.count) scans.") }
        try await show(bytes, cut: (scans[2] + scans[3]) / 2, isWhole: true)
    }

    /// Quarters of four colours, with a grain that needs many bytes.
    private static func encoded(isProgressive: Bool) throws -> [UInt8] {
        let colors: [[UInt8]] = [[200, 40, 40], [40, 200, 40], [40, 40, 200], [200, 200, 40]]
        let bitmap = try Pictures.bitmap(side, side) { x, y in
            let color = colors[(x < side / 2 ? 0 : 1) + (y < side / 2 ? 0 : 2)]
            return color.map { $0 + UInt8((x * 7 ^ y * 13) % 40) }
        }
        let options = EncodeOptions(quality: 90, isProgressive: isProgressive)
        return try CoderRegistry.standard.encode(bitmap, as: .jpeg, options: options).withUnsafeBytes { Array($0) }
    }

    /// - Parameters:
    ///   - cut: how many bytes come before the preview is looked at.
    ///   - isWhole: whether the preview fills the room of the picture.
    private static func show(_ bytes: [UInt8], cut: Int, isWhole: Bool) async throws {
        let origin = try OriginServer()
        defer { origin.stop() }
        let (head, rest) = (Gate(), Gate())
        // The first bytes begin the body; those that come after them are looked at.
        origin.route(
            "/slow.jpg",
            OriginResponse.drip(
                [Array(bytes[..<10]), Array(bytes[10..<cut]), Array(bytes[cut...])], gates: [head, rest]
            ).with("Content-Type", "image/jpeg"))
        let pipeline = ImagePipeline(
            configuration: .init(memoryCache: ImageMemoryCache(costLimit: 1 << 24), diskCache: nil, fetcher: Fetcher()))
        guard let picture = gtk_picture_new() else { throw TrialError("There is no picture.") }
        let window = try Window(picture, width: side, height: side)
        await window.present()
        let bare = try window.picture().color(1, side - 2)
        var request = ImageRequest(url: origin.url("/slow.jpg"))
        request.options.previews = .shown(every: .zero)
        let load = setImage(
            request, on: picture, settings: WidgetSettings(placeholder: .color(red: 9, green: 9, blue: 99)),
            pipeline: pipeline)
        await origin.waitUntil { $0.requests.count == 1 }
        let waiting = try await Stage.screen(of: window.widget)
        Report.say("waiting", colors(side, waiting.color).count == 1 ? waiting.color(1, 1) : "mixed")

        head.open()
        // More than one may come. One that does not fill the room is as good as another; one that does is waited for.
        let last = isWhole ? side - 2 : 1
        for _ in 0..<1_200 {
            let color = try await Stage.screen(after: 1, of: window.widget).color(1, last)
            if color != "9 9 99", color != bare || !isWhole { break }
        }
        let preview = try await Stage.screen(of: window.widget)
        Report.say("isLoading", load.currentOutcome == nil)
        Report.say("naturalSize", imageBinding(of: picture)?[.image].shown == nil ? paintableSize(picture) : "none")

        rest.open()
        guard let response = await load.outcome.response else { throw TrialError("There is no picture.") }
        let whole = try await Stage.screen(of: window.widget)
        let exact = response.bitmap.withUnsafeBytes { bytes in
            rows { y in
                (0..<side).allSatisfy { x in
                    let place = y * response.bitmap.bytesPerRow + x * response.bitmap.format.bytesPerPixel
                    return whole.color(x, y) == "\(bytes[place]) \(bytes[place + 1]) \(bytes[place + 2])"
                }
            }
        }
        Report.say("exact", exact)
        let same = rows { y in (0..<side).allSatisfy { preview.color($0, y) == whole.color($0, y) } }
        Report.say("rowsThere", same)
        let below = rows { y in (0..<side).allSatisfy { preview.color($0, side - 1 - y) == bare } }
        Report.say("rowsBare", below)
        Report.say("distance", distance(preview, whole))
        Report.say("requests", origin.record.requests.count)
        window.destroy()
        await Turns.pass()
        Report.say("held", heldBitmapCount)
    }

    private static func paintableSize(_ picture: Widget) -> String {
        guard let paintable = gtk_picture_get_paintable(OpaquePointer(picture)) else { return "none" }
        return
            "\(gdk_paintable_get_intrinsic_width(paintable)) × \(gdk_paintable_get_intrinsic_height(paintable))"
    }

    private static func colors(_ side: Int, _ color: (Int, Int) -> String) -> Set<String> {
        Set((0..<side).flatMap { y in (0..<side).map { x in color(x, y) } })
    }

    /// How many rows from the first on are as they should be.
    private static func rows(_ isRight: (Int) -> Bool) -> Int { (0..<side).first { !isRight($0) } ?? side }

    /// How far apart two pictures are, as a mean over the parts of their pixels.
    private static func distance(_ one: ScreenDump, _ other: ScreenDump) -> Int {
        var sum = 0
        for y in 0..<side {
            for x in 0..<side {
                let parts = [one, other].map { $0.color(x, y).split(separator: " ").compactMap { Int($0) } }
                for (a, b) in zip(parts[0], parts[1]) { sum += abs(a - b) }
            }
        }
        return sum / (side * side * 3)
    }
}
#endif
