import Glibc

/// The time of day in the form of the user's locale. Any thread.
package enum TimeOfDay {
    /// Returns the hours and minutes of `time` in the system's time zone, such as `17:05` or `5:05 PM`.
    ///
    /// - Parameter locale: The locale's name; empty for the locale that the environment names. An unknown locale counts
    ///   as `C`.
    package static func text(_ time: CalendarTime, locale name: String = "") -> String {
        var second = time_t(time.nanoseconds / 1_000_000_000)
        var parts = tm()
        localtime_r(&second, &parts)
        guard let locale = newlocale(1 << LC_TIME, name, nil) ?? newlocale(1 << LC_TIME, "C", nil) else {
            return twoDigits(parts.tm_hour) + ":" + twoDigits(parts.tm_min)
        }
        defer { freelocale(locale) }
        let format =
            usesHalfDays(format: item(nl_item(T_FMT), locale), morning: item(nl_item(AM_STR), locale))
            ? "%-I:%M %p" : "%H:%M"
        var buffer = [CChar](repeating: 0, count: 64)
        let count = strftime_l(&buffer, buffer.count, format, &parts, locale)
        return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Whether a locale counts hours from 1 to 12.
    ///
    /// - Parameters:
    ///   - format: The locale's format of the time (`T_FMT`).
    ///   - morning: The locale's word for the hours before noon; empty if it has none.
    static func usesHalfDays(format: String, morning: String) -> Bool {
        !morning.isEmpty && ["%I", "%l", "%p", "%r"].contains { format.contains($0) }
    }

    private static func item(_ item: nl_item, _ locale: locale_t) -> String {
        nl_langinfo_l(item, locale).map { String(cString: $0) } ?? ""
    }

    private static func twoDigits(_ number: CInt) -> String { (number < 10 ? "0" : "") + String(number) }
}
