import Time

/// Formats a recognizer's state change for the log: the time, the time since the press, the recognizer's name, and
/// both states.
///
/// Example: `12.345678 +0.120000 pop: possible → began`
enum GestureLog {
    static func line(
        _ recognizer: GestureRecognizer, from old: GestureRecognizer.State, at now: HostTime, since press: HostTime
    ) -> String {
        "\(seconds(now.nanoseconds)) +\(seconds((now - press).nanoseconds)) "
            + "\(recognizer.name): \(old) → \(recognizer.state)"
    }

    /// Formats nanoseconds as seconds, truncated to six decimal places.
    static func seconds(_ nanoseconds: Int64) -> String {
        let microseconds = nanoseconds.magnitude / 1000
        let fraction = String(microseconds % 1_000_000)
        let zeros = String(repeating: "0", count: 6 - fraction.count)
        return "\(nanoseconds < 0 ? "-" : "")\(microseconds / 1_000_000).\(zeros)\(fraction)"
    }
}
