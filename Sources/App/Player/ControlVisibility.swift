import Time

/// Whether the player's controls are to be seen: they come with the pointer and the keys, and go by themselves.
///
/// A value that is told the time.
struct ControlVisibility: Hashable {
    /// So long after the pointer and the keys rest the controls go.
    static let defaultPatience = Duration.seconds(3)

    /// What keeps them there.
    struct Hold: OptionSet, Hashable {
        let rawValue: Int
        /// A hand is on one of them.
        static let drag = Hold(rawValue: 1)
        /// A menu is open.
        static let menu = Hold(rawValue: 2)
        /// The page is drawn aside.
        static let page = Hold(rawValue: 4)
    }

    var patience = Self.defaultPatience
    private var until: HostTime?
    private var holds: Hold = []

    var isShown: Bool { until != nil }
    /// When they go if nothing happens; nil where they are gone, or kept.
    var deadline: HostTime? { holds.isEmpty ? until : nil }

    /// The pointer or a key did something, or they were asked for. True where they came.
    mutating func wake(now: HostTime) -> Bool {
        defer { until = now + patience }
        return until == nil
    }

    /// They begin to be kept by `hold`, or cease to be: then they stay as long as after a move of the pointer.
    mutating func set(_ hold: Hold, _ isOn: Bool, now: HostTime) {
        guard holds.contains(hold) != isOn else { return }
        if isOn { holds.insert(hold) } else { holds.remove(hold) }
        if !isOn, until != nil { until = now + patience }
    }

    /// True where they go now.
    mutating func advance(to now: HostTime) -> Bool {
        guard let deadline, now >= deadline else { return false }
        until = nil
        return true
    }

    /// They go at once. True where they were there.
    mutating func hide() -> Bool {
        defer { until = nil }
        return until != nil
    }
}
