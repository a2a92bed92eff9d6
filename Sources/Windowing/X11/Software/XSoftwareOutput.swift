import GlissadeCXCB
public import GlissadeGeometry
import Glibc
import GlissadePlatform
public import GlissadeRendering
public import GlissadeTime

/// Shows frames drawn by the CPU in an X window, without OpenGL. Any thread that holds `RenderLock`.
///
/// Keeps two or three frames, or four if the display releases frames late. Shares their memory with the server if
/// possible. The X Present extension shows the frames in order, each at a refresh. A frame is reused once the server
/// has finished with it. If any of this is unsupported or fails, the output falls back to the next
/// `XPresentationMethod`.
///
/// When the window is resized, the server keeps the window's content and paints no background, so only frames are ever
/// visible. `Window.setFirstPicture` and `XHeldContent` set a background for a while.
public final class XSoftwareOutput: SoftwareOutput {
    /// The maximum number of frames.
    static let largestCount = 4
    /// The usual number of frames. With X Present, a real display needs a third frame, because it keeps reading a frame
    /// until another replaces it.
    var usualCount: Int { presentation != nil && connection.hasDisplay ? 3 : 2 }
    /// The maximum time to wait for the server to finish with a frame.
    static let timeout = Duration.milliseconds(100)
    /// The longest edge of a frame that X11 can show, in pixels.
    package static let longestEdge = 32_767

    /// The window's ID at the server.
    package let window: UInt32
    /// The connection to the X server, which other outputs may use as well.
    package let connection: XConnection
    /// The method currently in use. If it fails, the output switches to the next method.
    package internal(set) var method: XPresentationMethod
    public var methodName: String { method.rawValue }
    /// The number of frames shown so far. The low 32 bits are the `ShownFrame.serial` of the last frame.
    package internal(set) var shownCount = 0
    /// The last frame reported as shown; nil if unknown, which is always the case without X Present.
    package internal(set) var lastShown: ShownFrame?
    /// Whether the window still exists.
    public internal(set) var hasWindow = true

    let format: XPixelFormat
    let converter: XPixelConverter?
    let context: UInt32
    var writer: XSocketWriter
    var frames: [XFrame] = []
    /// The frame being drawn; nil if no frame is being drawn.
    package var taken: XFrame?
    private var lastID = 0
    /// Whether the window has lost its content, so that the next frame must be complete.
    var isContentLost = true
    var sizeShown = PixelSize(width: 0, height: 0)
    var answers: [ShownFrame] = []
    /// Whether the last call of `nextFrame` found no free frame. If so, the next call does not wait.
    var isStalled = false
    /// The serial numbers of the frames that Present has not reported as shown or skipped yet.
    var pending: Set<UInt32> = []
    /// When each of the latest frames was sent, the newest last.
    var sentTimes: [(serial: UInt32, time: HostTime)] = []
    /// The maximum number of send times kept. It exceeds the number of frames that can be waiting for a report.
    static let keptSentTimes = 16
    /// When to read events, if no frame is drawn before that time.
    private var pollTime = HostTime(nanoseconds: 0)
    /// What stays in place while the window is resized; nil if nothing does.
    var heldContent: XHeldContent?
    var presentation: XPresentation?
    var shownPictures: [ShownPicture] = []
    /// Whether pictures (`OutputPicture`) may be shown directly from their memory. False once the server has refused a
    /// picture.
    var takesPictures = true
    /// A pending request whose reply means that the server has read the last frame. Used with `.socket`; nil if no such
    /// request is pending.
    var syncRequest: UInt32?

