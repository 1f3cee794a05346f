#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension HTTPCaching {
    /// What is to be kept of a response beside its bytes (RFC 9111 §3).
    ///
    /// - Parameters:
    ///   - head: of the response whose body is there in full.
    ///   - request: what was sent for it, with the fields that were added on the way.
    ///   - requestTime: when it was sent, in nanoseconds since 1970.
    ///   - responseTime: when the head came.
    /// - Returns: `nil` when it must not be kept: another status than 200 or 203, `no-store` on either side, or
    ///   `Vary: *`. Under ``FreshnessRule/lifetime(_:)`` only the status counts.
    public static func stored(
        _ head: ResponseHead, for request: FetchRequest, requestTime: Int64, responseTime: Int64, rule: FreshnessRule
    ) -> StoredResponse? {
        guard let status = head.status, status == 200 || status == 203 else { return nil }
        var isForced = false
        if case .lifetime = rule { isForced = true }
        guard isForced || !CacheControl(head.headers).noStore && !CacheControl(request.headers).noStore else {
            return nil
        }
        guard let names = variantFields(head.headers) ?? (isForced ? [] : nil) else { return nil }
        return StoredResponse(
            status: status, headers: kept(head.headers), requestTime: requestTime, responseTime: responseTime,
            place: Fingerprint.of(head.finalURL.absoluteString), varying: varying(names, in: request))
    }

    /// What is kept after the origin has said that nothing has changed (RFC 9111 §3.2 and §4.3.4).
    ///
    /// - Parameter head: of the 304.
    /// - Returns: the stored response with the new fields and times; `nil` when the 304 is about something else, another
    ///   version or another address, or forbids to keep it, so that the whole has to be fetched.
    public static func refreshed(
        _ stored: StoredResponse, by head: ResponseHead, for request: FetchRequest, requestTime: Int64,
        responseTime: Int64
    ) -> StoredResponse? {
        guard head.status == 304, stored.place == Fingerprint.of(head.finalURL.absoluteString) else { return nil }
        guard isAbout(stored, head.headers) else { return nil }
        var headers = stored.headers
        for field in kept(head.headers) { headers[field.name] = field.value }
        // They tell of one answer: an age that is not repeated is none any more, and a 304 without a date was made when
        // it came (RFC 9110 §6.6.1).
        for name in ["age", "date"] where head.headers[name] == nil { headers[name] = nil }
        // What was kept in spite of what it said may go on saying so.
        guard !CacheControl(headers).noStore || stored.directives.noStore,
            let names = variantFields(headers) ?? (variantFields(stored.headers) == nil ? [] : nil)
        else { return nil }
        return StoredResponse(
            status: stored.status, headers: kept(headers), requestTime: requestTime, responseTime: responseTime,
            place: stored.place, varying: varying(names, in: request))
    }

    /// Whether a 304 speaks of the version that is stored. The tag decides where both have one, else the date; a strong
    /// tag that is not known names another version (RFC 9111 §4.3.4).
    private static func isAbout(_ stored: StoredResponse, _ headers: HTTPHeaders) -> Bool {
        let tag = headers["ETag"]
        if let tag, let old = stored.headers["etag"] { return weaklyEqual(tag, old) }
        if let date = headers["Last-Modified"], let old = stored.headers["last-modified"] { return date == old }
        return tag?.hasPrefix("W/") ?? true
    }

    private static func kept(_ headers: HTTPHeaders) -> HTTPHeaders {
        var kept = HTTPHeaders()
        for name in StoredResponse.keptFields { if let value = headers[name] { kept.append(name, value) } }
        return kept
    }

    /// RFC 9110 §8.8.3.2.
    private static func weaklyEqual(_ left: String, _ right: String) -> Bool {
        func opaque(_ tag: String) -> Substring { tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...] }
        return opaque(left) == opaque(right)
    }
}
