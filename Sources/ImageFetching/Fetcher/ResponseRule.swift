/// Which responses give a resource. A pure function.
enum ResponseRule {
    /// - Returns: nil for a response whose body is wanted. Only a plain 200 is: a part (206), nothing (204) and
    ///   "not modified" (304) were not asked for.
    static func refusal(of head: ResponseHead, from place: String) -> FetchError? {
        guard let status = head.status else { return nil }
        guard status == 200 else {
            return FetchError(
                .httpStatus, "\(place) answered with the status \(status).", isRetryable: isRetryable(status),
                head: head)
        }
        let encoding = head.headers["Content-Encoding"]?.lowercased() ?? ""
        guard encoding.isEmpty || encoding == "identity" else {
            return FetchError(
                .unsupportedContentEncoding,
                "\(place) sent its body as \"\(encoding)\" although that was not asked for.",
                head: head)
        }
        return nil
    }

    /// The statuses that mean "not now" (RFC 9110 §15.5.9 and §15.6, RFC 8470 §5.2, RFC 6585 §4).
    static func isRetryable(_ status: Int) -> Bool {
        status == 408 || status == 425 || status == 429 || (500...599).contains(status)
    }
}
