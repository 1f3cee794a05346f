/// What the progress bars show: one for each running download and one for the whole. A value; it only makes lines.
struct ProgressBoard {
    private struct Download {
        let id: Int
        let name: String
        var received: Int
        var expected: Int?
    }

    private let total: Int
    private var finished = 0
    private var failed = 0
    private var downloads: [Download] = []

    /// More bars than this are counted, not drawn.
    static let maximumBars = 8
    private static let nameWidth = 24

    init(total: Int) {
        self.total = total
    }

    /// A download has news; the first news adds its bar.
    mutating func update(_ id: Int, name: String, received: Int, expected: Int?) {
        if let index = downloads.firstIndex(where: { $0.id == id }) {
            downloads[index].received = received
            downloads[index].expected = expected
        } else {
            downloads.append(Download(id: id, name: name.visible, received: received, expected: expected))
        }
    }

    /// A source has its outcome.
    mutating func finish(_ id: Int, failed isFailure: Bool) {
        downloads.removeAll { $0.id == id }
        finished += 1
        if isFailure { failed += 1 }
    }

    /// The lines for a terminal of the given width, none longer than that.
    func lines(columns: Int) -> [String] {
        var lines = downloads.prefix(Self.maximumBars).map { line(for: $0, columns: columns) }
        if downloads.count > Self.maximumBars { lines.append("and \(downloads.count - Self.maximumBars) more") }
        let failures = failed > 0 ? ", \(failed) failed" : ""
        let share = total > 0 ? Double(finished) / Double(total) : 1
        lines.append(Self.bar("all", share: share, note: "\(finished) of \(total)\(failures)", columns: columns))
        return lines.map { String($0.prefix(columns)) }
    }

    private func line(for download: Download, columns: Int) -> String {
        let received = Figures.bytes(download.received)
        guard let expected = download.expected, expected > 0 else {
            return Self.bar(download.name, share: nil, note: received, columns: columns)
        }
        return Self.bar(
            download.name, share: Double(download.received) / Double(expected),
            note: "\(received) of \(Figures.bytes(expected))", columns: columns)
    }

    private static func bar(_ name: String, share: Double?, note: String, columns: Int) -> String {
        let short = name.count > nameWidth ? String(name.prefix(nameWidth - 1)) + "…" : name
        let label = short + String(repeating: " ", count: nameWidth - short.count)
        let width = max(4, min(40, columns - nameWidth - 30))
        guard let share else { return "\(label) [\(String(repeating: "·", count: width))] \(note)" }
        let full = Int((Double(width) * min(max(share, 0), 1)).rounded(.down))
        let bar = String(repeating: "█", count: full) + String(repeating: "░", count: width - full)
        return "\(label) [\(bar)] \(note)"
    }
}
