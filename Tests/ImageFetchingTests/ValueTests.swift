import Testing

@testable import ImageFetching

@Suite struct ValueTests {
    @Test("Header names know no case, and keep their order") func headers() {
        var headers: HTTPHeaders = ["Accept": "a", "X-Two": " 1 ", "accept": "b"]
        #expect(headers["ACCEPT"] == "a, b" && headers["x-two"] == "1" && headers["none"] == nil)
        #expect(headers.values(for: "Accept") == ["a", "b"])
        headers["accept"] = "c"
        #expect(headers.map(\.value) == ["c", "1"])
        headers["X-Two"] = nil
        #expect(headers == ["ACCEPT": "c"] && headers != ["ACCEPT": "C"])
    }

    @Test("C158: no more than one report for each interval, but always the first and the last") func throttle() {
        var throttle = ProgressThrottle(interval: .milliseconds(100))
        let start = ContinuousClock.now
        var passed: [Int] = []
        for step in 0...1_000 {
            let progress = FetchProgress(received: step, expected: 1_001)
            if let report = throttle.report(progress, at: start + .milliseconds(step)) {
                passed.append(report.received)
            }
        }
        #expect(passed == stride(from: 0, through: 1_000, by: 100).map { $0 })
        #expect(throttle.finish(FetchProgress(received: 1_001, expected: 1_001))?.fraction == 1)
        #expect(throttle.finish(FetchProgress(received: 1_001, expected: 1_001)) == nil)
        #expect(throttle.report(FetchProgress(received: 5, expected: nil), at: start + .seconds(9)) == nil)
    }
}