    /// Creates an output for a window. Takes two round trips, and one more with X Present.
    ///
    /// - Parameters:
    ///   - window: The window's ID, which the server must already know (see `XConnection`). A window may have only one
    ///     output.
    ///   - first: The method to start with. If the server does not support it, the output starts with a later method.
    /// - Throws: `unavailable` if the server does not know the window, or if its visual is not RGB;
    ///   `presentation` if the connection to the server is lost.
    package init(
        window: UInt32, on connection: XConnection, from first: XPresentationMethod = .present
    ) throws(RenderingError) {
        try connection.check()
        let raw = connection.raw
        let format = try XPixelFormat(of: window, on: connection)
        self.window = window
        self.connection = connection
        self.format = format
        converter = format.isPlain ? nil : XPixelConverter(format)
        context = xcb_generate_id(raw)
        writer = XSocketWriter(connection, drawable: window, context: context, format: format)
        let best: XPresentationMethod =
            connection.hasPresent ? .present : connection.hasSharedMemory ? .sharedMemory : .socket
        let methods = XPresentationMethod.allCases
        method = methods.drop { $0 != best }.first { !methods.prefix { $0 != first }.contains($0) } ?? .socket

        // Values are in the order of the mask's bits: no background, static gravity, events.
        let events = XCB_EVENT_MASK_EXPOSURE.rawValue | XCB_EVENT_MASK_STRUCTURE_NOTIFY.rawValue
        let mask = XCB_CW_BACK_PIXMAP.rawValue | XCB_CW_BIT_GRAVITY.rawValue | XCB_CW_EVENT_MASK.rawValue
        let changed = xcb_change_window_attributes_checked(
            raw, window, mask, [0, XCB_GRAVITY_STATIC.rawValue, events])
        // Copies with this graphics context send no events.
        let made = xcb_create_gc_checked(raw, context, window, XCB_GC_GRAPHICS_EXPOSURES.rawValue, [0])
        guard connection.isDone(changed), connection.isDone(made) else {
            try connection.check()
            throw .unavailable("the window 0x\(String(window, radix: 16)) does not accept images")
        }
        connection.add(self)
        if method == .present { beginPresenting() }
    }

    deinit {
        RenderLock.withLock {
            connection.remove(window)
            picturesAreIdle()
            frames = []
            presentation?.end()
            xcb_free_gc(connection.raw, context)
            xcb_flush(connection.raw)
        }
    }

    // MARK: - Frames

    public func takeBuffer(_ size: PixelSize) throws(RenderingError) -> FrameBuffer? {
        guard !size.isEmpty else { throw .emptyPicture }
        guard max(size.width, size.height) <= Self.longestEdge else { throw .tooLarge(size, limit: Self.longestEdge) }
        try connection.readEvents()
        if let unshown = taken {
            // The caller may have drawn part of that frame.
            unshown.id = newID()
            unshown.markOutdated(PixelRect(size: unshown.size))
            taken = nil
        }
        taken = try nextFrame(size)
        return taken?.buffer
    }

    public func show(_ buffer: FrameBuffer, changed: PixelRect?) throws(RenderingError) {
        try show(buffer, changed: changed, at: nil)
    }

    /// Shows the last buffer taken, at a refresh of the display. Without X Present, shows the buffer immediately.
    ///
    /// - Parameters:
    ///   - changed: The area that differs from the previous frame; nil if unknown.
    ///   - refresh: The refresh count (`ShownFrame.refresh`) at which to show the frame. If the count is nil or in the
    ///     past, the frame is shown at the next refresh. Without a real display, however, nil shows the frame
    ///     immediately. If several frames are for the same refresh, only the newest becomes visible.
    /// - Throws: `presentation` if the connection to the server is lost.
    public func show(_ buffer: FrameBuffer, changed: PixelRect?, at refresh: UInt64?) throws(RenderingError) {
        guard let frame = taken, frame.id == buffer.id else {
            preconditionFailure("only the buffer that was taken last is shown")
        }
        taken = nil
        try connection.check()
        let whole = PixelRect(size: frame.size)
        let isWhole = isContentLost || frame.size != sizeShown
        let area = isWhole ? whole : changed?.intersection(whole) ?? whole
        for frame in frames where frame.size == buffer.size { frame.markOutdated(area) }
        shownCount += 1
        frame.serial = UInt32(truncatingIfNeeded: shownCount)
        pollSoon()
        guard hasWindow else { return }
        frame.convert(by: converter)
        switch method {
        case .present: present(frame, area == whole ? nil : area, at: refresh)
        case .sharedMemory: put(frame, area)
        case .socket: send(frame, area)
        }
        (isContentLost, sizeShown) = (false, frame.size)
        heldContent?.frameWasShown(frame.size)
        xcb_flush(connection.raw)
        try connection.check()
    }

