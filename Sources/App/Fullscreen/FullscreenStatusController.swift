import GlissadeDesktop
import GlissadeMedia
import GlissadePlatform
import GlissadeTime

/// Updates the time, the battery and the state of the network in the title bar of a fullscreen video. Main thread.
@MainActor final class FullscreenStatusController: Advancing {
    private let playback: PlaybackController
    private let pages: Pages
    private let fullscreen: FullscreenCoordinator
    private let battery: BatteryMonitor
    private let clock: @MainActor () -> CalendarTime
    /// When the status must be updated next; nil while it is hidden.
    private var nextUpdate: HostTime?

    /// - Parameter clock: Returns the current calendar time.
    init(
        playback: PlaybackController, pages: Pages, fullscreen: FullscreenCoordinator, battery: BatteryMonitor,
        clock: @escaping @MainActor () -> CalendarTime = CalendarTime.now
    ) {
        self.playback = playback
        self.pages = pages
        self.fullscreen = fullscreen
        self.battery = battery
        self.clock = clock
    }

    /// Updates the status once a second while the controls of a fullscreen video are visible, and hides it in a window.
    /// Returns whether it has changed.
    func advance(to now: HostTime) -> Bool {
        guard let page = pages.playerPage, fullscreen.controller.isEntered, page.areControlsShown else {
            nextUpdate = nil
            // The status fades out with the controls, so it stays until the video has left fullscreen.
            return fullscreen.controller.isEntered ? false : pages.playerPage?.setStatus(nil) ?? false
        }
        if let nextUpdate, now < nextUpdate, page.status.content != nil { return false }
        nextUpdate = now + .seconds(1)
        battery.advance(to: now)
        return page.setStatus(
            FullscreenStatusView.Content(
                time: TimeOfDay.text(clock()), battery: battery.status, network: network(now: now)))
    }

    func nextWake(now: HostTime) -> HostTime? { nextUpdate }

    private func network(now: HostTime) -> String? {
        guard let session = playback.session, isAddress(session.location),
            session.location != StandardInput.location
        else { return nil }
        let range = session.player.bufferedRange(at: now)
        let seconds = range.map { Int(clamping: ($0.upperBound - $0.lowerBound).components.seconds) } ?? 0
        return Self.text(bufferedSeconds: seconds, rate: session.player.arrivalRate)
    }

    /// Describes the state of the network.
    ///
    /// - Parameter rate: The rate at which data arrives, in bits per second; nil if unknown.
    static func text(bufferedSeconds seconds: Int, rate: Double?) -> String {
        let buffered = "\(seconds) s buffered"
        guard let rate, rate.isFinite, rate > 0 else { return buffered }
        let tenths = Int(min(rate / 1e5, 1e6).rounded())
        let number = tenths < 100 ? "\(tenths / 10).\(tenths % 10)" : "\(tenths / 10)"
        return buffered + " · \(number) Mbit/s"
    }
}
