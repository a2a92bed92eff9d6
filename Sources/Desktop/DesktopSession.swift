package import Logging
package import GlissadeTime

/// The program's connection to the desktop over the session bus. Handles media keys (MPRIS 2.2), and keeps the screen
/// on during playback (`InhibitionInterface`). Main thread. Only `stop` and `deinit` block.
///
/// After `start`, a separate thread talks to the bus. `publish` passes the player's state to that thread. Without a
/// bus, no commands arrive, and `screenInhibition` is `unavailable`.
@MainActor package final class DesktopSession {
    /// The highest volume that the desktop can request. 1 is the original level.
    package nonisolated static let loudest = 1.3

    /// The program's names on the bus, and the URL schemes that it opens.
    package struct Identity: Sendable {
        /// The last part of the bus name `org.mpris.MediaPlayer2.…`: letters, digits and underscores.
        package var name: String
        /// The name shown to users.
        package var title: String
        /// The name of the program's `.desktop` file, without the extension.
        package var desktopEntry: String
        /// The URL schemes that the program opens, without the colon.
        package var schemes: [String]

        package init(
            name: String = "glissade", title: String = "Glissade", desktopEntry: String = "glissade",
            schemes: [String] = ["file"]
        ) {
            self.schemes = schemes
            self.name = name
            self.title = title
            self.desktopEntry = desktopEntry
        }
    }

    private let identity: Identity
    private let address: String?
    private let logger: Logger
    private let shared: SharedDesktopState
    private var link: BusLink?

    /// Creates a session. `start` connects it.
    ///
    /// - Parameters:
    ///   - address: The address of the bus in D-Bus syntax; nil for the session bus.
    ///   - wake: Called when commands have arrived or `screenInhibition` has changed. Called on the bus's thread, or by
    ///     `start` if that thread cannot start.
    package init(
        identity: Identity = Identity(), address: String? = nil, logger: Logger = Logger(label: "desktop"),
        wake: @escaping @Sendable () -> Void
    ) {
        self.identity = identity
        self.address = address
        self.logger = logger
        shared = SharedDesktopState(wake: wake)
    }

    deinit { link?.end() }

    /// Connects to the bus. Further calls do nothing.
    package func start() {
        guard link == nil else { return }
        link = BusLink(identity: identity, address: address, logger: logger, shared: shared)
    }

    /// Publishes the player's state. Cheap enough to call for every frame. A jump of the position is reported as a
    /// seek.
    ///
    /// - Parameter now: The monotonic time at which the position in `state` is valid.
    package func publish(_ state: DesktopState, now: HostTime) {
        if shared.publish(state, now: now) { link?.wake() }
    }

    /// Returns the requests that have arrived since the last call, oldest first. While too many requests are waiting,
    /// new ones are dropped.
    package func takeCommands() -> [DesktopCommand] { shared.takeCommands() }

    /// Disconnects from the bus, and waits for the bus's thread to end. Call when the program ends; no other call may
    /// follow.
    package func stop() {
        link?.end()
        link = nil
    }

    /// Whether a service on the bus keeps the screen on. If this is `unavailable`, the caller must ask the window
    /// system to keep the screen on. The session calls `wake` when this value changes.
    package var screenInhibition: ScreenInhibition { shared.screenInhibition }

    /// The name that the program owns on the bus; nil if it owns none.
    package var busName: String? { shared.busName }
}