    /// Returns the reports of shown and skipped frames since the last call, oldest first. Only the newest 64 reports
    /// are kept. Empty without X Present. Call after `XConnection.readEvents`, or after `takeBuffer`, which reads
    /// events.
    package func takeShown() -> [ShownFrame] {
        defer { answers.removeAll(keepingCapacity: true) }
        return answers
    }

    /// Returns when the frame with the number `serial` was sent; nil if it was not one of the last 16 frames.
    package func sentTime(of serial: UInt32) -> HostTime? {
        RenderLock.withLock { sentTimes.last { $0.serial == serial }?.time }
    }

    /// Whether a frame is still waiting to be shown or is still in use by the server.
    package var isShowing: Bool {
        !pending.isEmpty || syncRequest != nil || !shownPictures.isEmpty || frames.contains { $0.isBusy }
    }

    /// Whether a frame can be shown now without waiting for earlier frames.
    public var isReady: Bool { RenderLock.withLock { isReadyLocked } }

    private var isReadyLocked: Bool {
        guard method == .present, pending.count >= Self.waitingLimit else { return true }
        // If the connection is lost, the next frame throws the error.
        try? connection.readEvents()
        return pending.count < Self.waitingLimit || !hasWindow
    }

    /// Whether frames wait for a refresh of the display.
    var hasQueuedFrames: Bool {
        RenderLock.withLock {
            guard method == .present, connection.hasDisplay, !pending.isEmpty else { return false }
            // If the connection is lost, the next frame throws the error.
            try? connection.readEvents()
            return !pending.isEmpty && hasWindow
        }
    }

    /// When to call `poll`, if no frame is drawn before that time; nil if no event or reply is expected from the
    /// server.
    package var nextPoll: HostTime? { RenderLock.withLock { nextPollLocked } }

    private var nextPollLocked: HostTime? {
        let isUnanswered =
            !pending.isEmpty || syncRequest != nil || method == .sharedMemory && frames.contains { $0.isBusy }
        return isUnanswered && hasWindow ? pollTime : nil
    }

    func pollSoon() { pollTime = .now() + Self.timeout }

    /// Reads events if `nextPoll` has passed. Returns whether the window has lost its content and must be redrawn;
    /// false if `nextPoll` has not passed.
    package func poll(at now: HostTime) -> Bool { RenderLock.withLock { pollLocked(at: now) } }

    private func pollLocked(at now: HostTime) -> Bool {
        guard let nextPoll, nextPoll <= now else { return false }
        pollTime = now + .seconds(1)
        // If the connection is lost, the next frame throws the error.
        try? connection.readEvents()
        readAnswer()
        return isContentLost && hasWindow
    }

    /// Waits until the server has shown all frames, or until `deadline`. Returns whether all frames have been shown;
    /// true if the window no longer exists. Does not wait for the display to release the last frame.
    ///
    /// - Throws: `presentation` if the connection to the server is lost.
    public func finish(until deadline: HostTime) throws(RenderingError) -> Bool {
        try connection.readEvents()
        while true {
            readAnswer()
            let isDone = method == .present ? pending.isEmpty : !isShowing
            if isDone || !hasWindow { return true }
            guard HostTime.now() < deadline else { return false }
            try connection.wait(until: deadline)
        }
    }

    func newID() -> Int {
        lastID += 1
        return lastID
    }
}
