/// A line of `load --json`, as somebody else's program would read it.
struct LoadLine: Decodable {
    struct Failure: Decodable {
        let code: String
        let stage: String
        let message: String
        let retryable: Bool
    }
    let source: String
    let tier: String?
    let freshness: String?
    let attempts: Int?
    let hops: Int?
    let why: [String]?
    let format: String?
    let width: Int?
    let height: Int?
    let bytes: Int?
    let output: String?
    let timings: [String: Double]?
    let error: Failure?
}

/// A line of `prefetch --json`; the last has the figures.
struct PrefetchLine: Decodable {
    let source: String?
    let tier: String?
    let whyNotKept: String?
    let error: LoadLine.Failure?
    let loaded: Int?
    let notKept: Int?
    let failed: Int?
    let total: Int?
}

/// A line of `info --json`.
struct InfoLine: Decodable {
    struct Thumbnail: Decodable, Equatable {
        let bytes: Int
        let width: Int?
        let height: Int?
    }
    let format: String?
    let width: Int?
    let height: Int?
    let storedWidth: Int?
    let storedHeight: Int?
    let orientation: Int?
    let hasAlpha: Bool?
    let bitsPerComponent: Int?
    let color: String?
    let profile: String?
    let isHighDynamicRange: Bool?
    let hasGainMap: Bool?
    let isProgressive: Bool?
    let frames: Int?
    let durations: [Double]?
    let loopCount: Int?
    let isComplete: Bool?
    let pages: Int?
    let exifBytes: Int?
    let xmpBytes: Int?
    let profileBytes: Int?
    let thumbnail: Thumbnail?
    let bytes: Int?
    let error: LoadLine.Failure?
}

/// A line of `convert --json`.
struct ConvertLine: Decodable {
    let source: String
    let sourceFormat: String?
    let sourceBytes: Int?
    let tier: String?
    let format: String?
    let width: Int?
    let height: Int?
    let frames: Int?
    let exifBytes: Int?
    let xmpBytes: Int?
    let bytes: Int?
    let output: String?
    let error: LoadLine.Failure?
}

/// A line of `cache stats --json` and `cache clear --json`.
struct CacheLine: Decodable {
    let directory: String
    let entries: Int?
    let bytes: Int?
    let removedEntries: Int?
}

/// A line of `cache list --json`.
struct EntryLine: Decodable {
    let url: String
    let bytes: Int
    let mediaType: String?
    let storedAt: Int
    let lastUsed: Int
    let file: String
}

/// A line of `codecs --json`.
struct CodecLine: Decodable {
    let library: String
    let version: String
    let reads: [String]
    let writes: [String]
}
