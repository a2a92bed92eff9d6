import GlissadeTime

/// The duration of a track as Matroska's tag `DURATION` has it: hours, minutes and seconds, such as
/// `00:01:30.040000000`.
struct TrackDuration: Hashable {
    let duration: Duration

    /// Parses a tag; nil if it has another form, or is a year or longer.
    init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, let hours = Int(parts[0]), let minutes = Int(parts[1]),
            let seconds = Double(parts[2]), (0..<8760).contains(hours), (0..<60).contains(minutes), seconds >= 0,
            seconds < 60
        else { return nil }
        duration = .seconds(hours * 3600 + minutes * 60) + .nanoseconds(Int64((seconds * 1e9).rounded()))
    }
}
