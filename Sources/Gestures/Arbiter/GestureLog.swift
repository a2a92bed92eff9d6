import GlissadeTime

/// Formats a recognizer's state change for the log: the time, the time since the press, the recognizer's name, and
/// both states. At the end of a pan, also the pointer's velocity, in points per second.
///
/// Examples: `12.345678 +0.120000 pop: possible → began`, `12.523456 +0.297778 pop: changed → ended at 1480.0, -12.0`
enum GestureLog {
    static func line(
        _ recognizer: GestureRecognizer, from old: GestureRecognizer.State, at now: HostTime, since press: HostTime
    ) -> String {
        var line = "\(seconds(now.nanoseconds)) +\(seconds((now - press).nanoseconds)) "
        line += "\(recognizer.name): \(old) → \(recognizer.state)"
        if recognizer.state == .ended, let pan = recognizer as? PanRecognizer {
            line += " at \(pan.velocity.x.rounded()), \(pan.velocity.y.rounded())"
        }
        return line
    }

    /// Formats nanoseconds as seconds, truncated to six decimal places.
    static func seconds(_ nanoseconds: Int64) -> String {
        let microseconds = nanoseconds.magnitude / 1000
        let fraction = String(microseconds % 1_000_000)
        let zeros = String(repeating: "0", count: 6 - fraction.count)
        return "\(nanoseconds < 0 ? "-" : "")\(microseconds / 1_000_000).\(zeros)\(fraction)"
    }
}
