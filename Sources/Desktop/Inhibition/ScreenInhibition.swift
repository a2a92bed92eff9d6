/// Whether a service on the session bus keeps the screen on while a film is playing.
package enum ScreenInhibition: Hashable, Sendable {
    /// No film is playing, or a service's reply is still pending.
    case undecided
    /// A service keeps the screen on.
    case granted
    /// There is no bus, or no service on it can keep the screen on.
    case unavailable
}
