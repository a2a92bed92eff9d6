import CGLFW
import CXCB
public import Geometry
import Glibc
import Platform
public import Rendering
public import Time

/// Shows frames that the CPU has drawn in a window of an X server's, without OpenGL. Main thread.
///
/// Two or three frames are in memory that the server has too, a fourth where the display keeps them. Each is shown at a
/// refresh by the X Present extension, after those before it, and is drawn into again once the server has done with it.
/// Where one of that is missing, frames get there by the next of the `XPresentationMethod`s: the output finds out by trying.
///
/// It has the window keep its content as it is resized and paints no background, so that nothing but frames is ever seen.
@MainActor public final class XSoftwareOutput: SoftwareOutput {
    /// How many frames there are at most.
    static let largestCount = 4
    /// How many are usual. A display reads from one until another takes its place; without one, the server is done at once.
    var usualCount: Int { presentation != nil && connection.hasDisplay ? 3 : 2 }
    /// How long a frame is waited for that the server has.
    static let patience = Duration.milliseconds(100)
    /// The longest edge of anything that X11 draws, in pixels.
    public static let longestEdge = 32_767

    /// The window's number at the server.
    public let window: UInt32
    /// The connection to the X server, shared by all windows.
    public let connection: XConnection
    /// By which of the ways frames are shown now. A way that fails makes room for the next.
    public internal(set) var showingWay: XPresentationMethod
    public var way: String { showingWay.rawValue }
    /// How many frames were shown: the last one's `ShownFrame.serial`, as far as that goes.
    public internal(set) var shownCount = 0
    /// The last frame that the display has answered; nil where it does not, and at the beginning.
    public internal(set) var lastShown: ShownFrame?
    /// Whether the window is still there.
    public internal(set) var hasWindow = true

    let format: XPixelFormat
    let converter: XPixelConverter?
    let context: UInt32
    var writer: XSocketWriter
    var frames: [XFrame] = []
    /// The one that is being drawn.
    package var taken: XFrame?
    private var lastID = 0
    /// What the window has is not what was shown before.
    var isContentLost = true
    var sizeShown = PixelSize(width: 0, height: 0)
    var answers: [ShownFrame] = []
    /// Whether the display kept all frames when the last was asked for: the next is not waited for.
    var isStalled = false
    /// Frames that Present has not answered yet.
    var pending: Set<UInt32> = []
    /// When the server is listened to though nothing is drawn.
    private var lookTime = HostTime(nanoseconds: 0)
    var presentation: XPresentation?
    var shownPictures: [ShownPicture] = []
    /// Whether pictures can be shown as they are, as far as is known.
    var takesPictures = true
    /// By the connection, the question whose answer says that the server has taken a frame.
    var question: UInt32?

    /// Makes a window of GLFW's show frames.
    ///
    /// - Throws: `unavailable` where GLFW speaks to something else than X11, and as the other initializer does.
    convenience init(of handle: OpaquePointer) throws(RenderingError) {
        guard let (_, window) = XWindow.names(of: handle) else { throw .unavailable("the window is none of X11's") }
        // By a question, the server has the window before its name comes by another connection.
        _ = XWindow(handle)?.area
        try self.init(window: UInt32(window), on: .shared())
    }

    /// Makes a window show frames. Three round trips.
    ///
    /// - Parameters:
    ///   - window: its number; the server knows it already (see `XConnection`). One output for a window.
    ///   - first: the way to begin with, where the server has it.
    /// - Throws: `unavailable` where the server does not know the window, or its pixels are not made of three colours;
    ///   `presentation` where the server has gone.
    public init(
        window: UInt32, on connection: XConnection, from first: XPresentationMethod = .present
    ) throws(RenderingError) {
        try connection.check()
        let raw = connection.raw
        let attributes = xcb_get_window_attributes_reply(raw, xcb_get_window_attributes(raw, window), nil)
        let geometry = xcb_get_geometry_reply(raw, xcb_get_geometry(raw, window), nil)
        defer {
            free(attributes)
            free(geometry)
        }
        try connection.check()
        guard let attributes = attributes?.pointee, let geometry = geometry?.pointee else {
            throw .unavailable("the X server does not know the window 0x\(String(window, radix: 16))")
        }
        guard let format = XPixelFormat(glissade_xcb_visual(raw, attributes.visual, Int32(geometry.depth))) else {
            throw .unavailable("the window's pixels are not made of red, green and blue")
        }
        self.window = window
        self.connection = connection
        self.format = format
        converter = format.isPlain ? nil : XPixelConverter(format)
        context = xcb_generate_id(raw)
        writer = XSocketWriter(connection, window: window, context: context, format: format)
        let best: XPresentationMethod =
            connection.hasPresent ? .present : connection.hasSharedMemory ? .sharedMemory : .socket
        let ways = XPresentationMethod.allCases
        showingWay = ways.drop { $0 != best }.first { !ways.prefix { $0 != first }.contains($0) } ?? .socket

        // Values are in the order of their bits: background None, static gravity.
        let events = XCB_EVENT_MASK_EXPOSURE.rawValue | XCB_EVENT_MASK_STRUCTURE_NOTIFY.rawValue
        let mask = XCB_CW_BACK_PIXMAP.rawValue | XCB_CW_BIT_GRAVITY.rawValue | XCB_CW_EVENT_MASK.rawValue
        let changed = xcb_change_window_attributes_checked(
            raw, window, mask, [0, XCB_GRAVITY_STATIC.rawValue, events])
        // Copies tell of nothing by themselves.
        let made = xcb_create_gc_checked(raw, context, window, XCB_GC_GRAPHICS_EXPOSURES.rawValue, [0])
        guard connection.isDone(changed), connection.isDone(made) else {
            try connection.check()
            throw .unavailable("the window 0x\(String(window, radix: 16)) takes no pictures")
        }
        connection.add(self)
        if showingWay == .present { beginPresenting() }
    }

