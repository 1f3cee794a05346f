#if GTK
import CGTK
import Foundation
import Pixels
import ServerSupport
import WebImage
import WebImageGTK
import WebImageTesting

/// What lies behind a picture.
@MainActor
enum BackgroundTrial {
    static func run() async throws {
        let pictures = Pictures()
        let green = try pictures.put("green", Pictures.plain(90, 90, [0, 255, 0]))
        let blue = try pictures.put("blue", Pictures.plain(90, 90, [0, 0, 255]))
        let glass = try pictures.put("glass", glass())
        guard let picture = gtk_picture_new() else { throw TrialError("There is no picture.") }
        let window = try Window(picture, width: 90, height: 90)
        await window.present()
        /// The colours where the picture is red, half red, and nothing.
        func look() async throws -> String {
            let screen = try await Stage.screen(of: window.widget)
            return [15, 45, 75].map { screen.color($0, 45) }.joined(separator: ", ")
        }
        func set(_ url: URL, in slot: SlotKey) async -> SlotOutcome {
            await setImage(url, on: picture, in: slot, pipeline: pictures.pipeline).outcome
        }
        _ = await set(green, in: .background)
        Report.say("alone", try await look())
        _ = await set(glass, in: .image)
        Report.say("behind", try await look())
        _ = await set(blue, in: .background)
        Report.say("changed", try await look())
        // Neither slot's failure or end is the other's.
        Report.say("missing", await set(try pictures.url("missing"), in: .image).error?.statusCode ?? 0)
        Report.say("withoutPicture", try await look())
        _ = await set(glass, in: .image)
        setImage(nil as URL?, on: picture, in: .background, pipeline: pictures.pipeline)
        let bare = try await look()
        Report.say("withoutBackground", bare.hasPrefix("255 0 0, ") && !bare.hasSuffix("0 0 255"))
        window.destroy()
        await Turns.pass()
        Report.say("held", heldBitmapCount)
    }

    /// Thirds: red, red by half, and nothing.
    private static func glass() throws -> Bitmap {
        var bitmap = try Bitmap(uninitialized: PixelSize(width: 90, height: 90), format: .rgba8)
        let rowBytes = bitmap.bytesPerRow
        try bitmap.withUnsafeMutableBytes { bytes in
            for y in 0..<90 {
                for x in 0..<90 {
                    let alpha: UInt8 = x < 30 ? 255 : x < 60 ? 128 : 0
                    for (channel, part) in [alpha, 0, 0, alpha].enumerated() {
                        bytes[y * rowBytes + x * 4 + channel] = part
                    }
                }
            }
        }
        return bitmap
    }
}
#endif
