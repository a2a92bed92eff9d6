public import Logging
public import Time

/// What ties the program to the desktop that it runs in: the session bus, by which media keys come (MPRIS 2.2), and by
/// which the screen is kept from going dark (`InhibitionInterface`). Main thread; nothing blocks.
///
/// The bus is spoken to on a thread of its own, from `start` on. It is told of what plays with `tell`, and wakes the main
/// thread when there are commands. Where there is no bus, or it goes away, nothing more happens.
@MainActor public final class DesktopSession {
    /// The loudest that the desktop can ask for.
    public nonisolated static let loudest = 1.3

    /// What differs from one program to another.
    public struct Identity: Sendable {
        /// The end of the bus name, `org.mpris.MediaPlayer2.…`: letters, digits and underscores.
        public var name: String
        /// What people call it.
        public var title: String
        /// The name of its `.desktop` file, without that ending.
        public var desktopEntry: String
        /// The kinds of addresses that it opens, as they stand before the colon.
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
    private let exchange: DesktopMailbox
    private var link: BusLink?

    /// - Parameters:
    ///   - address: the bus's, as D-Bus writes it; nil for the session's.
    ///   - wake: called on another thread when there are commands to take.
    public init(
        identity: Identity = Identity(), address: String? = nil, logger: Logger = Logger(label: "desktop"),
        wake: @escaping @Sendable () -> Void
    ) {
        self.identity = identity
        self.address = address
        self.logger = logger
        exchange = DesktopMailbox(wake: wake)
    }

    deinit { link?.end() }

    /// Connects: once, when there is time for it.
    public func start() {
        guard link == nil else { return }
        link = BusLink(identity: identity, address: address, logger: logger, exchange: exchange)
    }

    /// Says how things are. Cheap where nothing has changed but what time changes: may be called for every frame. A position
    /// that time alone does not lead to is told as a jump.
    ///
    /// - Parameter now: when `state` holds, by the machine's monotonic clock.
    public func tell(_ state: DesktopState, now: HostTime) {
        if exchange.tell(state, now: now) { link?.wake() }
    }

    /// What the desktop has asked for since the last time, in order.
    public func takeCommands() -> [DesktopCommand] { exchange.takeCommands() }

    /// Takes leave of the bus and waits until that is done: for the program's end. Nothing comes after it.
    public func stop() {
        link?.end()
        link = nil
    }

    /// Whether the bus keeps the screen on, as `tell` has asked for. Where it is `unavailable`, it is for the window system to
    /// do. The main thread is woken when this changes.
    public var screenInhibition: ScreenInhibition { exchange.screenInhibition }

    /// The name that the bus knows the program by; nil before it does, or without a bus.
    public var busName: String? { exchange.busName }
}
