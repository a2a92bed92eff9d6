package import GlissadeTime

/// A report by the X Present extension that a frame was shown or skipped.
package struct ShownFrame: Hashable, Sendable {
    /// What happened to the frame.
    package enum Mode: Hashable, Sendable {
        /// The pixels were copied into the window.
        case copy
        /// The display reads directly from the frame's buffer.
        case flip
        /// The frame was never visible, because a later one replaced it.
        case skip
        /// The pixels were copied into the window. With another format, the display could have read directly from the
        /// buffer.
        case suboptimalCopy
    }

    /// The frame's number: the low 32 bits of `XSoftwareOutput.shownCount`.
    package var serial: UInt32
    /// The display's refresh count when the frame was shown (msc).
    package var refresh: UInt64
    /// When that refresh happened (ust), on the monotonic clock. The resolution is one microsecond.
    package var time: HostTime
    /// What happened to the frame.
    package var mode: Mode
}

/// A method of showing frames from memory in a window. The cases are listed from best to worst.
package enum XPresentationMethod: String, CaseIterable, Hashable, Sendable {
    /// Shows a frame at a refresh, from memory shared with the X server.
    case present = "X Present"
    /// Copies a frame immediately, from memory shared with the X server.
    case sharedMemory = "shared memory"
    /// Sends a frame over the connection. Works even if the server is on another machine.
    case socket = "X socket"

    /// The next best method; nil for the last method.
    package var next: XPresentationMethod? {
        switch self {
        case .present: .sharedMemory
        case .sharedMemory: .socket
        case .socket: nil
        }
    }
}
