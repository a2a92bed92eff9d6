import GlissadeTime

/// The visibility of the player's controls, which appear on input and hide after a timeout without input.
struct ControlVisibility: Hashable {
    /// How long the controls stay visible after the last input, unless the settings say otherwise.
    static let defaultTimeout = Duration.seconds(3)

    /// A reason not to hide the controls after the timeout.
    struct Hold: OptionSet, Hashable {
        let rawValue: Int
        /// A control is being dragged, or a gesture on the video is in progress.
        static let drag = Hold(rawValue: 1)
        /// A menu is open.
        static let menu = Hold(rawValue: 2)
        /// The page is in a transition.
        static let page = Hold(rawValue: 4)
        /// The file has ended.
        static let end = Hold(rawValue: 8)
        /// The pointer is over a control.
        static let pointer = Hold(rawValue: 16)
    }

    var timeout = Self.defaultTimeout
    private var until: HostTime?
    private var holds: Hold = []

    var isShown: Bool { until != nil }
    /// When the controls will hide if there is no further input; nil while they are hidden or a hold is set.
    var deadline: HostTime? { holds.isEmpty ? until : nil }

    /// Shows the controls, or restarts their timeout if they are already visible. Returns whether they were hidden
    /// before.
    mutating func wake(now: HostTime) -> Bool {
        defer { until = now + timeout }
        return until == nil
    }

    /// Sets or clears a hold. Clearing a hold restarts the timeout if the controls are visible.
    mutating func set(_ hold: Hold, _ isOn: Bool, now: HostTime) {
        guard holds.contains(hold) != isOn else { return }
        if isOn { holds.insert(hold) } else { holds.remove(hold) }
        if !isOn, until != nil { until = now + timeout }
    }

    /// Hides the controls if `deadline` has passed. Returns whether the controls were hidden by this call.
    mutating func advance(to now: HostTime) -> Bool {
        guard let deadline, now >= deadline else { return false }
        until = nil
        return true
    }

    /// Hides the controls at once. Returns whether they were visible before.
    mutating func hide() -> Bool {
        defer { until = nil }
        return until != nil
    }
}
