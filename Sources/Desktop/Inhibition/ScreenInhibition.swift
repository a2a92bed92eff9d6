/// Whether a service on the session bus keeps the screen on while a film plays. A value; any thread.
public enum ScreenInhibition: Hashable, Sendable {
    /// No film is playing, or no service has answered yet.
    case undecided
    /// A service keeps the screen on.
    case granted
    /// There is no bus, or no service on it can keep the screen on.
    case unavailable
}
