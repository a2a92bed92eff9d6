public import Time

/// A report by the X Present extension that a frame was shown or skipped.
public struct ShownFrame: Hashable, Sendable {
    /// How the frame got onto the screen.
    public enum Mode: Hashable, Sendable {
        /// The pixels were copied into the window.
        case copy
        /// The display reads directly from the frame's buffer.
        case flip
        /// The frame was never visible, because a later one replaced it.
        case skip
        /// The pixels were copied. In another format, the display could have read the buffer directly.
        case suboptimalCopy
    }

    /// The frame's number: the low 32 bits of `XSoftwareOutput.shownCount`.
    public var serial: UInt32
    /// The display's refresh count when the frame was shown (msc).
    public var refresh: UInt64
    /// The time of that refresh (ust) on the monotonic clock, in whole microseconds.
    public var time: HostTime
    /// How the frame got onto the screen.
    public var mode: Mode
}

/// A way to get frames from memory into a window. The cases are listed best first.
public enum XPresentationMethod: String, CaseIterable, Hashable, Sendable {
    /// Shows a frame at a refresh, from memory shared with the X server.
    case present = "X Present"
    /// Copies a frame immediately, from memory shared with the X server.
    case sharedMemory = "shared memory"
    /// Sends a frame over the connection. Works even if the server is on another machine.
    case socket = "X socket"

    /// The next best method; nil for the last.
    package var next: XPresentationMethod? {
        switch self {
        case .present: .sharedMemory
        case .sharedMemory: .socket
        case .socket: nil
        }
    }
}
