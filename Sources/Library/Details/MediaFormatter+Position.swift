import Time

// How a place in a medium is written, beside a bar that shows it. A second is written while it lasts: rounded down, as
// clocks are, so that the last one is not reached before the end.

extension MediaFormatter {
    /// Where no number is known.
    public static let unknownTime = "–:––"

    /// A position: "0:07", or "0:00:07" where `length` has hours, so that it keeps its form from the beginning to the end.
    ///
    /// - Parameters:
    ///   - position: before the beginning it counts as there; nil where it is not known.
    ///   - length: of the whole; nil where it is not known, and then there are hours once the position has some.
    public static func position(_ position: Duration?, of length: Duration? = nil) -> String {
        guard let position else { return unknownTime }
        return clock(seconds: seconds(position), showsHours: max(seconds(length ?? .zero), seconds(position)) >= 3600)
    }

    /// What is left of `length` after `position`: "-1:23"; never less than nothing.
    public static func remaining(_ position: Duration?, of length: Duration?) -> String {
        guard let position, let length else { return unknownTime }
        // What is left and what has passed are a whole number of seconds together, and change at once.
        let left = max(0, seconds(length) - seconds(position))
        return "-" + clock(seconds: left, showsHours: seconds(length) >= 3600)
    }

    private static func seconds(_ duration: Duration) -> Int { Int(max(0, duration.components.seconds)) }

    private static func clock(seconds: Int, showsHours: Bool) -> String {
        let text = length(.seconds(seconds))
        // As long as there are none, `length` leaves out the hours, and the zero before the minutes.
        return showsHours && seconds < 3600 ? "0:" + (seconds < 600 ? "0" : "") + text : text
    }
}
