import ByteBuffers

/// From where a broken download can go on, and whether a response does go on from there (RFC 9110 §14 and §13.1.5).
struct ResumePoint: Sendable, Hashable {
    /// What to do with the response to a request that asked for the rest.
    enum Verdict: Sendable, Hashable {
        /// Its body is exactly the rest.
        case continues
        /// Its body is the whole: the resource has changed, or the server does not know ranges.
        case startsAnew
        /// It is of no use, and nothing was wrong with the resource: throw the start away and ask once without a range.
        case refetch
        /// An answer like any other, to be judged by the rules for all.
        case error
    }

    /// What came so far.
    let partial: PartialBody

    /// - Parameters:
    ///   - head: of the response that broke off: a 200, or a 206 that went on from an earlier start.
    ///   - received: the body from its first byte, not only what this response brought.
    ///   - minimum: fewer bytes are not worth a second request.
    /// - Returns: nil where the download cannot be resumed.
    init?(head: ResponseHead, received: Bytes, minimum: Int) {
        guard let validator = StrongValidator.of(head.headers), Self.isPlain(head),
            head.headers["Accept-Ranges"]?.lowercased() != "none"
        else { return nil }
        let total: Int?
        switch head.status {
        case 200:
            total = head.expectedByteCount
        case 206:
            guard let content = Self.contentRange(head), let range = content.range,
                range.lowerBound <= received.count, received.count - 1 <= range.upperBound
            else { return nil }
            total = content.total
        default: return nil
        }
        self.init(PartialBody(bytes: received, validator: validator, total: total), minimum: minimum)
    }

    /// - Returns: nil for a start that is too small or whole already, or whose validator may not be sent.
    init?(_ partial: PartialBody, minimum: Int) {
        let count = partial.bytes.count
        guard count >= max(1, minimum), count < partial.total ?? .max, StrongValidator.isUsable(partial.validator)
        else { return nil }
        self.partial = partial
    }

    /// The point after more has come: a 206 need not repeat the date it was asked by (RFC 9110 §15.3.7).
    ///
    /// - Parameter received: the body from its first byte.
    func moved(to received: Bytes) -> ResumePoint? {
        ResumePoint(
            PartialBody(bytes: received, validator: partial.validator, total: partial.total),
            minimum: partial.bytes.count)
    }

    /// The fields that ask for the rest, and for the whole should the resource have changed.
    var headers: HTTPHeaders {
        ["Range": "bytes=\(partial.bytes.count)-", "If-Range": partial.validator]
    }

    func judge(_ head: ResponseHead) -> Verdict {
        switch head.status {
        case 200: .startsAnew
        case 206: isTheRest(head) ? .continues : .refetch
        // 412 is wrong for an `If-Range`, but it is the condition that was refused, not the resource.
        case 412, 416: .refetch
        default: .error
        }
    }

    private func isTheRest(_ head: ResponseHead) -> Bool {
        let count = partial.bytes.count
        guard Self.isPlain(head), hasSameValidator(head.headers),
            let content = Self.contentRange(head), let range = content.range, let total = content.total,
            range == count...max(count, total - 1), total == partial.total ?? total
        else { return false }
        return total - count == head.expectedByteCount ?? total - count
    }

    /// Whether the response speaks of no other version. It may be silent.
    private func hasSameValidator(_ headers: HTTPHeaders) -> Bool {
        let tags = headers.values(for: "ETag")
        guard tags.isEmpty else { return tags == [partial.validator] }
        guard !StrongValidator.isStrongTag(partial.validator) else { return true }
        return headers["Last-Modified"].map { $0 == partial.validator } ?? true
    }

    private static func contentRange(_ head: ResponseHead) -> ContentRange? {
        let values = head.headers.values(for: "Content-Range")
        return values.count == 1 ? ContentRange(values[0]) : nil
    }

    /// Whether the body is the resource's bytes, one after the other.
    private static func isPlain(_ head: ResponseHead) -> Bool {
        let encoding = head.headers["Content-Encoding"]?.lowercased() ?? ""
        return (encoding.isEmpty || encoding == "identity") && head.mediaType?.hasPrefix("multipart/") != true
    }
}
