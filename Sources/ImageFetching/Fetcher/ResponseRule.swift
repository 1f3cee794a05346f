/// Which responses give a resource. A pure function.
public struct ResponseRule: Sendable, Hashable {
    /// The statuses whose body is wanted. Default 200 and 203, the same from a proxy that has changed something. A part
    /// (206), nothing (204) and "not modified" (304) were not asked for and are never taken, whatever stands here.
    public var statusCodes: Set<Int>
    /// The media types that are taken, in lower case; `image/*` takes all of a kind. Default nil: any, as the bytes decide.
    /// A response that names no type is taken.
    public var mediaTypes: Set<String>?

    public init(statusCodes: Set<Int> = [200, 203], mediaTypes: Set<String>? = nil) {
        self.statusCodes = statusCodes
        self.mediaTypes = mediaTypes
    }

    /// - Returns: nil for a response that is wanted.
    func refusal(of head: ResponseHead, to request: FetchRequest) -> FetchError? {
        guard let status = head.status else { return nil }
        var place: String { request.url.redacted }
        if status == 304 {
            return request.isConditional
                ? nil
                : FetchError(
                    .protocolError, "\(place) answered \"not modified\" (304) although it was not asked that.",
                    head: head)
        }
        guard statusCodes.contains(status), ![204, 206].contains(status) else {
            return FetchError(
                .httpStatus, "\(place) answered with the status \(status).", isRetryable: Self.isRetryable(status),
                head: head)
        }
        let encoding = head.headers["Content-Encoding"]?.lowercased() ?? ""
        guard encoding.isEmpty || encoding == "identity" else {
            return FetchError(
                .unsupportedContentEncoding,
                "\(place) sent its body as \"\(encoding)\" although that was not asked for.",
                head: head)
        }
        guard accepts(head.mediaType) else {
            return FetchError(
                .unacceptableMediaType, "\(place) sent \"\(head.mediaType ?? "")\", which is not accepted.", head: head)
        }
        return nil
    }

    private func accepts(_ type: String?) -> Bool {
        guard let mediaTypes, let type else { return true }
        let kind = type.prefix { $0 != "/" }
        return mediaTypes.contains(type) || mediaTypes.contains("\(kind)/*") || mediaTypes.contains("*/*")
    }

    /// The statuses that mean "not now" (RFC 9110 §15.5.9 and §15.6, RFC 8470 §5.2, RFC 6585 §4).
    static func isRetryable(_ status: Int) -> Bool {
        status == 408 || status == 425 || status == 429 || (500...599).contains(status)
    }
}
