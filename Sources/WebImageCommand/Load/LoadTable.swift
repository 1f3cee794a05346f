/// What became of all sources, for a person at a terminal: a row for each, with the reasons below it where they were asked
/// for, then the sentences of those that failed.
enum LoadTable {
    /// - Parameter columns: the terminal's width; long sources lose their beginning to fit.
    static func lines(_ records: [LoadRecord], columns: Int) -> [String] {
        let rows = records.map(row)
        let taken = rows.map { $0.dropFirst().reduce(0) { $0 + max(8, $1.count) + 2 } }.max() ?? 0
        let room = max(24, columns - taken)
        var table = Table([
            ("SOURCE", .left), ("FROM", .left), ("FORMAT", .left), ("SIZE", .right), ("BYTES", .right), ("MS", .right),
            ("OUTPUT", .left),
        ])
        for row in rows { table.append([shortened(row[0], to: room)] + row.dropFirst()) }
        let failures = records.compactMap { record in
            record.error.map { "\(shortened(record.source, to: room)): \($0.message)" }
        }
        let lines = table.lines
        return lines.prefix(1) + zip(lines.dropFirst(), records).flatMap { [$0] + $1.reasons } + failures
    }

    private static func row(_ record: LoadRecord) -> [String] {
        if let error = record.error { return [record.source, "failed", error.code, "", "", "", ""] }
        return [
            record.source, record.origin, record.format ?? "", "\(record.width ?? 0)×\(record.height ?? 0)",
            Figures.bytes(record.bytes ?? 0), Figures.tenths(record.timings?["total"] ?? 0), record.output ?? "",
        ]
    }

    /// The end of an address says more than its beginning.
    private static func shortened(_ text: String, to width: Int) -> String {
        text.count <= width ? text : "…" + text.suffix(width - 1)
    }
}
