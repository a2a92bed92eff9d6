public import Time

/// The completion of a frame, as reported by the X Present extension.
public struct ShownFrame: Hashable, Sendable {
    /// How the frame got onto the screen.
    public enum Mode: Hashable, Sendable {
        /// Its pixels were copied into the window.
        case copy
        /// The display now reads from its buffer.
        case flip
        /// A later frame replaced it: it was never visible.
        case skip
        /// It was copied; in another format it would have been flipped.
        case suboptimalCopy
    }

    /// The frame's number; see `XSoftwareOutput.shownCount`.
    public var serial: UInt32
    /// The display's refresh count at that time (msc).
    public var refresh: UInt64
    /// The time of that refresh (ust) on the monotonic clock, to the microsecond.
    public var time: HostTime
    /// How it got there.
    public var mode: Mode
}

/// How frames get from memory into a window, the best method first.
public enum XPresentationMethod: String, CaseIterable, Hashable, Sendable {
    /// From memory shared with the X server, at a refresh of the display.
    case present = "X Present"
    /// From memory shared with the X server, immediately.
    case sharedMemory = "shared memory"
    /// Over the connection, immediately: the server may be on another machine.
    case socket = "X socket"

    /// The next best method.
    package var next: XPresentationMethod? {
        switch self {
        case .present: .sharedMemory
        case .sharedMemory: .socket
        case .socket: nil
        }
    }
}
