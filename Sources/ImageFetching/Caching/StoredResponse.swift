/// What a cache knows of a response besides its bytes: enough to tell whether it is fresh, and to ask whether it still is.
public struct StoredResponse: Hashable, Sendable {
    /// The fields that are kept, in lower case.
    static let keptFields = [
        "age", "cache-control", "content-type", "date", "etag", "expires", "last-modified", "pragma", "vary",
    ]

    public let status: Int
    /// Those of ``keptFields`` that the response had.
    public let headers: HTTPHeaders
    /// When the request was sent and when its head came, in nanoseconds since 1970.
    public let requestTime: Int64
    public let responseTime: Int64
    /// Which address answered in the end, as something that can only be compared.
    let place: String
    /// The request's values of the fields that `Vary` names, as something that can only be compared; empty for a
    /// field that the request did not have (RFC 9111 §4.1).
    let varying: [String: String]

    let directives: CacheControl

    init(
        status: Int, headers: HTTPHeaders, requestTime: Int64, responseTime: Int64, place: String,
        varying: [String: String]
    ) {
        self.status = status
        self.headers = headers
        self.requestTime = requestTime
        self.responseTime = responseTime
        self.place = place
        self.varying = varying
        directives = CacheControl(headers)
    }

    /// The fields of the request that chose the response, sorted.
    public var varyingNames: [String] { varying.keys.sorted() }

    /// What the request said in them, as something that can only be compared.
    public var varyingValues: [String: String] { varying }

    /// Whether the origin can be asked with a condition: there is an `ETag` or a `Last-Modified`.
    public var hasValidator: Bool { headers["etag"] != nil || headers["last-modified"] != nil }
}

extension StoredResponse {
    private static let version = "http-cache"
    private static let varyPrefix = "vary-"

    /// As texts under names, for a cache to keep beside the bytes.
    public var fields: [String: String] {
        var fields = [
            Self.version: "1", "status": "\(status)", "request-time": "\(requestTime)",
            "response-time": "\(responseTime)", "place": place,
        ]
        for name in Self.keptFields { fields[name] = headers[name] }
        for (name, value) in varying { fields[Self.varyPrefix + name] = value }
        return fields
    }

    /// - Parameter fields: from ``fields``, others among them.
    /// - Returns: `nil` when they are not, or of another version.
    public init?(fields: [String: String]) {
        guard fields[Self.version] == "1", let status = fields["status"].flatMap({ Int($0) }),
            let requestTime = fields["request-time"].flatMap({ Int64($0) }),
            let responseTime = fields["response-time"].flatMap({ Int64($0) }), let place = fields["place"]
        else { return nil }
        var headers = HTTPHeaders()
        for name in Self.keptFields { if let value = fields[name] { headers.append(name, value) } }
        var varying: [String: String] = [:]
        for (name, value) in fields where name.hasPrefix(Self.varyPrefix) {
            varying[String(name.dropFirst(Self.varyPrefix.count))] = value
        }
        self.init(
            status: status, headers: headers, requestTime: requestTime, responseTime: responseTime, place: place,
            varying: varying)
    }
}
