/// What is known of a picture, for people: a line with its name, and one for each thing that is worth telling.
enum InfoSheet {
    static func lines(_ report: PictureReport) -> [String] {
        let rows = rows(report)
        let width = rows.map(\.label.count).max() ?? 0
        return [report.source]
            + rows.map { "  \($0.label)\(String(repeating: " ", count: width - $0.label.count))  \($0.text)" }
    }

    private static func rows(_ report: PictureReport) -> [(label: String, text: String)] {
        var rows = [
            ("format", joined(report.format, report.isProgressive == true ? "progressive" : nil)),
            ("size", size(report)),
            ("pixels", pixels(report)),
            ("colour", color(report)),
        ]
        if let text = movement(report) { rows.append(("frames", text)) }
        if let pages = report.pages, pages > 1 { rows.append(("pages", "\(pages)")) }
        if let text = metadata(report) { rows.append(("metadata", text)) }
        rows.append(("file", Figures.bytes(report.bytes ?? 0)))
        return rows
    }

    private static func size(_ report: PictureReport) -> String {
        let seen = "\(report.width ?? 0)×\(report.height ?? 0)"
        guard let orientation = report.orientation, orientation != 1 else { return seen }
        return "\(seen), stored as \(report.storedWidth ?? 0)×\(report.storedHeight ?? 0), orientation \(orientation)"
    }

    private static func pixels(_ report: PictureReport) -> String {
        joined(
            report.bitsPerComponent.map { Figures.count($0, "bit") + " a channel" },
            report.hasAlpha == true ? "alpha" : "opaque")
    }

    private static func color(_ report: PictureReport) -> String {
        joined(
            report.color == "unspecified" ? "unspecified, shown as sRGB" : report.color,
            report.isHighDynamicRange == true ? "high dynamic range" : nil,
            report.hasGainMap == true ? "gain map" : nil)
    }

    /// - Returns: `nil` for a picture that does not move.
    private static func movement(_ report: PictureReport) -> String? {
        guard report.frames != 1 else { return nil }
        let total = report.durations.map { "\(Figures.tenths($0.reduce(0, +) / 1_000)) s" }
        let plays = report.loopCount.map { $0 == 0 ? "for ever" : Figures.count($0, "time") }
        return joined(
            report.frames.map(String.init) ?? "unknown", total, plays,
            report.isComplete == false ? "the file ends early" : nil)
    }

    private static func metadata(_ report: PictureReport) -> String? {
        let pieces = [("EXIF", report.exifBytes), ("XMP", report.xmpBytes), ("profile", report.profileBytes)]
        var texts = pieces.compactMap { name, count in count.map { "\(name) \(Figures.bytes($0))" } }
        if let thumbnail = report.thumbnail {
            let size = thumbnail.width.flatMap { width in thumbnail.height.map { " \(width)×\($0)" } }
            texts.append("thumbnail\(size ?? "") \(Figures.bytes(thumbnail.bytes))")
        }
        return texts.isEmpty ? nil : texts.joined(separator: ", ")
    }

    private static func joined(_ texts: String?...) -> String { texts.compactMap(\.self).joined(separator: ", ") }
}
