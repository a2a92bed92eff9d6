public import Logging
public import Time

/// The program's connection to the desktop over the session bus. It handles media keys (MPRIS 2.2) and keeps the
/// screen on (`InhibitionInterface`). Main thread. Only `stop` and `deinit` block.
///
/// After `start`, a separate thread talks to the bus. `publish` passes the player's state to that thread, which wakes
/// the main thread when there are commands. Without a bus, no commands arrive, and `screenInhibition` is
/// `unavailable`.
@MainActor public final class DesktopSession {
    /// The highest volume that the desktop can request. 1 is the original level.
    public nonisolated static let loudest = 1.3

    /// The names under which the program appears on the bus, and the URLs that it opens.
    public struct Identity: Sendable {
        /// The last part of the bus name `org.mpris.MediaPlayer2.…`: letters, digits and underscores.
        public var name: String
        /// The name shown to users.
        public var title: String
        /// The name of the program's `.desktop` file, without the extension.
        public var desktopEntry: String
        /// The URL schemes that the program opens, without the colon.
        public var schemes: [String]

        public init(
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
    ///   - wake: Called when there are commands to take, or when `screenInhibition` changes. Called on another thread,
    ///     or by `start` if no thread can be started.
    public init(
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
    public func start() {
        guard link == nil else { return }
        link = BusLink(identity: identity, address: address, logger: logger, shared: shared)
    }

    /// Publishes the player's state. Cheap if only the position has advanced, so it may be called for every frame. A
    /// change of position that playback does not explain is reported as a seek.
    ///
    /// - Parameter now: The monotonic time at which the position in `state` is valid.
    public func publish(_ state: DesktopState, now: HostTime) {
        if shared.publish(state, now: now) { link?.wake() }
    }

    /// Returns the desktop's requests since the last call, in order. If too many are waiting, further ones are
    /// dropped.
    public func takeCommands() -> [DesktopCommand] { shared.takeCommands() }

    /// Disconnects from the bus, and waits for the bus's thread to end. Call when the program ends; no other call may
    /// follow.
    public func stop() {
        link?.end()
        link = nil
    }

    /// Whether a service on the bus keeps the screen on while the published state requires it. If `unavailable`, the
    /// window system must keep the screen on instead. The main thread is woken when this value changes.
    public var screenInhibition: ScreenInhibition { shared.screenInhibition }

    /// The program's own name on the bus; nil until the program has one, or if there is no bus.
    public var busName: String? { shared.busName }
}
