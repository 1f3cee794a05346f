import WebImage

/// All loaded pictures side by side, in one PNG.
enum ContactSheet {
    /// The box of one picture.
    static let cell = TargetSize(width: 320, height: 240)

    private static let gap = 16
    /// Dark enough for light pictures and light enough for dark ones; opaque.
    private static let paper: [UInt8] = [48, 50, 54, 255]

    /// Draws and writes the sheet. Without a single picture there is nothing to show, and the sheet is one empty cell.
    static func write(_ pictures: [Bitmap], to path: String) throws {
        let sheet = try draw(pictures)
        try OutputFile.write(CoderRegistry.standard.encode(sheet, as: .png), to: path)
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
