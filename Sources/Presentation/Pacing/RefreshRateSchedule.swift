import Time

/// Decides when to read a window's nominal refresh rate again.
///
/// Pure: the time is passed in. The window system reports that a window was moved or that a monitor was added, but not
/// that a monitor's mode has changed. So the rate is also read every two seconds while frames are shown. While nothing
/// is shown, it is not read, so that polling causes no wake-ups.
struct RefreshRateSchedule {
    /// The polling interval while frames are shown. A read takes two round trips to the X server.
    static let interval = Duration.seconds(2)

    private var isStale = false
    private var hasPresented = false
    private var readAt: HostTime
    private var monitorGeneration: Int

    /// Creates a schedule for a rate that was last read at `now`.
    init(readAt now: HostTime, monitorGeneration: Int) {
        readAt = now
        self.monitorGeneration = monitorGeneration
    }

    /// Takes a window's events, because the window may have moved to another monitor.
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

    /// Returns whether to read the rate now. If true, the rate counts as read at `now`.
    mutating func isDue(at now: HostTime, monitorGeneration: Int) -> Bool {
        let isOld = hasPresented && now - readAt >= Self.interval
        guard isStale || isOld || monitorGeneration != self.monitorGeneration else { return false }
        self = RefreshRateSchedule(readAt: now, monitorGeneration: monitorGeneration)
        return true
    }
}
