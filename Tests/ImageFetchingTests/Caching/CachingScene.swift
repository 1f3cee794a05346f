import Foundation
import Testing

@testable import ImageFetching

/// One address, and a response from it that came at a fixed moment. Times are whole seconds after it came.
struct CachingScene {
    /// `Sun, 06 Nov 1994 08:49:37 GMT`.
    static let came: Int64 = 784_111_777 * second
    static let second: Int64 = 1_000_000_000
    static let date = "Sun, 06 Nov 1994 08:49:37 GMT"

    let url: URL

    init() throws { url = try #require(URL(string: "https://pictures.example/a.png")) }

    func request(_ headers: HTTPHeaders = [:]) -> FetchRequest { FetchRequest(url: url, headers: headers) }

    func head(_ status: Int? = 200, _ headers: HTTPHeaders, at address: URL? = nil) -> ResponseHead {
        ResponseHead(status: status, headers: headers, finalURL: address ?? url)
    }

    /// What is kept of a response that came at once, or as many seconds after it was asked for as `delay` says.
    func stored(
        _ headers: HTTPHeaders, for request: FetchRequest? = nil, delay: Int64 = 0, rule: FreshnessRule = .standard
    ) throws -> StoredResponse {
        try #require(
            HTTPCaching.stored(
                head(200, headers), for: request ?? self.request(), requestTime: Self.came - delay * Self.second,
                responseTime: Self.came, rule: rule))
    }

    /// The decision so many seconds after the response came.
    func decide(
        _ stored: StoredResponse?, _ wishes: HTTPHeaders = [:], after seconds: Int64, rule: FreshnessRule = .standard
    ) -> CachingDecision {
        HTTPCaching.decide(stored, for: request(wishes), rule: rule, now: Self.came + seconds * Self.second)
    }

    /// What is kept after a 304 that was asked for and came so many seconds after the first response.
    func refreshed(
        _ stored: StoredResponse, by headers: HTTPHeaders, status: Int = 304, at address: URL? = nil,
        for request: FetchRequest? = nil, after seconds: Int64 = 100
    ) -> StoredResponse? {
        let time = Self.came + seconds * Self.second
        return HTTPCaching.refreshed(
            stored, by: head(status, headers, at: address), for: request ?? self.request(), requestTime: time,
            responseTime: time)
    }
}
