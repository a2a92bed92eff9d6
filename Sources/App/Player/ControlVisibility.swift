import Time

/// When the player's controls are visible: pointer movements and keys show them, and they hide on their own. A value.
struct ControlVisibility: Hashable {
    /// How long the controls stay after the last input.
    static let defaultTimeout = Duration.seconds(3)

    /// A reason to keep the controls visible.
    struct Hold: OptionSet, Hashable {
        let rawValue: Int
        /// A control is being dragged.
        static let drag = Hold(rawValue: 1)
        /// A menu is open.
        static let menu = Hold(rawValue: 2)
        /// The page is being dragged aside.
        static let page = Hold(rawValue: 4)
    }

    var timeout = Self.defaultTimeout
    private var until: HostTime?
    private var holds: Hold = []

    var isShown: Bool { until != nil }
    /// When they hide if nothing happens; nil if they are hidden or held.
    var deadline: HostTime? { holds.isEmpty ? until : nil }

    /// Shows them, or keeps them for longer. Returns whether they were hidden.
    mutating func wake(now: HostTime) -> Bool {
        defer { until = now + timeout }
        return until == nil
    }

    /// Sets or clears a hold. When the last one is cleared, they stay as long as after an input.
    mutating func set(_ hold: Hold, _ isOn: Bool, now: HostTime) {
        guard holds.contains(hold) != isOn else { return }
        if isOn { holds.insert(hold) } else { holds.remove(hold) }
        if !isOn, until != nil { until = now + timeout }
    }

    /// Returns whether they hide now.
    mutating func advance(to now: HostTime) -> Bool {
        guard let deadline, now >= deadline else { return false }
        until = nil
        return true
    }

    /// Hides them now. Returns whether they were visible.
    mutating func hide() -> Bool {
        defer { until = nil }
        return until != nil
    }
}
