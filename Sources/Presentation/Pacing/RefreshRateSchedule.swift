import GlissadeTime

/// Decides when to read a window's nominal refresh rate again.
///
/// Pure: the time is passed in. The rate is read after the window was moved or resized, and after a monitor was
/// connected or disconnected. It is also read every two seconds while frames are shown, because the window system does
/// not report changes of a monitor's mode.
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

    /// Takes a window's events. After a move, a resize or a fullscreen change, the rate is due to be read.
    mutating func take(_ events: [WindowEvent]) {
        for event in events {
            switch event {
            case .moved, .resized, .fullscreenChanged: isStale = true
            default: break
            }
        }
    }

    mutating func didPresent() { hasPresented = true }

    /// Returns whether to read the rate now. If true, the rate counts as read at `now`.
    mutating func isDue(at now: HostTime, monitorGeneration: Int) -> Bool {
        let isOld = hasPresented && now - readAt >= Self.interval
        guard isStale || isOld || monitorGeneration != self.monitorGeneration else { return false }
        self = RefreshRateSchedule(readAt: now, monitorGeneration: monitorGeneration)
        return true
    }
}
