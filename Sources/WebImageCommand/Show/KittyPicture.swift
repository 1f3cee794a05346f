import WebImage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A picture by kitty's graphics protocol (https://sw.kovidgoyal.net/kitty/graphics-protocol/): a PNG in pieces of Base64.
enum KittyPicture {
    /// The most characters of Base64 in one piece.
    private static let piece = 4_096

    /// - Parameter png: a PNG of any kind.
    /// - Returns: commands that show it where the cursor is, without answers, and a line break.
    static func text(png: Data) -> String {
        let characters = Array(png.base64EncodedString().utf8)
        var text = ""
        for start in stride(from: 0, to: max(1, characters.count), by: piece) {
            let end = min(characters.count, start + piece)
            let keys = start == 0 ? "a=T,f=100,q=2," : ""
            text += "\u{1B}_G\(keys)m=\(end < characters.count ? 1 : 0);"
            text += String(decoding: characters[start..<end], as: UTF8.self) + "\u{1B}\\"
        }
        return text + "\n"
    }
}
