public import ImageFetching

/// Why a picture came from where it came: what each cache had, what was decided, and what the origin said.
public struct LoadTrail: Hashable, Sendable {
    /// What a cache had.
    public enum Finding: String, Hashable, Sendable {
        /// It was not looked at: the request does not read it, or another cache had the picture.
        case notAsked
        case missing
        case found
    }

    /// The disk cache's part.
    public internal(set) var disk = Finding.notAsked
    /// The part of the tiers behind the disk.
    public internal(set) var tiers = Finding.notAsked
    /// Why what was cached was used or not; `nil` where caching plays no part, for `file:` and `data:`.
    public internal(set) var reason: CachingReason?
    /// Whether the origin was asked with a condition.
    public internal(set) var isConditional = false
    /// The status of the origin's answer; `nil` when it was not asked, or gave none.
    public internal(set) var status: Int?
    /// Requests that were made, earlier attempts among them.
    public internal(set) var attempts = 0
    /// Addresses that were asked, redirects among them.
    public internal(set) var hops = 0
    /// How long the last request waited for its download slot.
    public internal(set) var wait: Duration = .zero
    /// Why the origin gave no answer, when a stale picture stands in for it.
    public internal(set) var error: FetchError? {
        get { failure?.error }
        set { failure = newValue.map { Failure($0) } }
    }

    /// Rare and large, so it is kept apart.
    private var failure: Failure?

    private final class Failure: Hashable, Sendable {
        let error: FetchError

        init(_ error: FetchError) { self.error = error }

        static func == (left: Failure, right: Failure) -> Bool { left.error == right.error }

        func hash(into hasher: inout Hasher) { hasher.combine(error) }
    }

    init() {}

    init(reason: CachingReason) {
        self.reason = reason
    }

    /// Sentences for people, in order.
    ///
    /// - Parameter tier: where the picture came from.
    public func sentences(tier: SourceTier) -> [String] {
        var sentences: [String] = []
        switch tier {
        case .memory: sentences.append("It was in memory: \(reason?.description ?? "it does not grow old").")
        case .local: sentences.append("It is on this machine; no cache was asked.")
        case .disk, .shared, .network:
            sentences.append("It was not in memory, or not fresh there.")
            switch disk {
            case .notAsked: sentences.append("The disk cache was not asked.")
            case .missing: sentences.append("The disk cache did not have it.")
            case .found where tiers == .found: sentences.append("The disk cache had an older one.")
            case .found: sentences.append("The disk cache had it: \(reason?.description ?? "").")
            }
            switch tiers {
            case .notAsked: break
            case .missing: sentences.append("No tier behind the disk had a newer one.")
            case .found: sentences.append("A tier behind the disk had it: \(reason?.description ?? "").")
            }
            if attempts > 0 || status != nil || error != nil { sentences.append(origin) }
        }
        return sentences
    }

    private var origin: String {
        let how = isConditional ? "asked whether it has changed" : "asked for it"
        let tries = attempts > 1 ? ", \(attempts) times" : ""
        let way = hops > 1 ? " over \(hops - 1) redirect\(hops > 2 ? "s" : "")" : ""
        if let error { return "The origin was \(how)\(tries), and failed: \(error.message) What was stored stood in." }
        let answer = status.map { $0 == 304 ? "it has not (304)" : "status \($0)" } ?? "no status"
        return "The origin was \(how)\(tries)\(way): \(answer)."
    }
}
