import ArgumentParser
import WebImage

/// One entry in a list: a line of `--json`, and a row of the table.
struct EntryRow: Encodable, Equatable {
    /// Without user, password and query.
    let url: String
    let bytes: Int
    let mediaType: String?
    /// Seconds since 1970.
    let storedAt: Int
    let lastUsed: Int
    let file: String
}

extension EntryRow {
    init(_ entry: CacheEntrySummary) {
        url = entry.metadata["url"] ?? ""
        bytes = entry.byteCount
        // A finished picture is in a format of its own, whatever the original was.
        mediaType = entry.metadata["result-format"] ?? entry.metadata["content-type"]
        storedAt = Int(entry.storedAt / 1_000_000_000)
        lastUsed = Int(entry.lastUsed / 1_000_000_000)
        file = entry.fileName
    }

    /// - Parameter now: nanoseconds since 1970.
    static func table(_ rows: [EntryRow], now: Int64) -> Table {
        var table = Table([("BYTES", .right), ("AGE", .right), ("USED", .right), ("TYPE", .left), ("URL", .left)])
        let now = Int(now / 1_000_000_000)
        for row in rows {
            table.append([
                Figures.bytes(row.bytes), Figures.age(now - row.storedAt), Figures.age(now - row.lastUsed),
                row.mediaType ?? "", row.url,
            ])
        }
        return table
    }
}

/// What a list is sorted by.
enum EntryOrder: String, ExpressibleByArgument, CaseIterable {
    case size, age, used

    /// Whether one comes before the other. The file's name decides between equals, so that every list is the same.
    func precedes(_ left: EntryRow, _ right: EntryRow) -> Bool {
        switch self {
        case .size: (right.bytes, left.file) < (left.bytes, right.file)
        case .age: (left.storedAt, left.file) < (right.storedAt, right.file)
        case .used: (left.lastUsed, left.file) < (right.lastUsed, right.file)
        }
    }
}

/// The first rows of a list that is longer, without keeping all of it.
struct TopRows {
    private let order: EntryOrder?
    private let limit: Int?
    private var rows: [EntryRow] = []

    init(order: EntryOrder?, limit: Int?) {
        self.order = order
        self.limit = limit
    }

    mutating func add(_ row: EntryRow) {
        rows.append(row)
        if let limit, rows.count >= max(1_024, limit.multipliedReportingOverflow(by: 2).partialValue) { rows = sorted }
    }

    var sorted: [EntryRow] {
        let all = order.map { rows.sorted(by: $0.precedes) } ?? rows
        return limit.map { Array(all.prefix($0)) } ?? all
    }
}
