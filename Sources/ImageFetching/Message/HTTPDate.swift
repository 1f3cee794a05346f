/// The dates of HTTP's header fields, as nanoseconds since 1970 (RFC 9110 §5.6.7).
public enum HTTPDate {
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Reads any of the three forms: `Sun, 06 Nov 1994 08:49:37 GMT`, and the obsolete
    /// `Sunday, 06-Nov-94 08:49:37 GMT` and `Sun Nov  6 08:49:37 1994`, in upper or lower case (RFC 9111 §4.2). The day
    /// of the week is not checked.
    ///
    /// - Parameter now: decides the century of a year of two digits: it is the latest in which the date
    ///   lies at most 50 years ahead.
    /// - Returns: `nil` for everything else. Dates beyond the year 2262 are the last moment that can be said.
    public static func nanoseconds(from text: String, now: Int64) -> Int64? {
        let words = text.split { $0 == " " || $0 == "," || $0 == "-" }
        let parts: (day: Substring, month: Substring, year: Substring, time: Substring)
        switch words.count {
        case 6 where words[5].uppercased() == "GMT": parts = (words[1], words[2], words[3], words[4])
        case 5: parts = (words[2], words[1], words[4], words[3])
        default: return nil
        }
        guard let day = number(parts.day, digits: 1...2), (1...31).contains(day),
            let month = month(parts.month),
            var year = number(parts.year, digits: 2...4), parts.year.count != 3,
            let seconds = secondsOfDay(parts.time)
        else { return nil }
        if parts.year.count == 2 {
            let thisYear = date(ofDay: floorDivide(now / 1_000_000_000, 86_400)).year
            year += thisYear - thisYear % 100 + 100
            func fiftyYearsBefore(_ year: Int64) -> Int64 {
                dayNumber(year: year - 50, month: month, day: day) * 86_400 + seconds
            }
            while fiftyYearsBefore(year) > floorDivide(now, 1_000_000_000) { year -= 100 }
        }
        let number = dayNumber(year: year, month: month, day: day)
        guard date(ofDay: number).day == day else { return nil }
        let total = number * 86_400 + seconds
        let (nanoseconds, overflow) = total.multipliedReportingOverflow(by: 1_000_000_000)
        return overflow ? (total < 0 ? .min : .max) : nanoseconds
    }

    /// The form that is to be sent: `Sun, 06 Nov 1994 08:49:37 GMT`. Parts of a second are left out.
    public static func string(_ nanoseconds: Int64) -> String {
        let seconds = floorDivide(nanoseconds, 1_000_000_000)
        let day = floorDivide(seconds, 86_400)
        let rest = seconds - day * 86_400
        let date = date(ofDay: day)
        let weekday = days[Int((day % 7 + 7) % 7)]
        return "\(weekday), \(two(date.day)) \(months[Int(date.month) - 1]) \(four(date.year)) "
            + "\(two(rest / 3_600)):\(two(rest / 60 % 60)):\(two(rest % 60)) GMT"
    }

    private static func month(_ text: Substring) -> Int? {
        let name = text.lowercased()
        return months.firstIndex { $0.lowercased() == name }.map { $0 + 1 }
    }

    private static func secondsOfDay(_ text: Substring) -> Int64? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { number($0, digits: 2...2) }
        // 60 is a leap second.
        guard parts.count == 3, let hour = parts[0], let minute = parts[1], let second = parts[2],
            hour < 24, minute < 60, second <= 60
        else { return nil }
        return hour * 3_600 + minute * 60 + second
    }

    private static func number(_ text: Substring, digits: ClosedRange<Int>) -> Int64? {
        guard digits.contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int64(text)
    }

    /// Days since 1970-01-01 in the Gregorian calendar, also before it began; years are counted from March, so that the
    /// leap day is a year's last.
    private static func dayNumber(year: Int64, month: Int, day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = floorDivide(shifted, 400)
        let yearOfEra = shifted - era * 400
        let monthFromMarch = Int64((month + 9) % 12)
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func date(ofDay number: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = number + 719_468
        let era = floorDivide(shifted, 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
    }

    private static func floorDivide(_ number: Int64, _ divisor: Int64) -> Int64 {
        number / divisor - (number % divisor < 0 ? 1 : 0)
    }

    private static func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }

    private static func four(_ number: Int64) -> String {
        String(repeating: "0", count: max(0, 4 - "\(number)".count)) + "\(number)"
    }
}
