/// The directives of a `Cache-Control` field (RFC 9111 §5.2, RFC 5861, RFC 8246).
///
/// Unknown directives are passed over, `s-maxage` and `private` among them: this is a private cache. Where one directive
/// comes twice the stricter counts, and a number that is none counts as 0 (§4.2.1 lets such a response be stale).
struct CacheControl: Hashable, Sendable {
    var noStore = false
    /// Also for `no-cache="field"`: leaving single fields out would save nothing.
    var noCache = false
    var mustRevalidate = false
    var immutable = false
    var onlyIfCached = false
    /// These are in seconds.
    var maxAge: Int64?
    var minFresh: Int64?
    /// `max-stale` without a number is any number.
    var maxStale: Int64?
    var staleWhileRevalidate: Int64?
    var staleIfError: Int64?

    init() {}

    /// - Parameter headers: of a request or a response. `Pragma: no-cache` counts where there is no `Cache-Control`
    ///   (§5.4).
    init(_ headers: HTTPHeaders) {
        let values = headers.values(for: "Cache-Control")
        if values.isEmpty, headers["Pragma"]?.lowercased().contains("no-cache") == true { noCache = true }
        for value in values {
            for (name, argument) in Self.directives(value) { take(name, argument) }
        }
    }

    private mutating func take(_ name: String, _ argument: String?) {
        func stricter(_ old: Int64?) -> Int64 { min(old ?? .max, Self.seconds(argument)) }
        switch name {
        case "no-store": noStore = true
        case "no-cache": noCache = true
        case "must-revalidate": mustRevalidate = true
        case "immutable": immutable = true
        case "only-if-cached": onlyIfCached = true
        case "max-age": maxAge = stricter(maxAge)
        case "min-fresh": minFresh = max(minFresh ?? 0, Self.seconds(argument))
        case "max-stale": maxStale = argument == nil ? maxStale ?? .max : stricter(maxStale)
        case "stale-while-revalidate": staleWhileRevalidate = stricter(staleWhileRevalidate)
        case "stale-if-error": staleIfError = stricter(staleIfError)
        default: break
        }
    }

    /// RFC 9111 §1.2.2: more than fits is as much as fits.
    private static func seconds(_ argument: String?) -> Int64 {
        guard let argument, !argument.isEmpty, argument.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return 0
        }
        return Int64(argument) ?? .max
    }

    /// The directives in lower case with their arguments, which may be quoted and then have commas.
    private static func directives(_ value: String) -> [(name: String, argument: String?)] {
        var result: [(String, String?)] = []
        var name = "", argument: String?
        var isQuoted = false, isEscaped = false
        func finish() {
            let word = name.filter { $0 != " " && $0 != "\t" }.lowercased()
            if !word.isEmpty { result.append((word, argument.map(HTTPHeaders.trimmed))) }
            (name, argument) = ("", nil)
        }
        for character in value {
            if isEscaped {
                argument?.append(character)
                isEscaped = false
            } else if isQuoted, character == "\\" {
                isEscaped = true
            } else if character == "\"" {
                isQuoted.toggle()
            } else if !isQuoted, character == "," {
                finish()
            } else if argument == nil, character == "=" {
                argument = ""
            } else if argument != nil {
                argument?.append(character)
            } else {
                name.append(character)
            }
        }
        // What is behind a quote that is never closed is no part of it.
        if isQuoted { return directives(value.filter { $0 != "\"" }) }
        finish()
        return result
    }
}
