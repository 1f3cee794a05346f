import Testing

@testable import ImageFetching

/// RFC 6265 §5.1.1. The seconds come from `date -u -d … +%s`.
@Suite struct CookieDateTests {
    @Test(
        "Dates are read in whatever form servers write them",
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
            ("Sun Nov  6 08:49:37 1994", 784_111_777), ("06 Nov 1994 8:49:37", 784_111_777),
            ("1994 06 nOVember 08:49:37 UTC+5", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            ("Wed, 09-Jun-2021 10:18:14 GMT", 1_623_233_894), ("29 Feb 2000 12:00:00", 951_825_600),
            ("1 Jan 69 0:0:0", 3_124_224_000), ("1 Jan 70 0:0:0", 0), ("31 Dec 1969 23:59:59", -1),
            ("1 Jan 1601 00:00:00", -11_644_473_600), ("31 Dec 9999 23:59:59", 253_402_300_799),
            ("06 Nov 1994 08:49:37abc", 784_111_777),
        ]) func dates(_ text: String, _ seconds: Int64)
    {
        #expect(CookieDate.seconds(text) == seconds)
    }

    @Test(
        "What is no date gives none",
        arguments: [
            "", "0", "-1", "Session", "06 Nov 1994", "08:49:37", "06 Nov 08:49:37", "32 Nov 1994 08:49:37",
            "31 Nov 1994 08:49:37", "29 Feb 2001 08:49:37", "00 Nov 1994 08:49:37", "06 Nov 1600 08:49:37",
            "06 Nov 1994 24:00:00", "06 Nov 1994 08:60:37", "06 Nov 1994 08:49:60", "06 Nov 19940 08:49:37",
            "06 Nov 1994 08:49", "06 Nov 1994 008:49:37", "06 Nox 1994 08:49:37",
        ]) func noDates(_ text: String)
    {
        #expect(CookieDate.seconds(text) == nil)
    }
}
