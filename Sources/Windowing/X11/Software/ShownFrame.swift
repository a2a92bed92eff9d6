public import Time

/// What the display says of a frame that it has shown: the answer of the X Present extension.
public struct ShownFrame: Hashable, Sendable {
    /// How the frame got onto the screen.
    public enum Mode: Hashable, Sendable {
        /// Its pixels were copied into the window.
        case copy
        /// Its buffer is what the display reads now.
        case flip
        /// A later frame has taken its place: it was never seen.
        case skip
        /// It was copied, and another format would have been flipped.
        case suboptimalCopy
    }

    /// The frame's number: see `XSoftwareOutput.shownCount`.
    public var serial: UInt32
    /// The display's count of refreshes then (msc).
    public var refresh: UInt64
    /// When that refresh was (ust), by the machine's monotonic clock; to the microsecond.
    public var time: HostTime
    /// How it got there.
    public var mode: Mode
}

/// The ways by which frames get from memory into a window, the best one first.
public enum XPresentationMethod: String, CaseIterable, Hashable, Sendable {
    /// From memory that the X server has too, at a refresh of the display.
    case present = "X Present"
    /// From memory that the X server has too, at once.
    case sharedMemory = "shared memory"
    /// By the connection, at once: the server may be on another machine.
    case socket = "X socket"

    /// The next best one.
    package var next: XPresentationMethod? {
        switch self {
        case .present: .sharedMemory
        case .sharedMemory: .socket
        case .socket: nil
        }
    }
}
