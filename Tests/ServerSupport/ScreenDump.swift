package import Foundation

/// What is on a virtual screen: an X window dump, as X11's XWDFile.h describes it.
package struct ScreenDump {
    private let bytes: Data
    private let start: Int
    private let rowBytes: Int
    private let width: Int
    private let height: Int

    package init(_ file: URL) throws {
        let bytes = try Data(contentsOf: file)
        func field(_ number: Int) -> Int { bytes[number * 4..<number * 4 + 4].reduce(0) { $0 << 8 | Int($1) } }
        guard bytes.count >= 100 else { throw ServerError("\(file.path) is no dump of a window.") }
        // The header's size, the picture's sides, bytes in a row, and so many colours of 12 bytes before the pixels.
        (width, height, rowBytes) = (field(4), field(5), field(12))
        start = field(0) + field(19) * 12
        self.bytes = bytes
        guard rowBytes >= width * 4, bytes.count >= start + height * rowBytes else {
            throw ServerError("\(file.path) ends before its picture.")
        }
    }

    /// "red green blue" of a pixel.
    package func color(_ x: Int, _ y: Int) -> String {
        guard (0..<width).contains(x), (0..<height).contains(y) else { return "outside" }
        let place = start + y * rowBytes + x * 4
        return "\(bytes[place + 2]) \(bytes[place + 1]) \(bytes[place])"
    }
}
