#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Whether and how a redirect is followed. A pure function; nothing below it follows redirects.
struct RedirectPolicy: Sendable {
    /// The longest `Location` that is looked at, in bytes (RFC 9110 §4.1 asks for at least 8,000).
    static let maxLocationBytes = 8_192
    /// Fields that never go to another origin.
    static let sensitiveHeaders: Set<String> = ["authorization", "cookie", "proxy-authorization"]

    let maxRedirects: Int

    /// The statuses that name another address for a GET (RFC 9110 §15.4). 300, 304, 305 and 306 do not.
    static func isRedirect(_ status: Int?) -> Bool {
        switch status {
        case 301, 302, 303, 307, 308: true
        default: false
        }
    }

    /// The request that a redirect leads to.
    ///
    /// - Parameters:
    ///   - head: the redirect's head.
    ///   - request: what was asked.
    ///   - visited: every address so far, `request.url` last.
    func follow(
        _ head: ResponseHead, from request: FetchRequest, visited: [URL]
    ) throws(FetchError) -> FetchRequest {
        let place = request.url.redacted
        let locations = head.headers.values(for: "Location")
        guard let location = locations.first, !location.isEmpty, locations.count == 1 else {
            throw FetchError(.protocolError, "\(place) redirects without saying where to.", head: head)
        }
        guard location.utf8.count <= Self.maxLocationBytes else {
            throw FetchError(
                .protocolError, "\(place) redirects to an address of more than \(Self.maxLocationBytes) bytes.",
                head: head)
        }
        guard visited.count <= maxRedirects else {
            throw FetchError(
                .tooManyRedirects, "\(place) redirects again after \(maxRedirects) redirects, the most allowed.",
                head: head)
        }
        let target = try resolve(location, against: request.url, head: head)
        if request.url.scheme?.lowercased() == "https", target.scheme?.lowercased() == "http" {
            throw FetchError(.insecureRedirect, "\(place) redirects from https to http.", head: head)
        }
        if visited.contains(where: { $0.withoutFragment == target.withoutFragment }) {
            throw FetchError(
                .redirectLoop, "\(place) redirects back to \(target.redacted), which was visited already.", head: head)
        }
        var next = request
        next.url = target
        if Origin(target) != Origin(request.url) {
            let named = request.sensitiveHeaders.map { $0.lowercased() }
            next.headers = request.headers.removing(Self.sensitiveHeaders.union(named))
        }
        return next
    }

    /// RFC 3986 §5 and RFC 9110 §10.2.2: relative to the address that redirects, whose fragment stays unless there is
    /// another.
    private func resolve(_ location: String, against base: URL, head: ResponseHead) throws(FetchError) -> URL {
        guard let url = URL(string: location, relativeTo: base)?.absoluteURL,
            var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
        else {
            throw FetchError(.protocolError, "\(base.redacted) redirects to something that is no address.", head: head)
        }
        guard let scheme = parts.scheme?.lowercased(), scheme == "http" || scheme == "https" else {
            throw FetchError(
                .forbiddenRedirect, "\(base.redacted) redirects to the scheme \"\(parts.scheme ?? "")\".", head: head)
        }
        guard let host = parts.host, !host.isEmpty else {
            throw FetchError(.protocolError, "\(base.redacted) redirects to an address without a host.", head: head)
        }
        // A server must not choose the credentials that another one gets.
        if Origin(url) != Origin(base) {
            parts.user = nil
            parts.password = nil
        }
        if parts.fragment == nil {
            parts.percentEncodedFragment =
                URLComponents(url: base, resolvingAgainstBaseURL: true)?.percentEncodedFragment
        }
        guard let target = parts.url else {
            throw FetchError(.protocolError, "\(base.redacted) redirects to something that is no address.", head: head)
        }
        return target
    }
}

extension URL {
    fileprivate var withoutFragment: Substring { absoluteString.prefix { $0 != "#" } }
}
