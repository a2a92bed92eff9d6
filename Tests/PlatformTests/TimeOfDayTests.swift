import Foundation
import Testing

@testable import GlissadePlatform

@Suite("Time of day") struct TimeOfDayTests {
    @Test(
        "A locale counts to 12 if its format has half days and it has words for them",
        arguments: [
            ("%r", "AM", true), ("%I:%M:%S %p", "am", true), ("%l:%M:%S %P", "AM", true), ("%H:%M:%S", "AM", false),
            ("%T", "", false), ("%r", "", false),
        ])
    func halfDays(format: String, morning: String, expected: Bool) {
        #expect(TimeOfDay.usesHalfDays(format: format, morning: morning) == expected)
    }

    @Test("Without a locale, the time has 24 hours", arguments: ["C", "no_SUCH.locale", "C.UTF-8"])
    func plain(locale: String) {
        let date = Date(timeIntervalSince1970: 1_700_000_000)
        let parts = Calendar.current.dateComponents([.hour, .minute], from: date)
        let text = TimeOfDay.text(CalendarTime(nanoseconds: 1_700_000_000_000_000_000), locale: locale)
        let expected = String(format: "%02d:%02d", parts.hour ?? -1, parts.minute ?? -1)
        #expect(text == expected)
    }
}