    isolated deinit {
        connection.remove(window)
        picturesAreIdle()
        frames = []
        presentation?.end()
        xcb_free_gc(connection.raw, context)
        xcb_flush(connection.raw)
    }

    // MARK: - Frames

    public func takeBuffer(_ size: PixelSize) throws(RenderingError) -> FrameBuffer? {
        guard !size.isEmpty else { throw .emptyPicture }
        guard max(size.width, size.height) <= Self.longestEdge else { throw .tooLarge(size, limit: Self.longestEdge) }
        try connection.readEvents()
        if let unshown = taken {
            // Nobody knows how much of it was drawn.
            unshown.id = newID()
            unshown.isOutdated(in: PixelRect(size: unshown.size))
            taken = nil
        }
        taken = try nextFrame(size)
        return taken?.buffer
    }

    public func show(_ buffer: FrameBuffer, changed: PixelRect?) throws(RenderingError) {
        try show(buffer, changed: changed, at: nil)
    }

    /// Shows what was drawn into the buffer that was taken last, at a refresh of the display.
    ///
    /// - Parameters:
    ///   - changed: all that looks otherwise than in the frame shown before; nil where that is not known.
    ///   - refresh: by the display's count (`ShownFrame.refresh`); nil, and a past one, is the next. Of frames for the same
    ///     refresh only the newest is seen. Where frames are not shown by X Present, they are shown now.
    /// - Throws: `presentation` where the server has gone.
    public func show(_ buffer: FrameBuffer, changed: PixelRect?, at refresh: UInt64?) throws(RenderingError) {
        guard let frame = taken, frame.id == buffer.id else {
            preconditionFailure("only the buffer that was taken last is shown")
        }
        taken = nil
        try connection.check()
        let whole = PixelRect(size: frame.size)
        let isWhole = isContentLost || frame.size != sizeShown
        let area = isWhole ? whole : changed?.intersection(whole) ?? whole
        for frame in frames where frame.size == buffer.size { frame.isOutdated(in: area) }
        shownCount += 1
        frame.serial = UInt32(truncatingIfNeeded: shownCount)
        lookSoon()
        guard hasWindow else { return }
        frame.convert(by: converter)
        switch showingWay {
        case .present: present(frame, area == whole ? nil : area, at: refresh)
        case .sharedMemory: put(frame, area)
        case .socket: send(frame, area)
        }
        (isContentLost, sizeShown) = (false, frame.size)
        xcb_flush(connection.raw)
        try connection.check()
    }

    /// What the display has answered since the last call, in the order of its refreshes; the newest 64. Nothing where frames
    /// are not shown by X Present. To be called after `XConnection.readEvents`, which `takeBuffer` does too.
    public func takeShown() -> [ShownFrame] {
        defer { answers.removeAll(keepingCapacity: true) }
        return answers
    }

    /// Whether the server has not yet done with all that was shown.
    public var isShowing: Bool {
        !pending.isEmpty || question != nil || !shownPictures.isEmpty || frames.contains { $0.isBusy }
    }

    /// When `look` is to be called though no frame is asked for; nil where the server has answered all of them.
    package var nextLook: HostTime? {
        let isUnanswered =
            !pending.isEmpty || question != nil || showingWay == .sharedMemory && frames.contains { $0.isBusy }
        return isUnanswered && hasWindow ? lookTime : nil
    }

    func lookSoon() { lookTime = .now() + Self.patience }

    /// Takes what the server has sent: whether the window lacks what was shown last.
    package func look(at now: HostTime) -> Bool {
        guard let nextLook, nextLook <= now else { return false }
        lookTime = now + .seconds(1)
        // Whoever shows the next frame hears that the server has gone.
        try? connection.readEvents()
        readAnswer()
        return isContentLost && hasWindow
    }

    /// Waits until the server has shown all frames, or until `deadline`; whether it has. A display may keep the last one:
    /// that is not waited for.
    ///
    /// - Throws: `presentation` where the server has gone.
    public func finish(until deadline: HostTime) throws(RenderingError) -> Bool {
        try connection.readEvents()
        while true {
            readAnswer()
            let isDone = showingWay == .present ? pending.isEmpty : !isShowing
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
