/// Several responses under one address (RFC 9111 §4.1).
extension HTTPCaching {
    /// The fields of the request that chose the response, in lower case, sorted, each once.
    ///
    /// - Returns: `nil` for `Vary: *`: nothing that the request has can tell.
    public static func variantFields(_ headers: HTTPHeaders) -> [String]? {
        let names = headers.values(for: "Vary").flatMap { $0.split(separator: ",") }
            .map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
        return names.contains("*") ? nil : Set(names).subtracting([""]).sorted()
    }

    /// What the request says in those fields, as something that can only be compared.
    public static func varying(_ names: [String], in request: FetchRequest) -> [String: String] {
        var values: [String: String] = [:]
        for name in names { values[name] = request.headers[name].map { Fingerprint.of(normalized($0)) } ?? "" }
        return values
    }

    /// White space beside commas means nothing; the rest may.
    private static func normalized(_ value: String) -> String {
        value.split(separator: ",", omittingEmptySubsequences: false)
            .map { part in
                String(part.drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
            }
            .joined(separator: ",")
    }
}

extension StoredResponse {
    /// Whether the request would have been answered with this one.
    func matches(_ request: FetchRequest) -> Bool {
        varying == HTTPCaching.varying(Array(varying.keys), in: request)
    }
}
