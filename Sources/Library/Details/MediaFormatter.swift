import GlissadeTime

/// Formats durations, sizes and rates as text. The result does not depend on the locale: the decimal separator is
/// always a dot.
package enum MediaFormatter {
    /// Returns a number with two decimal places, such as "2.39"; "–" if the number is out of range.
    package static func number(_ value: Double) -> String {
        guard let hundredths = Int(exactly: (value * 100).rounded()) else { return "–" }
        let (whole, rest) = hundredths.magnitude.quotientAndRemainder(dividingBy: 100)
        return "\(hundredths < 0 ? "-" : "")\(whole).\(two(Int(rest)))"
    }

    /// Returns a number with at most two decimal places and no trailing zeros, such as "25" or "23.98".
    package static func shortNumber(_ value: Double) -> String {
        var text = number(value)[...]
        while text.hasSuffix("0"), text.contains(".") { text.removeLast() }
        if text.hasSuffix(".") { text.removeLast() }
        return String(text)
    }

    /// Returns a duration in minutes, seconds and hundredths, such as "0:07.00". A duration of an hour or more also
    /// shows hours: "1:02:03.45".
    package static func exactLength(_ duration: Duration) -> String {
        let hundredths = wholeUnits(duration, 100)
        return "\(length(seconds: hundredths / 100)).\(two(hundredths % 100))"
    }

    /// Returns a duration in minutes and seconds, rounded to the nearest second, such as "0:07". A duration of an hour
    /// or more also shows hours: "1:02:03".
    package static func length(_ duration: Duration) -> String { length(seconds: wholeUnits(duration, 1)) }

    /// Returns a size as text in the largest unit that makes the number at least 1: "1.37 GiB", "12.00 KiB", "5 bytes".
    package static func size(_ bytes: Int) -> String {
        if bytes < 1024 { return "\(bytes) byte\(bytes == 1 ? "" : "s")" }
        var value = Double(bytes) / 1024
        var unit = 0
        while value >= 1024, unit < units.count - 1 {
            value /= 1024
            unit += 1
        }
        return "\(number(value)) \(units[unit])"
    }

    private static let units = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]

    /// Returns a bit rate as text in kbit/s, rounded down, such as "128 kbit/s". From 10 Mbit/s on, uses Mbit/s, such
    /// as "24.50 Mbit/s".
    ///
    /// - Parameter bits: The bit rate, in bits per second.
    package static func bitRate(_ bits: Int) -> String {
        bits < 10_000_000 ? "\(bits / 1000) kbit/s" : "\(number(Double(bits) / 1e6)) Mbit/s"
    }

    /// Returns a duration as a number of units of 1/`perSecond` of a second, rounded and clamped to 0…`Int.max`.
    private static func wholeUnits(_ duration: Duration, _ perSecond: Double) -> Int {
        Int(exactly: max(0, (duration.inSeconds * perSecond).rounded())) ?? .max
    }

    private static func length(seconds: Int) -> String {
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
        let start = hours > 0 ? "\(hours):\(two(minutes))" : "\(minutes)"
        return "\(start):\(two(seconds % 60))"
    }

    private static func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
}
