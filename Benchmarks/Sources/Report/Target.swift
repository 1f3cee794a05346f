/// What a benchmark's figure is held against.
enum Limit {
    /// The figure itself, in nanoseconds, bytes or pieces.
    case atMost(Double)
    /// As many times the control's figure.
    case timesControl(Double)
    /// So many nanoseconds above the control's figure.
    case aboveControl(Double)
    /// As many times another benchmark's figure.
    case times(String, Double)
    /// Only for people to look at.
    case none
}

/// One line of the report: a figure of a benchmark, and what it ought to be.
struct Target {
    let name: String
    let metric: Metric
    let limit: Limit

    init(_ name: String, _ limit: Limit, _ metric: Metric = .time) {
        self.name = name
        self.metric = metric
        self.limit = limit
    }

    /// The bare C program of the same work, in the same run.
    var control: String { name + " (C)" }
}

private let nanosecond = 1.0
private let microsecond = 1e3
private let millisecond = 1e6
private let megabyte = 1e6
private let mebibyte = 1_048_576.0

extension Target {
    /// In the order of the report. Benchmarks that are not named here are not shown.
    static let all: [Target] = [
        Target("memory hit", .atMost(60 * nanosecond)),
        Target("memory hit", .atMost(0), .allocations),
        Target("memory hit 1k", .atMost(60 * nanosecond)),
        Target("memory hit 100k", .atMost(60 * nanosecond)),
        Target("memory hit 1M", .atMost(60 * nanosecond)),
        Target("memory hit, threads 1", .none, .each),
        Target("memory hit, threads 2", .times("memory hit, threads 1", 1), .each),
        Target("memory hit, dictionary and list", .none),
        Target("memory hit, NSCache", .none),
        Target("memory insert and evict 1k", .none),
        Target("memory insert and evict 16k", .none),
        Target("memory insert and evict 16k, weak level", .none),
        Target("memory insert and evict 16k, p99", .atMost(2 * microsecond), .each),
        Target("memory insert and evict 16k, p99, weak level", .atMost(2 * microsecond), .each),
        Target("memory insert and evict 16k, dictionary and list", .none),
        Target("memory insert and evict 16k, NSCache", .none),
        Target("memory insert and evict 131k", .none),
        // Not below: a million entries do not fit into the processor's caches, a thousand do.
        Target("memory insert and evict 1M", .times("memory insert and evict 1k", 5)),

        Target("pipeline memory hit", .none),
        Target("pipeline memory hit", .atMost(0), .allocations),
        Target("request with its keys", .none),
        Target("show from memory", .atMost(1 * microsecond), .each),
        Target("show from memory", .none, .allocations),
        Target("show from memory, by address", .atMost(1 * microsecond), .each),
        Target("join running work", .atMost(300 * nanosecond)),
        Target("join running work", .none, .allocations),
        Target("miss to task handle", .atMost(2 * microsecond)),
        Target("miss to task handle", .atMost(6), .allocations),
        Target("200 callers, 5 sizes", .none),
        Target("200 callers, 5 sizes", .atMost(1), .requests),
        Target("200 callers, 5 sizes", .atMost(5), .decodes),

        Target("2,000 downloads of 100 KB", .none),

        Target("disk hit", .aboveControl(20 * microsecond)),
        Target("disk hit, Foundation", .none),
        Target("disk hit, SQLite", .none),
        Target("disk miss", .atMost(3 * microsecond)),
        Target("disk store", .atMost(0.4 * millisecond)),
        Target("disk store, Foundation", .none),
        Target("disk store, SQLite", .none),
        Target("disk store and evict 1k", .none),
        Target("disk store and evict 16k", .times("disk store and evict 1k", 1.5)),

        Target("decode JPEG 12 MP", .timesControl(1.05)),
        Target("decode progressive JPEG 12 MP", .timesControl(1.05)),
        Target("decode PNG 12 MP", .timesControl(1.05)),
        Target("decode WebP 12 MP", .timesControl(1.05)),
        Target("decode AVIF 12 MP", .timesControl(1.05)),
        Target("decode HEIC 12 MP", .timesControl(1.05)),
        Target("decode JPEG XL 12 MP", .timesControl(1.05)),
        Target("decode TIFF 12 MP", .timesControl(1.05)),
        Target("decode BMP 12 MP", .none),
        Target("decode SVG 2000 × 2000", .timesControl(1.05)),
        Target("decode PDF 2000 × 2000", .timesControl(1.05)),
        Target("previews JPEG 12 MP", .times("decode JPEG 12 MP", 2)),
        Target("previews progressive JPEG 12 MP", .times("decode progressive JPEG 12 MP", 2)),
        Target("previews PNG 12 MP", .times("decode PNG 12 MP", 2)),
        Target("previews WebP 12 MP", .times("decode WebP 12 MP", 2)),
        Target("previews JPEG XL 12 MP", .times("decode JPEG XL 12 MP", 2)),
        Target("play GIF, 60 frames", .atMost(125 * millisecond)),
        Target("play WebP, 60 frames", .atMost(145 * millisecond)),
        Target("tick on a held frame", .atMost(1 * microsecond)),
        Target("tick on a held frame", .none, .allocations),
        // A quarter of a core for 30 frames a second.
        Target("a second of WebP, no frame kept", .atMost(250 * millisecond), .each),
        Target("a second of WebP, all frames kept", .none, .each),
        // The budget and 15 % more.
        Target("50 players, memory", .atMost(1.15 * 64 * mebibyte), .footprint),
        Target("tiny JPEG", .atMost(0.5 * millisecond)),
        Target("tiny PNG", .atMost(0.5 * millisecond)),

        Target("thumbnail JPEG", .atMost(23 * millisecond)),
        Target("thumbnail memory JPEG", .atMost(20 * megabyte), .footprint),
        Target("thumbnail progressive JPEG", .atMost(18 * millisecond)),
        Target("thumbnail memory progressive JPEG", .none, .footprint),
        Target("thumbnail PNG", .atMost(135 * millisecond)),
        Target("thumbnail WebP", .atMost(73 * millisecond)),
        Target("thumbnail AVIF", .atMost(115 * millisecond)),
        Target("thumbnail memory JPEG 108 MP", .atMost(12 * mebibyte), .footprint),

        Target("resample 12 MP box", .none),
        Target("resample 12 MP Lanczos3", .none),

        Target("blur 2 MP", .none),
        Target("round corners 2 MP", .none),
    ]
}
