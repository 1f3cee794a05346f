import ByteBuffers
import Foundation
import Testing

@testable import ImageFetching

@Suite struct ResumePointTests {
    private static func head(_ status: Int?, _ headers: HTTPHeaders, length: Int? = nil) -> ResponseHead {
        ResponseHead(status: status, headers: headers, expectedByteCount: length, finalURL: URL(filePath: "/"))
    }

    private static func bytes(_ count: Int) -> Bytes { Bytes([UInt8](repeating: 7, count: count)) }

    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    private static let minuteBefore = "Sun, 06 Nov 1994 08:48:37 GMT"

    @Test(
        "P30, RFC 9110 §14.4: Content-Range",
        arguments: [
            ("bytes 42-1233/1234", 42, 1_233, 1_234), ("BYTES 0-0/1", 0, 0, 1), ("bytes 42-1233/*", 42, 1_233, nil),
            ("bytes */1234", nil, nil, 1_234), ("bytes 0-9223372036854775806/9223372036854775807", 0, .max - 1, .max),
        ] as [(String, Int?, Int?, Int?)])
    func contentRange(text: String, first: Int?, last: Int?, total: Int?) throws {
        let content = try #require(ContentRange(text))
        #expect(content.range?.lowerBound == first && content.range?.upperBound == last && content.total == total)
    }

    @Test(
        "P30, RFC 9110 §14.4: a broken Content-Range, or one that contradicts itself, is none",
        arguments: [
            "", "bytes", "bytes ", "bytes 1-2", "bytes 2-1/3", "bytes 0-3/3", "bytes 0-9223372036854775807/*0",
            "bytes 0-9223372036854775808/*", "bytes 0-1/9223372036854775808", "bytes -1-2/3", "bytes +1-2/3",
            "bytes 1-2/", "bytes 1-2/3/4", "bytes 1-2-3/4", "bytes  1-2/3", "bytes=1-2/3", "items 1-2/3", "bytes */*",
            "bytes 1 - 2/3", "bytes -/3", "bytes 0x1-2/3", "bytes ١-٢/٣", "bytes 0-0/0",
        ])
    func brokenContentRange(text: String) {
        #expect(ContentRange(text) == nil)
    }

    private static let validatorRows: [(HTTPHeaders, String?)] = [
        (["ETag": "\"a\""], "\"a\""), (["ETag": "\"\""], "\"\""), (["ETag": "W/\"a\""], nil), (["ETag": "a"], nil),
        (["ETag": "\"a"], nil), (["ETag": "\""], nil), (["ETag": "\"a\"b\""], nil), (["ETag": "\"a b\""], nil),
        (["ETag": "\"a\"", "Etag": "\"b\""], nil), ([:], nil),
        // §8.8.2.2: a minute, and never without a Date.
        (["Last-Modified": minuteBefore, "Date": date], minuteBefore),
        (["Last-Modified": "Sun, 06 Nov 1994 08:48:38 GMT", "Date": date], nil),
        (["Last-Modified": date, "Date": minuteBefore], nil), (["Last-Modified": minuteBefore], nil),
        (["Last-Modified": "yesterday", "Date": date], nil),
        // §13.1.5: no date where there is a tag.
        (["ETag": "W/\"a\"", "Last-Modified": minuteBefore, "Date": date], nil),
        (["ETag": "\"a\"", "Last-Modified": minuteBefore, "Date": date], "\"a\""),
    ]

    @Test(
        "P30, RFC 9110 §8.8: only a strong validator shows that the bytes are the same", arguments: validatorRows)
    func validators(headers: HTTPHeaders, validator: String?) {
        let point = ResumePoint(head: Self.head(200, headers, length: 100), received: Self.bytes(40), minimum: 1)
        #expect(point?.partial.validator == validator)
        guard let validator else { return }
        #expect(point?.headers == ["Range": "bytes=40-", "If-Range": validator])
        #expect(point?.partial.total == 100)
    }

    @Test(
        "P30: what cannot be resumed is not",
        arguments: [
            (200, [:], 100, 40, true), (200, [:], nil, 40, true), (200, ["Accept-Ranges": "bytes"], 100, 40, true),
            (200, ["Accept-Ranges": "None"], 100, 40, false), (200, ["Content-Encoding": "gzip"], 100, 40, false),
            (200, ["Content-Encoding": "identity"], 100, 40, true), (200, [:], 100, 15, false),
            (200, [:], 100, 16, true), (200, [:], 100, 100, false), (200, [:], 100, 101, false),
            (404, [:], 100, 40, false), (nil, [:], 100, 40, false), (206, [:], 60, 40, false),
            (206, ["Content-Range": "bytes 20-99/100"], 80, 40, true),
            (206, ["Content-Range": "bytes 20-99/*"], 80, 40, true),
            (206, ["Content-Range": "bytes 41-99/100"], 59, 40, false),
            (206, ["Content-Range": "bytes 20-30/100"], 11, 40, false),
            (206, ["Content-Range": "bytes */100"], nil, 40, false),
            (206, ["Content-Range": "bytes 20-99/100", "Content-Type": "multipart/byteranges"], 80, 40, false),
        ] as [(Int?, HTTPHeaders, Int?, Int, Bool)])
    func resumable(status: Int?, headers: HTTPHeaders, length: Int?, received: Int, isResumable: Bool) {
        var headers = headers
        headers["ETag"] = "\"a\""
        let head = Self.head(status, headers, length: length)
        #expect((ResumePoint(head: head, received: Self.bytes(received), minimum: 16) != nil) == isResumable)
    }

