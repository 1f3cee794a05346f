#if JPEG && PNG && GIF && WebP && AVIF && HEIF && JPEGXL && TIFF && SVG && PDF && RAW && LCMS
import Foundation
import ImageCoding
import Testing

/// The table of the article "Formats", made anew by trying everything that it says.
///
/// `Scripts/support-matrix` writes what this test finds into the article.
@Suite("Support matrix")
struct SupportMatrixTests {
    private static let start = "<!-- the table is written by Scripts/support-matrix -->\n"
    private static let end = "<!-- the end of the table -->\n"
    private static let article = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Sources/WebImage/WebImage.docc/Formats.md").standardized

    @Test("C190 C215 W039: the article says of each format what a trial shows")
    func matrix() throws {
        let tried = Set(SupportedFormat.all.map(\.format))
        // A cursor is an icon with a hot spot, and HEIF is HEIC whose brand does not name the codec.
        #expect(Set(CoderRegistry.standard.decodableFormats).subtracting(tried) == [.cur, .heif])
        let rows =
            try [SupportTrial.columns, SupportTrial.columns.map { _ in "---" }]
            + SupportedFormat.all.map { try SupportTrial($0).cells() }
        let table = rows.map { "| " + $0.joined(separator: " | ") + " |\n" }.joined()
        let text = try String(contentsOf: Self.article, encoding: .utf8)
        let (start, end) = try (#require(text.range(of: Self.start)), #require(text.range(of: Self.end)))
        if ProcessInfo.processInfo.environment["WRITE_SUPPORT_MATRIX"] != nil {
            try text.replacingCharacters(in: start.upperBound..<end.lowerBound, with: table)
                .write(to: Self.article, atomically: true, encoding: .utf8)
        } else {
            #expect(text[start.upperBound..<end.lowerBound] == table, "Scripts/support-matrix writes the article anew.")
        }
    }
}
#endif
