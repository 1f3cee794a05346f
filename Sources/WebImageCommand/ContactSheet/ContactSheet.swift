import ArgumentParser
import WebImage

/// All loaded pictures side by side, in one file.
struct ContactSheet: Sendable {
    /// The sheet is not written; says why.
    struct Failure: Error, CustomStringConvertible {
        let path: String
        let reason: String

        var description: String { "The contact sheet \(path) is not written: \(reason)" }
    }

    /// The box of one picture.
    static let cell = TargetSize(width: 320, height: 240)

    private static let gap = 16
    /// Dark enough for light pictures and light enough for dark ones; opaque.
    private static let paper: [UInt8] = [48, 50, 54, 255]

    let path: String
    /// What the ending of the path names.
    let format: ImageFormat

    /// - Throws: wrong usage, for a path that is no file's or has another ending.
    init(path: String) throws(ValidationError) {
        guard !OutputFile.isStandardOutput(path), !OutputWish.isFolder(path) else {
            throw ValidationError("--contact-sheet takes a file, and \"\(path)\" is none.")
        }
        guard let format = FormatArgument(path: path)?.format else {
            throw ValidationError("The ending of \"\(path)\" names none of \(FormatArgument.list).")
        }
        (self.path, self.format) = (path, format)
    }

    /// Draws and writes the sheet.
    ///
    /// - Throws: ``Failure``, also when there is no picture; then no file was touched.
    func write(_ pictures: [Bitmap], quality: Int) throws(Failure) {
        guard !pictures.isEmpty else { throw Failure(path: path, reason: "there is no picture to show.") }
        do {
            let options = EncodeOptions(quality: quality)
            try OutputFile.write(
                CoderRegistry.standard.encode(Self.draw(pictures), as: format, options: options), to: path)
        } catch {
            throw failure(error)
        }
    }

    func failure(_ error: any Error) -> Failure {
        Failure(path: path, reason: (error as? OutputFile.Failure)?.reason ?? "\(error)")
    }

    /// A grid that is about as wide as it is high.
    static func draw(_ pictures: [Bitmap]) throws -> Bitmap {
        let (cellWidth, cellHeight) = (cell.width ?? 320, cell.height ?? 240)
        var columns = 1
        while columns * columns < pictures.count { columns += 1 }
        let rows = max(1, (pictures.count + columns - 1) / columns)
        let size = PixelSize(
            width: columns * (cellWidth + gap) + gap, height: rows * (cellHeight + gap) + gap)
        var sheet = try Bitmap(uninitialized: size, format: .rgbx8)
        let stride = sheet.bytesPerRow
        try sheet.withUnsafeMutableBytes { sheet in
            for offset in sheet.indices { sheet[offset] = paper[offset % 4] }
            for (index, picture) in pictures.enumerated() {
                let x = gap + index % columns * (cellWidth + gap) + (cellWidth - picture.width) / 2
                let y = gap + index / columns * (cellHeight + gap) + (cellHeight - picture.height) / 2
                lay(picture, on: sheet, stride: stride, x: x, y: y)
            }
        }
        return sheet
    }

    /// Source over destination, for premultiplied pixels (Porter and Duff 1984).
    private static func lay(_ picture: Bitmap, on sheet: UnsafeMutableRawBufferPointer, stride: Int, x: Int, y: Int) {
        picture.withUnsafeBytes { pixels in
            for row in 0..<picture.height {
                for column in 0..<picture.width {
                    let from = row * picture.bytesPerRow + column * 4
                    let to = (y + row) * stride + (x + column) * 4
                    let rest = 255 - Int(pixels[from + 3])
                    for channel in 0..<3 {
                        let under = (Int(sheet[to + channel]) * rest + 127) / 255
                        sheet[to + channel] = UInt8(min(255, Int(pixels[from + channel]) + under))
                    }
                }
            }
        }
    }
}
