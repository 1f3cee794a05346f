import Foundation

/// Prints what was measured beside what it ought to be.
///
///     Report FOLDER...        a folder for each round
@main
enum Report {
    static func main() throws {
        let results = try Results(folders: CommandLine.arguments.dropFirst().map { URL(filePath: $0) })
        let rows = Target.all.compactMap { row($0, results) }
        guard !rows.isEmpty else {
            print("There are no results.")
            return
        }
        let heading = ["benchmark", "median", "C control", "ratio", "target", ""]
        let widths = heading.indices.map { column in ([heading] + rows).map { $0[column].count }.max() ?? 0 }
        for row in [heading] + rows {
            let cells = zip(row, widths).enumerated().map { index, cell in
                let space = String(repeating: " ", count: cell.1 - cell.0.count)
                return index == 0 ? cell.0 + space : space + cell.0
            }
            print(cells.joined(separator: "  "))
        }
        let missed = rows.count { $0.last?.hasPrefix("missed") == true }
        print("\nTargets: \(rows.count { $0.last == "met" }) met, \(missed) missed.")
    }

    private static func row(_ target: Target, _ results: Results) -> [String]? {
        let metric = target.metric
        guard let value = results.median(target.name, metric) else { return nil }
        let control = results.median(target.control, metric)
        let ratio = control.flatMap { $0 > 0 ? String(format: "%.2f", value / $0) : nil }
        let (limit, said) = limit(of: target, control, results)
        // A figure is met as it is shown: half of a thousandth of a block is none.
        let verdict = limit.map { limit in
            if value <= limit + 0.0005 { return "met" }
            // Then it is the machine, or the library underneath, that does not allow for it.
            return (control ?? 0) > limit + 0.0005 ? "missed, C too" : "missed"
        }
        return [
            target.name + (metric == .time || metric == .each ? "" : ", \(metric)"), metric.text(value),
            control.map(metric.text) ?? "",
            ratio ?? "", said, verdict ?? "",
        ]
    }

    /// The limit as a figure, nil without one, and in words.
    private static func limit(of target: Target, _ control: Double?, _ results: Results) -> (Double?, String) {
        switch target.limit {
        case .atMost(let most): (most, "≤ \(target.metric.text(most))")
        case .timesControl(let factor): (control.map { $0 * factor }, "≤ \(factor) × C")
        case .aboveControl(let more): (control.map { $0 + more }, "≤ C + \(target.metric.text(more))")
        case .times(let name, let factor):
            (
                results.median(name, target.metric).map { $0 * factor },
                "≤ \(factor.formatted()) × \(difference(of: name, from: target.name))"
            )
        case .none: (nil, "")
        }
    }

    /// The words of a name that another one does not have.
    private static func difference(of name: String, from other: String) -> String {
        let known = other.split(separator: " ")
        return name.split(separator: " ").filter { !known.contains($0) }.joined(separator: " ")
    }
}
