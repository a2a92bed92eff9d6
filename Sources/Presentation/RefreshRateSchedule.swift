import Time

/// Decides when a window's refresh rate is read again.
///
/// Pure: it is told the time. The window system tells of windows that move and of monitors that come and go, but not of a
/// monitor that gets another mode: while frames are shown, the rate is also read every two seconds. While nothing is shown,
/// nothing is read, and there is nothing to wake up for.
struct RefreshRateSchedule {
    /// Between two reads that no event asked for. A read takes two round trips to the X server.
    static let interval = Duration.seconds(2)

    private var isStale = false
    private var hasPresented = false
    private var readAt: HostTime
    private var monitorGeneration: Int

    /// The rate was read at `now`.
    init(readAt now: HostTime, monitorGeneration: Int) {
        readAt = now
        self.monitorGeneration = monitorGeneration
    }

    /// Takes note of what happened to the window: it may be on another monitor.
    mutating func take(_ events: [WindowEvent]) {
        for event in events {
            switch event {
            case .moved, .resized, .fullscreenChanged: isStale = true
            default: break
            }
        }
    }

    /// Takes note of a frame that was shown.
    mutating func didPresent() { hasPresented = true }

    /// Whether the rate is to be read now; if so, it counts as read.
    mutating func isDue(at now: HostTime, monitorGeneration: Int) -> Bool {
        let isOld = hasPresented && now - readAt >= Self.interval
        guard isStale || isOld || monitorGeneration != self.monitorGeneration else { return false }
        self = RefreshRateSchedule(readAt: now, monitorGeneration: monitorGeneration)
        return true
    }
}
