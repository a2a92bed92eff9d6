import Host
public import Motion
public import Rendering
public import Stage

/// What the frame loop runs: takes in what happens, and says what there is to see.
@MainActor public protocol FrameClient: AnyObject {
    /// Windows beside the loop's own; they may come and go at any time.
    var panes: [any FramePane] { get }
    /// One thing that happened, in its order.
    func handle(_ event: WindowEvent, now: HostTime)
    /// Time has passed; news from threads may have come.
    func advance(to now: HostTime)
    /// When the next video frame is to be seen.
    var nextFrameDue: HostTime? { get }
    /// When `advance` must be called again in any case.
    func nextWake(now: HostTime) -> HostTime?
    /// Whether something moves that wants the display's rate.
    var isAnimating: Bool { get }
    /// Whether something has changed that is not on screen yet.
    var needsRedraw: Bool { get }
    /// Whether what is on screen lies where it does not belong, in a window that has jumped: it is drawn at once, between
    /// two ticks of what moves.
    var isMisplaced: Bool { get }
    /// Nobody sees any window: lets go of the frames that are due by `time`.
    func skip(to time: HostTime)
    /// Takes the newest video frame that is due by `framesBy` and brings it to the GPU, for a draw that will be seen at
    /// `time`; whether there was one. Called once a draw, before anything is composed, with the loop's own context current.
    func update(visibleAt time: HostTime, framesBy: HostTime) -> Bool
    /// Whether a draw now would change what the loop's own window shows. It is drawn in any case where it needs that.
    func wantsDraw(hasNewFrame: Bool) -> Bool
    /// What is to be seen at `time` in the loop's own window. May be called again for the same frame, where the window has
    /// changed meanwhile.
    func compose(_ list: inout DisplayList, scale: Double, visibleAt time: HostTime)
    /// The picture for a surface of the list.
    func texture(for surface: SurfaceID) -> SurfaceTexture?
    /// The frame was drawn and is about to be swapped: it can still be read back, where windows do not show parts.
    func willPresent(_ pixels: PixelSize)
    /// The frame is on screen since `time`.
    func didPresent(at time: HostTime)
    /// Whether the loop is to end.
    var isFinished: Bool { get }
}

extension FrameClient {
    public var panes: [any FramePane] { [] }
    public func wantsDraw(hasNewFrame: Bool) -> Bool { true }
    public var isMisplaced: Bool { false }
}

/// Something that a frame loop can be run on: where it draws, and where its events come from.
@MainActor public protocol FrameSurface: DrawableSurface {
    /// Hands over what has happened since the last call.
    func takeEvents(into taken: inout [WindowEvent])
    /// Sleeps until an event, a wake-up from another thread, or `deadline`; nil waits for as long as it takes, a deadline
    /// that has passed only looks.
    func wait(until deadline: HostTime?)
    /// Sleeps until then, whatever happens: the few milliseconds for which a picture is held that is ready before it is due.
    func hold(until time: HostTime)
    /// Takes note of where the window is and how large: what is drawn next is for that. False where events that say so have
    /// not been taken yet.
    func beginFrame() -> Bool
    /// Whether that is still so, as the window system has it: asked right before a swap.
    var isCurrent: Bool { get }
    /// Whether a part of what was drawn can be shown, and all of it stays there to be drawn upon.
    var showsParts: Bool { get }
    /// Shows `part`, which is not empty, of what was drawn for a window of `size`; only where `showsParts`.
    func show(_ part: PixelRect, of size: PixelSize)
    /// Where in it it was before it grew to what it is, in device pixels; nil where it has not grown, or cannot `fill`.
    var formerArea: PixelRect? { get }
    /// Has the window system paint all of a window of `size` but `part`, right after `part` was shown: some drivers (Mesa 25's
    /// rasterizer) show what is around it as well. Only where `formerArea` is known. What is drawn into stays as it is.
    func fill(around part: PixelRect, of size: PixelSize, _ color: Color)
    /// Makes the context of a surface that was begun without one, once that can be done at once, a step with each call. True
    /// when it was now that it came into use.
    func settle() throws(RenderingError) -> Bool
    /// What shows pictures while there is no context; nil where there is one from the beginning.
    var direct: DirectPictures? { get }
    /// When `look` is to be called though nothing is drawn; nil where it need not be.
    var nextLook: HostTime? { get }
    /// Sees what the window system has made of the window since, of which no event may tell.
    func look(at now: HostTime)
}

extension FrameSurface {
    public func hold(until time: HostTime) { time.sleep() }
    public func beginFrame() -> Bool { true }
    public var isCurrent: Bool { true }
    public var showsParts: Bool { false }
    public func show(_ part: PixelRect, of size: PixelSize) { swap() }
    public var formerArea: PixelRect? { nil }
    public func fill(around part: PixelRect, of size: PixelSize, _ color: Color) {}
    public func settle() throws(RenderingError) -> Bool { false }
    public var direct: DirectPictures? { nil }
    public var nextLook: HostTime? { nil }
    public func look(at now: HostTime) {}
}
