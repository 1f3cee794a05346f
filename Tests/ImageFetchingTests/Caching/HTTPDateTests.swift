import Testing
import WebImageTesting

@testable import ImageFetching

/// RFC 9110 §5.6.7. Texts and seconds come from Python's `datetime`.
@Suite struct HTTPDateTests {
    /// Sat, 21 Nov 2026 08:49:37 GMT.
    private static let now: Int64 = 1_795_250_977

    private func seconds(_ text: String, now: Int64 = now) -> Int64? {
        HTTPDate.nanoseconds(from: text, now: now * 1_000_000_000).map { $0 / 1_000_000_000 }
    }

    @Test(
        "RFC 9110 §5.6.7: the fixed form and C's asctime form are read, and the fixed form is written",
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", "Sun Nov  6 08:49:37 1994", 784_111_777),
            ("Thu, 01 Jan 1970 00:00:00 GMT", "Thu Jan  1 00:00:00 1970", 0),
            ("Wed, 31 Dec 1969 23:59:59 GMT", "Wed Dec 31 23:59:59 1969", -1),
            ("Wed, 28 Feb 1900 23:59:59 GMT", "Wed Feb 28 23:59:59 1900", -2_203_891_201),
            ("Thu, 01 Mar 1900 00:00:00 GMT", "Thu Mar  1 00:00:00 1900", -2_203_891_200),
            ("Tue, 29 Feb 2000 12:00:00 GMT", "Tue Feb 29 12:00:00 2000", 951_825_600),
            ("Wed, 01 Mar 2000 00:00:00 GMT", "Wed Mar  1 00:00:00 2000", 951_868_800),
            ("Thu, 29 Feb 2024 23:59:59 GMT", "Thu Feb 29 23:59:59 2024", 1_709_251_199),
            ("Tue, 19 Jan 2038 03:14:08 GMT", "Tue Jan 19 03:14:08 2038", 2_147_483_648),
            ("Sun, 28 Feb 2100 23:59:59 GMT", "Sun Feb 28 23:59:59 2100", 4_107_542_399),
            ("Mon, 01 Mar 2100 00:00:00 GMT", "Mon Mar  1 00:00:00 2100", 4_107_542_400),
            ("Tue, 21 Sep 1677 00:12:44 GMT", "Tue Sep 21 00:12:44 1677", -9_223_372_036),
            ("Fri, 11 Apr 2262 23:47:16 GMT", "Fri Apr 11 23:47:16 2262", 9_223_372_036),
        ] as [(String, String, Int64)])
    func fixedAndAsctime(_ fixed: String, _ asctime: String, _ moment: Int64) {
        #expect(seconds(fixed) == moment)
        #expect(seconds(asctime) == moment)
        #expect(HTTPDate.string(moment * 1_000_000_000) == fixed)
    }

    @Test(
        "RFC 9110 §5.6.7: a year of two digits that lies more than 50 years ahead is the last one in the past",
        arguments: [
            ("Sunday, 06-Nov-94 08:49:37 GMT", now, 784_111_777),
            ("Thursday, 01-Jan-70 00:00:00 GMT", 0, 0),
            ("Saturday, 15-Jun-30 12:00:00 GMT", now, 1_907_755_200),
            // Exactly 50 years ahead, and a second more.
            ("Saturday, 21-Nov-76 08:49:37 GMT", now, 3_373_174_177),
            ("Sunday, 21-Nov-76 08:49:38 GMT", now, 217_414_178),
            ("Friday, 31-Dec-76 23:59:59 GMT", now, 220_924_799),
            ("Saturday, 01-Jan-77 00:00:00 GMT", now, 220_924_800),
            // Over the turn of a century, seen from 31 Dec 1999, 1 Jan 2000 and 31 Dec 2099.
            ("Saturday, 01-Jan-00 00:00:00 GMT", 946_684_799, 946_684_800),
            ("Friday, 31-Dec-99 23:59:59 GMT", 946_684_800, 946_684_799),
            ("Friday, 01-Jan-49 00:00:00 GMT", 946_684_799, 2_493_072_000),
            ("Sunday, 01-Jan-50 00:00:00 GMT", 946_684_799, -631_152_000),
            ("Friday, 01-Jan-00 00:00:00 GMT", 4_102_444_799, 4_102_444_800),
        ] as [(String, Int64, Int64)])
    func twoDigits(_ text: String, _ now: Int64, _ moment: Int64) {
        #expect(seconds(text, now: now) == moment)
    }

    @Test(
        "RFC 9110 §5.6.7: a leap second is the first of the next minute",
        arguments: ["Sat, 31 Dec 2016 23:59:60 GMT", "Saturday, 31-Dec-16 23:59:60 GMT", "Sat Dec 31 23:59:60 2016"])
    func leapSecond(_ text: String) {
        #expect(seconds(text) == 1_483_228_800)
    }

    @Test(
        "RFC 9111 §4.2: a cache reads dates without regard to case, and no zone but GMT",
        arguments: [
            "sun, 06 nov 1994 08:49:37 gmt", "SUN, 06 NOV 1994 08:49:37 GMT",
            "Sunday, 06-nov-94 08:49:37 Gmt", "SUN NOV  6 08:49:37 1994",
        ])
    func anyCase(_ text: String) {
        #expect(seconds(text) == 784_111_777)
    }

    @Test("Moments that 64 bits of nanoseconds cannot say are the first or the last that they can")
    func outOfRange() {
        for text in ["Fri, 11 Apr 2262 23:47:17 GMT", "Fri, 31 Dec 9999 23:59:59 GMT", "Fri Dec 31 23:59:59 9999"] {
            #expect(HTTPDate.nanoseconds(from: text, now: 0) == .max)
        }
        for text in ["Tue, 21 Sep 1677 00:12:43 GMT", "Mon, 01 Jan 1601 00:00:00 GMT", "Sat, 01 Jan 0000 00:00:00 GMT"]
        {
            #expect(HTTPDate.nanoseconds(from: text, now: 0) == .min)
        }
        #expect(HTTPDate.string(.max) == "Fri, 11 Apr 2262 23:47:16 GMT")
        #expect(HTTPDate.string(.min) == "Tue, 21 Sep 1677 00:12:43 GMT")
        for now in [Int64.min, .max] {
            for year in ["00", "12", "50", "62", "77", "99"] {
                #expect(HTTPDate.nanoseconds(from: "Sunday, 06-Nov-\(year) 08:49:37 GMT", now: now) != nil)
            }
        }
    }

    @Test(
        "RFC 9110 §5.6.7: what is none of the three forms is no date, nor is a day that its month does not have",
        arguments: [
            "", " ", "0", "-1", "784111777", "now", "Sun", "Sun, 06 Nov 1994", "08:49:37",
            "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 06 Nov 1994 08:49:37 +0000",
            "Sun, 06 Nov 1994 08:49:37 GMT+1", "Sun, 06 Nov 1994 08:49:37 GMT GMT", "06 Nov 1994 08:49:37 GMT",
            "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 32 Dec 1994 08:49:37 GMT", "Sun, 006 Nov 1994 08:49:37 GMT",
            "Sun, 31 Nov 1994 08:49:37 GMT", "Wed, 29 Feb 1900 00:00:00 GMT", "Sun, 29 Feb 2023 00:00:00 GMT",
            "Sun, 30 Feb 2024 00:00:00 GMT", "Sunday, 31-Nov-94 08:49:37 GMT", "Sun Nov 31 08:49:37 1994",
            "Sun, 06 Nop 1994 08:49:37 GMT", "Sun, 06 11 1994 08:49:37 GMT", "Sun, 06 November 1994 08:49:37 GMT",
            "Sun, 06 Nov 994 08:49:37 GMT", "Sun, 06 Nov 4 08:49:37 GMT", "Sun, 06 Nov 19940 08:49:37 GMT",
            "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:00 GMT", "Sun, 06 Nov 1994 08:49:61 GMT",
            "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT", "Sun, 06 Nov 1994 08:49:37.5 GMT",
            "Sun, 06 Nov 1994 08::37 GMT", "Sun, 06 Nov 1994 08:49:-1 GMT", "Sun, +6 Nov 1994 08:49:37 GMT",
            "Sun, ٠٦ Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 ０８:49:37 GMT", "1994-11-06T08:49:37Z",
            "Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:37 GMT", "\u{0}", "🦆, 06 Nov 🦆 08:49:37 🦆",
        ])
    func garbage(_ text: String) {
        #expect(HTTPDate.nanoseconds(from: text, now: Self.now * 1_000_000_000) == nil)
    }

    @Test("100,000 random moments come back from their text to the second")
    func roundTrip() {
        var generator = SeededGenerator(seed: 9110)
        for _ in 0..<100_000 {
            let moment = Int64.random(in: -9_223_372_036...9_223_372_036, using: &generator)
            let part = Int64.random(in: 0..<854_775_807, using: &generator)
            let text = HTTPDate.string(moment * 1_000_000_000 + part)
            guard text.utf8.count == 29, HTTPDate.nanoseconds(from: text, now: 0) == moment * 1_000_000_000 else {
                Issue.record("\(moment).\(part) is written as \(text)")
                return
            }
        }
    }
}
