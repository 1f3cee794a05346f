import Testing

@testable import ImageFetching

/// RFC 5861 §4; RFC 9111 §4.2.4 and §4.3.3.
@Suite struct StaleOnErrorTests {
    let scene: CachingScene

    init() throws { scene = try CachingScene() }

    private func mayServe(
        _ directives: String, _ error: FetchError, after seconds: Int64, wish: String? = nil
    ) throws -> Bool {
        var request = FetchRequest(url: scene.url)
        request.headers["Cache-Control"] = wish
        return HTTPCaching.mayServeStale(
            try scene.stored(["Cache-Control": directives]), for: request, after: error,
            now: CachingScene.came + seconds * CachingScene.second)
    }

    private func answer(_ status: Int) -> FetchError {
        FetchError(.httpStatus, "The server says \(status).", head: scene.head(status, [:]))
    }

    @Test(
        "RFC 9111 §4.2.4 P36: without an answer it is used however old it is",
        arguments: [
            FetchError.Code.dns, .connectionFailed, .connectionLost, .timeout, .truncatedBody,
        ])
    func disconnected(_ code: FetchError.Code) throws {
        let error = FetchError(code, "No answer.")
        for directives in ["max-age=60", "max-age=0", "max-age=60, stale-if-error=1", "immutable"] {
            #expect(try mayServe(directives, error, after: 8_000_000_000))
        }
        for directives in ["max-age=60, must-revalidate", "max-age=60, no-cache", "stale-if-error=9, no-cache"] {
            #expect(try !mayServe(directives, error, after: 61))
        }
    }

    @Test(
        "RFC 9111 §4.2.4: an error that is no lost connection is told, not hidden behind what is stale",
        arguments: [
            FetchError.Code.invalidURL, .invalidHeader, .unsupportedScheme, .forbiddenAddress, .tls, .httpStatus,
            .bodyTooLarge, .headerTooLarge, .unsupportedContentEncoding, .protocolError, .redirectLoop,
            FetchError.Code(rawValue: "another"),
        ])
    func other(_ code: FetchError.Code) throws {
        #expect(try !mayServe("max-age=60, stale-if-error=99", FetchError(code, "No."), after: 61))
    }

    @Test(
        "RFC 5861 §4 P36: after a 5xx within stale-if-error, and not from its end on",
        arguments: [500, 502, 503, 504])
    func serverError(_ status: Int) throws {
        let error = answer(status)
        #expect(error.statusCode == status)
        #expect(try mayServe("max-age=60, stale-if-error=30", error, after: 60))
        #expect(try mayServe("max-age=60, stale-if-error=30", error, after: 89))
        #expect(try !mayServe("max-age=60, stale-if-error=30", error, after: 90))
        #expect(try mayServe("max-age=60, stale-if-error=99999999999999999999", error, after: 8_000_000_000))
        #expect(try !mayServe("max-age=60, stale-if-error", error, after: 60))
        #expect(try !mayServe("max-age=60, stale-if-error=soon", error, after: 60))
        // What is still fresh, and was asked for only because the request wanted it so.
        #expect(try mayServe("max-age=60", error, after: 59))
        #expect(try !mayServe("max-age=60", error, after: 60))
        for forbids in ["must-revalidate", "no-cache"] {
            #expect(try !mayServe("max-age=60, stale-if-error=30, \(forbids)", error, after: 61))
        }
    }

    @Test(
        "RFC 5861 §4: any other status is an answer",
        arguments: [301, 304, 400, 401, 403, 404, 408, 410, 429, 451, 501, 505, 511])
    func clientError(_ status: Int) throws {
        #expect(try !mayServe("max-age=60, stale-if-error=30", answer(status), after: 59))
        #expect(try !mayServe("max-age=60, stale-if-error=30", answer(status), after: 61))
    }

    @Test("RFC 5861 §4: the request may say stale-if-error as well, and its no-cache forbids what is stale")
    func wishes() throws {
        #expect(try mayServe("max-age=60", answer(503), after: 80, wish: "stale-if-error=30"))
        #expect(try !mayServe("max-age=60", answer(503), after: 90, wish: "stale-if-error=30"))
        #expect(try mayServe("max-age=60, stale-if-error=90", answer(503), after: 100, wish: "stale-if-error=1"))
        #expect(try !mayServe("max-age=60", FetchError(.dns, "No."), after: 61, wish: "no-cache"))
    }

    @Test("F30: an origin that is left alone counts as one that answers with errors")
    func leftAlone() throws {
        let error = FetchError(.originUnavailable, "Left alone.")
        #expect(try mayServe("max-age=60, stale-if-error=30", error, after: 80))
        #expect(try !mayServe("max-age=60", error, after: 80))
    }
}
