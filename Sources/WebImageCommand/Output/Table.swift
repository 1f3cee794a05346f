/// Rows of text with aligned columns.
struct Table {
    /// How a column's cells stand.
    enum Alignment { case left, right }

    private let columns: [(title: String, alignment: Alignment)]
    private var rows: [[String]] = []

    init(_ columns: [(title: String, alignment: Alignment)]) {
        self.columns = columns
    }

    /// What a terminal would obey is made visible first, so that it takes part in the columns' widths.
    mutating func append(_ cells: [String]) {
        rows.append(cells.map(\.visible))
    }

    /// The title line, then one line for each row. No line ends in spaces.
    var lines: [String] {
        let all = [columns.map(\.title)] + rows
        let widths = columns.indices.map { column in all.map { $0.count > column ? $0[column].count : 0 }.max() ?? 0 }
        return all.map { row in
            let cells = columns.indices.map { column in
                let cell = row.count > column ? row[column] : ""
                let space = String(repeating: " ", count: widths[column] - cell.count)
                return columns[column].alignment == .left ? cell + space : space + cell
            }
            let line = cells.joined(separator: "  ")
            return String(line.reversed().drop { $0 == " " }.reversed())
        }
    }
}
