import GlissadeTime

// Positions in a media file, as shown beside a seek bar. Seconds are rounded down, as on a clock, so that the full
// duration is shown only at the end.

extension MediaFormatter {
    /// The string shown for an unknown time.
    package static let unknownTime = "–:––"

    /// Returns a position as text, such as "0:07". If `length` is an hour or more, the text always includes hours:
    /// "0:00:07".
    ///
    /// - Parameters:
    ///   - position: The position; a negative position counts as 0. If nil, the result is `unknownTime`.
    ///   - length: The media's duration. If nil, hours are shown only if the position is an hour or more.
    package static func position(_ position: Duration?, of length: Duration? = nil) -> String {
        guard let position else { return unknownTime }
        return clock(seconds: seconds(position), showsHours: max(seconds(length ?? .zero), seconds(position)) >= 3600)
    }

    /// Returns the remaining time as text, such as "-1:23", or "-0:00" if no time remains. If the position or the
    /// length is nil, the result is `unknownTime`.
    package static func remaining(_ position: Duration?, of length: Duration?) -> String {
        guard let position, let length else { return unknownTime }
        // Subtract whole seconds, so that the elapsed and the remaining time change at the same moment.
        let left = max(0, seconds(length) - seconds(position))
        return "-" + clock(seconds: left, showsHours: seconds(length) >= 3600)
    }

    private static func seconds(_ duration: Duration) -> Int { Int(max(0, duration.components.seconds)) }

    private static func clock(seconds: Int, showsHours: Bool) -> String {
        let text = length(.seconds(seconds))
        // If there are no hours, `length` omits them and the leading zero of the minutes.
        return showsHours && seconds < 3600 ? "0:" + (seconds < 600 ? "0" : "") + text : text
    }
}