    @Test("A kept start is checked before it is used")
    func keptStart() throws {
        func point(_ count: Int, _ validator: String, _ total: Int?, minimum: Int = 0) -> ResumePoint? {
            ResumePoint(PartialBody(bytes: Self.bytes(count), validator: validator, total: total), minimum: minimum)
        }
        #expect(point(1, "\"a\"", nil) != nil && point(1, Self.date, 2) != nil)
        #expect(point(0, "\"a\"", nil) == nil && point(2, "\"a\"", 2) == nil && point(2, "\"a\"", -1) == nil)
        #expect(point(5, "\"a\"", nil, minimum: 6) == nil)
        #expect(point(1, "W/\"a\"", nil) == nil && point(1, "\"a\r\nX: y\"", nil) == nil && point(1, "", nil) == nil)
        let first = try #require(point(10, "\"a\"", 30))
        let moved = try #require(first.moved(to: Self.bytes(20)))
        #expect(moved.headers["Range"] == "bytes=20-" && moved.partial.total == 30)
        #expect(moved.moved(to: Self.bytes(30)) == nil && moved.moved(to: Self.bytes(19)) == nil)
    }

    @Test(
        "P30 W027: the rest is joined only if it is exactly the rest of the same version (RFC 9110 §15.3.7)",
        arguments: [
            ("bytes 40-99/100", [:], 60, .continues), ("bytes 40-99/100", [:], nil, .continues),
            ("bytes 40-99/100", ["ETag": "\"a\""], 60, .continues),
            ("bytes 40-99/100", ["Last-Modified": date], 60, .continues),
            ("bytes 40-99/100", ["Content-Encoding": "identity"], 60, .continues),
            // Another version, by a server that drops If-Range.
            ("bytes 40-99/100", ["ETag": "\"b\""], 60, .refetch),
            ("bytes 40-99/100", ["ETag": "W/\"a\""], 60, .refetch),
            ("bytes 40-100/101", [:], 61, .refetch), ("bytes 40-98/99", [:], 59, .refetch),
            // Another place, or not all.
            ("bytes 39-99/100", [:], 61, .refetch), ("bytes 41-99/100", [:], 59, .refetch),
            ("bytes 0-99/100", [:], 100, .refetch), ("bytes 40-98/100", [:], 59, .refetch),
            ("bytes 40-99/*", [:], 60, .refetch), ("bytes 40-40/41", [:], 1, .refetch),
            // None, broken, two, a body that contradicts it.
            (nil, [:], 60, .refetch), ("bytes 40-99", [:], 60, .refetch), ("bytes */100", [:], 0, .refetch),
            ("bytes 40-99/100", ["content-range": "bytes 40-99/100"], 60, .refetch),
            ("bytes 40-99/100", [:], 59, .refetch),
            // Not the bytes as they are.
            ("bytes 40-99/100", ["Content-Encoding": "gzip"], 60, .refetch),
            ("bytes 40-99/100", ["Content-Type": "Multipart/ByteRanges; boundary=x"], 60, .refetch),
        ] as [(String?, HTTPHeaders, Int?, ResumePoint.Verdict)])
    func parts(range: String?, headers: HTTPHeaders, length: Int?, verdict: ResumePoint.Verdict) throws {
        var headers = headers
        if let range { headers.append("Content-Range", range) }
        let known = try #require(
            ResumePoint(PartialBody(bytes: Self.bytes(40), validator: "\"a\"", total: 100), minimum: 1))
        #expect(known.judge(Self.head(206, headers, length: length)) == verdict)
    }

    @Test("P30: with a date as validator the same rules hold, and a total that was not known may be learnt")
    func dateValidator() throws {
        let point = try #require(
            ResumePoint(PartialBody(bytes: Self.bytes(40), validator: Self.date, total: nil), minimum: 1))
        func verdict(_ headers: HTTPHeaders, _ range: String = "bytes 40-99/100") -> ResumePoint.Verdict {
            var headers = headers
            headers["Content-Range"] = range
            return point.judge(Self.head(206, headers))
        }
        #expect(verdict([:]) == .continues && verdict([:], "bytes 40-40/41") == .continues)
        #expect(verdict(["Last-Modified": Self.date]) == .continues)
        #expect(verdict(["Last-Modified": Self.minuteBefore]) == .refetch)
        #expect(verdict(["ETag": "\"b\"", "Last-Modified": Self.date]) == .refetch)
        #expect(verdict([:], "bytes 40-9223372036854775806/9223372036854775807") == .continues)
    }

    @Test(
        "P30: a whole body is used, 416 asks for one more request, other answers are what they are",
        arguments: [
            (200, .startsAnew), (412, .refetch), (416, .refetch), (204, .error), (304, .error), (401, .error),
            (404, .error), (429, .error), (500, .error), (503, .error), (nil, .error),
        ] as [(Int?, ResumePoint.Verdict)])
    func statuses(status: Int?, verdict: ResumePoint.Verdict) throws {
        let point = try #require(
            ResumePoint(PartialBody(bytes: Self.bytes(40), validator: "\"a\"", total: 100), minimum: 1))
        #expect(point.judge(Self.head(status, ["Content-Range": "bytes 40-99/100"])) == verdict)
    }
}
