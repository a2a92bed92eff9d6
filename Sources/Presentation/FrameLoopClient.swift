public import GlissadeGeometry
public import GlissadeLayers
public import GlissadeRendering
public import GlissadeTime

/// What a window of a frame loop wants from the loop.
public struct WindowDemand: Hashable, Sendable {
    /// Whether an animation needs a draw at every refresh.
    public var isAnimating: Bool
    /// Whether the window is out of date and must be redrawn at once.
    public var needsRedraw: Bool
    /// Whether the window's content is misplaced after a sudden change of the window's size. If true, a redraw does not
    /// wait for the next tick of an animation. Used for the main window only.
    public var needsImmediateRelayout: Bool
    /// Whether the window shows the film, so that it must be drawn when a frame was taken, and tells when the frame
    /// became visible.
    public var showsFilm: Bool

    public init(
        isAnimating: Bool = false, needsRedraw: Bool = false, needsImmediateRelayout: Bool = false,
        showsFilm: Bool = false
    ) {
        self.isAnimating = isAnimating
        self.needsRedraw = needsRedraw
        self.needsImmediateRelayout = needsImmediateRelayout
        self.showsFilm = showsFilm
    }

    /// Whether drawing the window now would change its appearance.
    ///
    /// - Parameter hasNewFrame: Whether a frame of the film was taken for this draw.
    func wantsDraw(hasNewFrame: Bool) -> Bool { isAnimating || hasNewFrame && showsFilm }
}

/// What a client wants from its frame loop.
public struct LoopDemand: Sendable {
    /// What the main window wants.
    public var window: WindowDemand
    /// Whether the main window's display refreshes whenever a frame arrives, rather than at a fixed rate.
    public var usesVariableRefresh: Bool
    /// Whether the loop should end.
    public var isFinished: Bool
    /// The error that ends the loop; nil if there is none.
    public var failure: RenderingError?

    public init(
        window: WindowDemand = WindowDemand(), usesVariableRefresh: Bool = false, isFinished: Bool = false,
        failure: RenderingError? = nil
    ) {
        self.window = window
        self.usesVariableRefresh = usesVariableRefresh
        self.isFinished = isFinished
        self.failure = failure
    }
}

/// The program that a frame loop runs. It handles events and decides what is drawn. Main thread.
@MainActor public protocol FrameLoopClient: AnyObject {
    /// The windows other than the main window. The list may change at any time.
    var secondaryWindows: [any FrameLoopWindow] { get }
    /// The film that is shown; nil if there is none. It may change at any time.
    var film: (any FrameLoopFilm)? { get }
    /// What the client wants now. Read several times in each iteration of the loop.
    var demand: LoopDemand { get }
    /// Handles one event of the main window. Events arrive in order.
    func handle(_ event: WindowEvent, now: HostTime)
    /// Advances the program to `now` and collects results from other threads. Called in each iteration of the loop.
    func advance(to now: HostTime)
    /// The latest time by which `advance` must be called again; nil if there is none.
    func nextWake(now: HostTime) -> HostTime?
    /// Lays out the film where a secondary window shows it, because the loop is about to fit a frame. The main window's
    /// place is known from its last layout, and is laid out again later.
    ///
    /// - Parameter hasNewFrame: Whether a frame was taken, so that the film's shape may have changed.
    func placeFilm(hasNewFrame: Bool)
    /// Lays out the main window for a frame that becomes visible at `time`. The loop then fits the film's frame to the
    /// new layout and calls `compose`. If the window changes before the frame is shown, both are called again for the
    /// same frame.
    func layout(scale: Double, visibleAt time: HostTime)
    /// Replaces the items of `list` with items that draw the current layout.
    func compose(_ list: inout DisplayList, scale: Double, visibleAt time: HostTime)
    /// Returns the target that holds the frames of a surface in the display list; nil if the surface has no target.
    func videoTarget(for surface: SurfaceID) -> (any VideoTarget)?
    /// Called just before a frame of the main window is shown, while the frame can still be read back. `pixels` is the
    /// frame's size.
    func willPresent(_ pixels: PixelSize)
    /// Called after a frame of the main window has been shown. `time` is the best estimate of when the frame becomes
    /// visible.
    func didPresent(at time: HostTime)
}

extension FrameLoopClient {
    public var secondaryWindows: [any FrameLoopWindow] { [] }
    public var film: (any FrameLoopFilm)? { nil }
    public func placeFilm(hasNewFrame: Bool) {}
    public func layout(scale: Double, visibleAt time: HostTime) {}
    public func willPresent(_ pixels: PixelSize) {}
}
