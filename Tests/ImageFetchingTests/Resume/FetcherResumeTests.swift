import ByteBuffers
import Foundation
import Synchronization
import Testing
import WebImageTesting

@testable import ImageFetching

/// Bodies that break off, over real sockets: whatever the server does, the bytes are those of a fresh GET.
@Suite struct FetcherResumeTests {
    static let whole = (0..<200_000).map { UInt8(truncatingIfNeeded: ($0 &* 31) ^ ($0 >> 7)) }
    static let changed = (0..<210_000).map { UInt8(truncatingIfNeeded: ($0 &* 17) ^ ($0 >> 5)) }
    static let cut = 120_000
    static let old = "Mon, 05 Jan 2026 00:00:00 GMT", now = "Mon, 05 Jan 2026 10:00:00 GMT"

    let origin: OriginServer

    init() throws { origin = try OriginServer() }

    /// One row of the matrix: what the first response says of its version, how the server answers the rest, what the
    /// fetch must end with, and in how many requests.
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        var fields: [(String, String)] = [("ETag", "\"1\"")]
        var condition: String? = "\"1\""
        let rest: @Sendable (_ request: OriginRequest) -> OriginResponse
        var expected = FetcherResumeTests.whole
        var requests = 2
        var testDescription: String { name }
    }

    static func part(
        of body: [UInt8] = whole, from start: Int = cut, total: Int? = nil,
        _ fields: [(String, String)] = [("ETag", "\"1\"")]
    ) -> OriginResponse {
        OriginResponse(
            status: 206,
            headers: fields + [("Content-Range", "bytes \(start)-\(body.count - 1)/\(total ?? body.count)")],
            body: [.bytes(Array(body[start...]))])
    }

    static func full(_ body: [UInt8] = whole, _ tag: String = "\"1\"") -> OriginResponse {
        OriginResponse(headers: [("ETag", tag)], body: [.bytes(body)])
    }

    static let rows: [Row] = [
        Row(name: "strong tag, the rest comes", rest: { _ in part() }),
        Row(
            name: "old Last-Modified, the rest comes", fields: [("Last-Modified", old), ("Date", now)], condition: old,
            rest: { _ in part(of: whole, [("Last-Modified", old)]) }),
        Row(
            name: "weak tag: from the start", fields: [("ETag", "W/\"1\"")], condition: nil,
            rest: { _ in full(whole, "W/\"1\"") }),
        Row(name: "no validator: from the start", fields: [], condition: nil, rest: { _ in full() }),
        Row(
            name: "fresh Last-Modified: from the start", fields: [("Last-Modified", now), ("Date", now)],
            condition: nil,
            rest: { _ in full() }),
        Row(
            name: "ranges not accepted: from the start", fields: [("ETag", "\"1\""), ("Accept-Ranges", "none")],
            condition: nil, rest: { _ in full() }),
        Row(name: "range ignored: the whole comes", rest: { _ in full() }),
        Row(name: "changed: the new whole comes", rest: { _ in full(changed, "\"2\"") }, expected: changed),
        Row(
            name: "206 of another version: once more",
            rest: { $0["Range"] == nil ? full(changed, "\"2\"") : part(of: changed, [("ETag", "\"2\"")]) },
            expected: changed, requests: 3),
        Row(
            name: "206 from another place: once more", rest: { $0["Range"] == nil ? full() : part(from: cut + 1) },
            requests: 3),
        Row(
            name: "206 with another total: once more", rest: { $0["Range"] == nil ? full() : part(total: 300_000) },
            requests: 3),
        Row(
            name: "206 that does not say which part: once more",
            rest: { $0["Range"] == nil ? full() : OriginResponse(status: 206, body: [.bytes(Array(whole[cut...]))]) },
            requests: 3),
        Row(
            name: "206 in several parts: once more",
            rest: { request in
                request["Range"] == nil
                    ? full()
                    : OriginResponse(
                        status: 206, headers: [("Content-Type", "multipart/byteranges; boundary=x")],
                        body: [.bytes(Array("--x--".utf8))])
            }, requests: 3),
        Row(name: "416: once more", rest: { $0["Range"] == nil ? full() : .status(416) }, requests: 3),
    ]

    private func fetcher(_ partials: (any PartialBodyStore)? = nil, attempts: Int = 3) -> Fetcher {
        var configuration = Fetcher.Configuration()
        configuration.timeout = FetchLimits.patient().timeout
        configuration.retry.maxAttempts = attempts
        return Fetcher(
            configuration: configuration, transports: [CurlTransport(configuration: .init(proxy: .none))],
            partials: partials, sleep: { _ in })
    }

    /// The first request breaks off, the others are answered by the row.
    private func serve(_ row: Row) {
        origin.route("/a") { request in
            guard request.ordinal > 0 else {
                return OriginResponse(
                    headers: row.fields, framing: .declared("\(Self.whole.count)"),
                    body: [.bytes(Array(Self.whole[..<Self.cut])), .close])
            }
            return row.rest(request)
        }
    }

    @Test("P30 W027 F31: a body that broke off within a fetch: the bytes of a fresh GET", arguments: rows)
    func withinAFetch(_ row: Row) async throws {
        serve(row)
        let resource = try await fetcher().fetch(FetchRequest(url: origin.url("/a")))
        #expect(resource.bytes.array == row.expected && resource.head.status == 200)
        let requests = origin.record.requests
        #expect(requests.count == row.requests)
        #expect(requests[1]["If-Range"] == row.condition)
        #expect(requests[1]["Range"] == row.condition.map { _ in "bytes=\(Self.cut)-" })
    }

    @Test("P30 W027: a body that broke off for good: a later fetch goes on from there", arguments: rows)
    func laterFetch(_ row: Row) async throws {
        serve(row)
        let partials = PartialsInMemory()
        let request = FetchRequest(url: origin.url("/a"))
        await #expect(throws: FetchError.self) { _ = try await fetcher(partials, attempts: 1).fetch(request) }
        #expect(partials.partial(for: request)?.bytes.count == row.condition.map { _ in Self.cut })
        let resource = try await fetcher(partials, attempts: 1).fetch(request)
        #expect(resource.bytes.array == row.expected)
        #expect(origin.record.requests.count == row.requests)
        #expect(partials.partial(for: request) == nil)
    }

    @Test("P30: it breaks off twice: the third attempt has the rest of the rest")
    func twice() async throws {
        let second = 160_000
        origin.route("/a") { request in
            switch request.ordinal {
            case 0:
                OriginResponse(
                    headers: [("ETag", "\"1\"")], framing: .declared("\(Self.whole.count)"),
                    body: [.bytes(Array(Self.whole[..<Self.cut])), .close])
            case 1:
                OriginResponse(
                    status: 206, headers: [("Content-Range", "bytes \(Self.cut)-199999/200000")],
                    framing: .declared("80000"), body: [.bytes(Array(Self.whole[Self.cut..<second])), .reset])
            default: Self.part(from: second)
            }
        }
        let resource = try await fetcher().fetch(FetchRequest(url: origin.url("/a")))
        #expect(resource.bytes.array == Self.whole && resource.attempts == 3)
        #expect(origin.record.requests.map { $0["Range"] } == [nil, "bytes=\(Self.cut)-", "bytes=\(second)-"])
    }

    @Test("P30 P6: what a cancelled fetch had received is kept, and used by the next")
    func cancelled() async throws {
        origin.route("/a") { request in
            request.ordinal > 0
                ? Self.part()
                : OriginResponse(
                    headers: [("ETag", "\"1\"")], framing: .declared("\(Self.whole.count)"),
                    body: [.bytes(Array(Self.whole[..<Self.cut])), .stall])
        }
        let partials = PartialsInMemory()
        let fetcher = fetcher(partials)
        let request = FetchRequest(url: origin.url("/a"))
        let received = Tally()
        let work = Task {
            try? await fetcher.fetch(request, onProgress: { if $0.received > 0 { received.add() } })
        }
        // Progress is reported for what lies before a piece, so the origin's own count is the better sign.
        await origin.waitUntil { $0.bytesSent >= Self.cut }
        work.cancel()
        _ = await work.value
        let resource = try await fetcher.fetch(request)
        #expect(resource.bytes.array == Self.whole)
    }

    @Test("P30: a beginning that is not worth it is not kept, nor the part of a part that was asked for")
    func notKept() async throws {
        let partials = PartialsInMemory()
        origin.route(
            "/short",
            OriginResponse(
                headers: [("ETag", "\"1\"")], framing: .declared("9000"), body: [.bytes([1, 2, 3]), .close]))
        origin.route(
            "/a",
            OriginResponse(
                headers: [("ETag", "\"1\"")], framing: .declared("200000"),
                body: [.bytes(Array(Self.whole[..<Self.cut])), .close]))
        let asked = FetchRequest(url: origin.url("/a"), headers: ["Range": "bytes=0-"])
        for request in [FetchRequest(url: origin.url("/short")), asked] {
            await #expect(throws: FetchError.self) { _ = try await fetcher(partials, attempts: 1).fetch(request) }
            #expect(partials.partial(for: request) == nil)
        }
    }
}

/// Partial bodies in a dictionary.
private final class PartialsInMemory: PartialBodyStore {
    private let kept = Mutex<[FetchRequest: PartialBody]>([:])

    func partial(for request: FetchRequest) -> PartialBody? { kept.withLock { $0[request] } }
    func keep(_ partial: PartialBody, for request: FetchRequest) { kept.withLock { $0[request] = partial } }
    func remove(for request: FetchRequest) { kept.withLock { $0[request] = nil } }
}
