import Foundation

/// The medians of one or more rounds, as the benchmark tool wrote them.
struct Results {
    private var medians: [String: [Double]] = [:]

    /// - Parameter folders: one a round, with files named `Current_run.TARGET.NAME.METRIC.histogram.percentiles.tsv`,
    ///   each of a heading and lines of a percentile and its value.
    init(folders: [URL]) throws {
        for folder in folders {
            for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
                let parts = file.lastPathComponent.split(separator: ".")
                guard parts.count == 7, parts[5] == "percentiles" else { continue }
                let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
                let median = lines.map { $0.split(separator: "\t") }.first { $0.count == 2 && $0[0] == "50" }
                guard let median, let value = Double(median[1]) else { continue }
                medians["\(parts[2]).\(parts[3])", default: []].append(value)
            }
        }
    }

    /// The median of the best round, nil when it was not measured.
    ///
    /// Other programs can only slow a round down, so the lowest of the medians is the least disturbed one.
    func median(_ name: String, _ metric: Metric) -> Double? {
        medians["\(name.replacing(" ", with: "_")).\(metric.rawValue)"]?.min().map { $0 / metric.divisor }
    }
}
