import Time

/// Decides when to read a window's nominal refresh rate again.
///
/// Pure: the time is passed in. The window system reports moved windows and added monitors, but not a monitor's new
/// mode. So the rate is also read every two seconds while frames are shown. While nothing is shown, the rate is not
/// polled, so that polling causes no wake-ups.
struct RefreshRateSchedule {
    /// The polling interval while frames are shown. A read takes two round trips to the X server.
    static let interval = Duration.seconds(2)

    private var isStale = false
    private var hasPresented = false
    private var readAt: HostTime
    private var monitorGeneration: Int

    /// Creates a schedule for a rate that was read at `now`.
    init(readAt now: HostTime, monitorGeneration: Int) {
        readAt = now
        self.monitorGeneration = monitorGeneration
    }

    /// Handles window events: the window may have moved to another monitor.
    mutating func take(_ events: [WindowEvent]) {
        for event in events {
            switch event {
            case .moved, .resized, .fullscreenChanged: isStale = true
            default: break
            }
        }
    }

    /// Records that a frame was shown.
    mutating func didPresent() { hasPresented = true }

    /// Whether to read the rate now. If true, the rate counts as read at `now`.
    mutating func isDue(at now: HostTime, monitorGeneration: Int) -> Bool {
        let isOld = hasPresented && now - readAt >= Self.interval
        guard isStale || isOld || monitorGeneration != self.monitorGeneration else { return false }
        self = RefreshRateSchedule(readAt: now, monitorGeneration: monitorGeneration)
        return true
    }
}
