/// Age and freshness (RFC 9111 §4.2). Times are nanoseconds; everything saturates.
extension StoredResponse {
    static let second: Int64 = 1_000_000_000
    /// Of the time since the last change, how much a response that says nothing stays fresh (§4.2.2), and between which
    /// bounds: a minute spares servers that say nothing at all, a day bounds the error.
    static let heuristicShare: Int64 = 10
    static let heuristicBounds: ClosedRange<Int64> = 60 * second...86_400 * second

    /// §4.2.1: `max-age`, else `Expires`, else a guess.
    var lifetime: Int64 {
        if let maxAge = directives.maxAge { return Self.nanoseconds(maxAge) }
        if let expires = headers["expires"] {
            // What cannot be read, "0" above all, is in the past (§5.3).
            guard let moment = HTTPDate.nanoseconds(from: expires, now: responseTime) else { return 0 }
            return max(0, moment.minusSaturating(date))
        }
        let unchanged = lastModified.map { max(0, date.minusSaturating($0)) } ?? 0
        return min(
            max(unchanged / Self.heuristicShare, Self.heuristicBounds.lowerBound), Self.heuristicBounds.upperBound)
    }

    /// §4.2.3, the corrected initial age: how old it was when it came.
    var initialAge: Int64 {
        let apparent = max(0, responseTime.minusSaturating(date))
        let delay = max(0, responseTime.minusSaturating(requestTime))
        return max(apparent, ageField.plusSaturating(delay))
    }

    /// §4.2.3. When the clock was set back past the response's time, the time since then counts as none.
    func age(at now: Int64) -> Int64 {
        initialAge.plusSaturating(max(0, now.minusSaturating(responseTime)))
    }

    /// How long it is still fresh; negative once it is stale.
    func freshness(at now: Int64) -> Int64 {
        // A clock that was set back further than the lifetime says nothing of the age: better ask.
        if responseTime.minusSaturating(now) > lifetime { return -1 }
        return lifetime.minusSaturating(age(at: now))
    }

    /// Until when it is fresh, in nanoseconds since 1970.
    public var freshUntil: Int64 {
        if directives.noCache || directives.noStore { return .min }
        return responseTime.plusSaturating(lifetime.minusSaturating(initialAge))
    }

    /// Until when it may be used while it is validated (RFC 5861 §3). Not before ``freshUntil``.
    public var usableWhileRevalidatingUntil: Int64 {
        guard let window = directives.staleWhileRevalidate, !directives.mustRevalidate, !directives.noCache else {
            return freshUntil
        }
        return freshUntil.plusSaturating(Self.nanoseconds(window))
    }

    /// Until when it may be used instead of an error (RFC 5861 §4). Not before ``freshUntil``.
    var usableInsteadOfErrorUntil: Int64 {
        guard let window = directives.staleIfError, !directives.mustRevalidate, !directives.noCache else {
            return freshUntil
        }
        return freshUntil.plusSaturating(Self.nanoseconds(window))
    }

    static func nanoseconds(_ seconds: Int64) -> Int64 {
        let (product, overflow) = seconds.multipliedReportingOverflow(by: second)
        return overflow ? (seconds > 0 ? .max : .min) : product
    }

    /// When it was made; when it came if it does not say (RFC 9110 §6.6.1).
    var date: Int64 { moment("date") ?? responseTime }

    var lastModified: Int64? { moment("last-modified") }

    /// RFC 9111 §5.1. What is no number counts as none.
    private var ageField: Int64 {
        guard let text = (headers["age"]?.split(separator: ",").first).map({ HTTPHeaders.trimmed(String($0)) }),
            !text.isEmpty,
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return 0 }
        return Self.nanoseconds(Int64(text) ?? .max)
    }

    private func moment(_ name: String) -> Int64? {
        headers[name].flatMap { HTTPDate.nanoseconds(from: $0, now: responseTime) }
    }
}

extension Int64 {
    func plusSaturating(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other > 0 ? .max : .min) : sum
    }

    func minusSaturating(_ other: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? (other > 0 ? .min : .max) : difference
    }
}
