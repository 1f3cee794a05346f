import WebImage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Where and how pictures are drawn in a terminal.
struct TerminalCanvas {
    /// Never `auto`.
    let drawing: ShowCommand.Drawing
    /// What pictures are to meet, in the pixels of the drawing.
    let box: TargetSize
    private let hasTrueColor: Bool

    /// - Parameters:
    ///   - columns: at most so many, the terminal's own by default.
    ///   - rows: the same; by default one line is left for what is typed next.
    init(_ terminal: Terminal, _ wanted: ShowCommand.Drawing, columns: Int?, rows: Int?) {
        let known: ShowCommand.Drawing =
            terminal.answer.hasKittyGraphics && CoderRegistry.standard.encodableFormats.contains(.png)
            ? .kitty : terminal.answer.hasSixels ? .sixel : .blocks
        drawing = wanted == .auto ? known : wanted
        hasTrueColor = terminal.hasTrueColor
        let columns = columns ?? terminal.columns
        let rows = rows ?? max(1, terminal.rows - 2)
        let cell = drawing == .blocks ? TerminalAnswer.Cell(width: 1, height: 2) : terminal.cell
        box = TargetSize(
            width: min(columns * cell.width, TargetSize.maximumSide),
            height: min(rows * cell.height, TargetSize.maximumSide))
    }

    /// - Parameter bitmap: not larger than ``box``.
    /// - Throws: `CodingError` where a picture is sent encoded, `ProcessingError` without memory.
    func text(_ bitmap: Bitmap) throws -> String {
        switch drawing {
        case .auto, .blocks: return BlockPicture.text(bitmap, hasTrueColor: hasTrueColor)
        case .sixel: return try SixelPicture.text(bitmap)
        case .kitty:
            let png = try CoderRegistry.standard.encode(bitmap, as: .png)
            return KittyPicture.text(png: png.withUnsafeBytes { Data($0) })
        }
    }
}
