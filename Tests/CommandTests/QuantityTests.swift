import Testing

@testable import WebImageCommand

/// Sizes and lengths of time as they are typed.
@Suite struct QuantityTests {
    @Test(
        "sizes are read in both kinds of units",
        arguments: [
            ("0", 0), ("4096", 4_096), ("12b", 12), ("500MB", 500_000_000), ("500mb", 500_000_000),
            ("1.5GiB", 1_610_612_736), ("2K", 2_048), ("1M", 1 << 20), ("3kib", 3_072), ("1KB", 1_000),
            ("1TB", 1_000_000_000_000), ("4TiB", 4 << 40), ("0.5KiB", 512), ("8388607TiB", 8_388_607 << 40),
        ])
    func size(text: String, bytes: Int) {
        #expect(ByteCountArgument(argument: text)?.bytes == bytes)
    }

    @Test(
        "what is no size is refused",
        arguments: [
            "", "MB", "-1", "+1", "1 MB", "1.MB", ".5MB", "1.2.3", "1e3", "5PB", "5 000", "0x10", "٣MB", "nan", "inf",
            "9000000000000000000000", "8388608TiB", "1MBB",
        ])
    func noSize(text: String) {
        #expect(ByteCountArgument(argument: text) == nil)
    }

    @Test(
        "lengths of time are read, several in a row are added",
        arguments: [
            ("45s", 45), ("90m", 5_400), ("12h", 43_200), ("3d", 259_200), ("2w", 1_209_600), ("1d12h", 129_600),
            ("0s", 0), ("1.5h", 5_400), ("36525d", 3_155_760_000),
        ])
    func time(text: String, seconds: Int) {
        #expect(DurationArgument(argument: text)?.duration == .seconds(seconds))
    }

    @Test(
        "what is no length of time is refused",
        arguments: [
            "", "3", "d", "-3d", "3D", "3 d", "3dd", "d3", "1y", "3d4", "1e3s", "36526d", "99999999999999999999w",
        ])
    func noTime(text: String) {
        #expect(DurationArgument(argument: text) == nil)
    }

    @Test(
        "a host is itself and all hosts below it",
        arguments: [
            ("https://example.org/a.png", true), ("http://IMG.example.org:8080/?…", true),
            ("https://badexample.org/", false), ("https://example.org.evil.net/", false),
            ("https://evil.net/example.org", false), ("", false), ("https://user@example.org/a", true),
        ])
    func host(url: String, isIt: Bool) {
        #expect(EntrySelection.isHost("example.org", of: url) == isIt)
        #expect(!EntrySelection.isHost("0.0.1", of: "http://127.0.0.1/a"))
        #expect(EntrySelection.isHost("127.0.0.1", of: "http://127.0.0.1:81/a"))
    }

    @Test("an age is in its largest whole unit")
    func age() {
        #expect(
            [-5, 0, 59, 60, 3_599, 3_600, 86_399, 86_400, 864_000].map(Figures.age) == [
                "0s", "0s", "59s", "1m", "59m", "1h", "23h", "1d", "10d",
            ])
        #expect(Figures.count(1, "picture") == "1 picture" && Figures.count(0, "picture") == "0 pictures")
    }

    @Test("a walk says how far it is, after half a second and ten times a second at most")
    func progress() {
        let start = ContinuousClock.now
        var now = start
        var plan = WalkProgress.Plan(total: 1_000, start: start)
        var drawn: [String] = []
        for index in 0..<1_200 {
            now = start + .milliseconds(index)
            if let text = plan.step({ now }) { drawn.append(text) }
        }
        #expect(
            drawn.prefix(2) == ["512 of 1000 entries, 51 %", "640 of 1000 entries, 64 %"]
                && drawn.last == "1152 entries")
        #expect(drawn.count <= 7)
    }

    @Test("the first rows of a long list are kept, and no more than are needed")
    func topRows() {
        for order in EntryOrder.allCases {
            let rows = (0..<5_000).map { index in
                EntryRow(
                    url: "", bytes: index * 7 % 5_000, storedAt: index * 11 % 5_000, lastUsed: index * 13 % 5_000,
                    file: "\(index)")
            }
            var top = TopRows(order: order, limit: 10)
            for row in rows { top.add(row) }
            #expect(top.sorted == Array(rows.sorted(by: order.precedes).prefix(10)))
        }
    }
}

extension EntryRow {
    fileprivate init(url: String, bytes: Int, storedAt: Int, lastUsed: Int, file: String) {
        self.init(url: url, bytes: bytes, mediaType: nil, storedAt: storedAt, lastUsed: lastUsed, file: file)
    }
}
