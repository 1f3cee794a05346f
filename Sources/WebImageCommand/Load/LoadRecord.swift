import WebImage

/// What became of one source: a line of `--json`, and a row of the table.
struct LoadRecord: Encodable, Sendable {
    /// Why it failed.
    struct Failure: Encodable, Sendable {
        let code: String
        let stage: String
        let message: String
        let retryable: Bool

        init(_ error: ImageError) {
            code = error.code.rawValue
            stage = error.stage.rawValue
            message = error.message
            retryable = error.isRetryable
        }
    }

    let source: String
    var tier: String?
    /// Whether it is still right: `fresh`, `revalidated` or `stale`.
    var freshness: String?
    /// Requests that were made for it, and addresses that were asked, redirects among them.
    var attempts: Int?
    var hops: Int?
    /// Why it came from there, in sentences; only where that was asked for.
    var why: [String]?
    var format: String?
    var width: Int?
    var height: Int?
    /// Bytes of the original.
    var bytes: Int?
    /// Where the picture was written, if it was.
    var output: String?
    /// Milliseconds by stage.
    var timings: [String: Double]?
    var error: Failure?

    init(source: String, response: ImageResponse, explain: Bool = false) {
        self.source = source
        tier = response.tier.rawValue
        freshness = response.freshness.rawValue
        attempts = response.trail.attempts
        hops = response.trail.hops
        why = explain ? response.trail.sentences(tier: response.tier) : nil
        format = response.info.format.name
        width = response.bitmap.width
        height = response.bitmap.height
        bytes = response.byteCount
        timings = response.timings.milliseconds
    }

    init(source: String, error: ImageError) {
        self.source = source
        self.error = Failure(error)
    }

    var isFailure: Bool { error != nil }

    /// Where it came from, and how right it is where that has to be said: `disk, stale`.
    var origin: String {
        [tier, freshness == ResponseFreshness.fresh.rawValue ? nil : freshness].compactMap(\.self).joined(
            separator: ", ")
    }

    /// The sentences that say why, one a line.
    var reasons: [String] { (why ?? []).map { "    \($0)" } }

    /// One line for people.
    var line: String {
        if let error { return "failed   \(source): \(error.message)" }
        let size = "\(width ?? 0)×\(height ?? 0)"
        let destination = output.map { " → \($0)" } ?? ""
        let total = Figures.tenths(timings?["total"] ?? 0)
        return
            "\(origin)  \(format ?? "") \(size)  \(Figures.bytes(bytes ?? 0))  \(total) ms  \(source)\(destination)"
    }
}

extension StageTimings {
    /// The stages that happened, in milliseconds.
    fileprivate var milliseconds: [String: Double] {
        var result = ["total": Figures.milliseconds(total)]
        for (name, duration) in [
            ("disk", disk), ("tiers", tiers), ("fetch", fetch), ("queue", queue), ("decode", decode),
        ] {
            if let duration { result[name] = Figures.milliseconds(duration) }
        }
        return result
    }
}
