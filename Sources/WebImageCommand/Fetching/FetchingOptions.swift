import ArgumentParser
import WebImage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What every command takes that gets pictures.
struct FetchingOptions: ParsableArguments {
    @OptionGroup var cache: CacheLocation

    @Option(help: "How many downloads run at once.")
    var concurrency: Int = 6

    @Option(
        name: .customLong("header"),
        help: "A header to send, \"Name: value\"; as often as needed. No redirect takes it to another origin.")
    var headerFields: [HeaderArgument] = []

    @Option(help: "How often a download that fails for now is tried again; 0 for never.")
    var retry: Int = 2

    func validate() throws {
        guard (1...1_024).contains(concurrency) else { throw ValidationError("--concurrency goes from 1 to 1024.") }
        guard (0...100).contains(retry) else { throw ValidationError("--retry goes from 0 to 100.") }
    }

    /// A request with the headers of the command line.
    func request(_ url: URL, target: TargetSize? = nil, rule: FreshnessRule = .standard) -> ImageRequest {
        var headers = HTTPHeaders()
        var options = RequestOptions()
        for field in headerFields {
            headers.append(field.name, field.value)
            options.sensitiveHeaders.insert(field.name)
        }
        return ImageRequest(
            url: url, headers: headers, target: target, caching: CachePolicy(rule: rule), options: options)
    }
}

/// `Name: value`.
struct HeaderArgument: ExpressibleByArgument, Hashable {
    let name: String
    let value: String

    /// - Returns: nil unless the name is a token and the value has no control characters but the tab (RFC 9110 §5.1, §5.5).
    init?(argument: String) {
        guard let colon = argument.firstIndex(of: ":") else { return nil }
        name = String(argument[..<colon])
        value = argument[argument.index(after: colon)...].trimmed
        let isToken = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
            }
        }
        guard isToken, !name.isEmpty, !value.isEmpty, value.utf8.allSatisfy({ $0 == 9 || ($0 >= 32 && $0 != 127) })
        else { return nil }
    }
}
