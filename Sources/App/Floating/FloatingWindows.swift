import GlissadeGeometry
import GlissadeInput
import GlissadeNavigation
import GlissadePresentation
import GlissadeTime

/// The floating windows of the video, the subtitle lines and the clock. Main thread.
@MainActor final class FloatingWindows: Advancing {
    private var sessions: [FloatingSession] = []
    let context: FloatingSession.Context
    /// Receives the events of all sessions. Must be set before a session is used.
    weak var owner: (any FloatingSessionOwner & FloatingDelegate)?

    init(_ context: FloatingSession.Context) { self.context = context }

    /// Returns the session of a kind, creating it on first use; nil if there is neither a session nor an owner.
    func session(_ kind: FloatingWindowPositions.Kind) -> FloatingSession? {
        if let session = existing(kind) { return session }
        guard let owner else { return nil }
        let session = FloatingSession(kind, context: context, owner: owner)
        sessions.append(session)
        return session
    }

    private func existing(_ kind: FloatingWindowPositions.Kind) -> FloatingSession? {
        sessions.first { $0.kind == kind }
    }

    /// The open windows, which the frame loop draws.
    private(set) var visible: [any FrameLoopWindow] = []

    /// The sessions whose window is open, being opened or being closed, in the order of their first use.
    var open: [FloatingSession] { sessions.filter(\.isOpen) }
    /// Whether the video's window is open, being opened or being closed.
    var isVideoFloating: Bool { existing(.film)?.isOpen == true }
    /// Whether only the floating window shows the video: it has shown a frame, and the video is not returning to
    /// its page.
    var isVideoOnlyFloating: Bool { existing(.film).map { $0.floating.isActive && !$0.floating.isRestoring } ?? false }
    /// Whether a window is being opened or closed.
    var isTransitioning: Bool { sessions.contains(where: \.isTransitioning) }
    var videoElement: VideoElement? { existing(.film)?.floating.element as? VideoElement }
    var linesElement: SubtitleLinesElement? { existing(.lines)?.floating.element as? SubtitleLinesElement }

    /// Starts returning the floating video to the player's page. Returns false if no video is floating, or if the video
    /// is already returning.
    @discardableResult func restoreVideo() -> Bool { existing(.film)?.floating.restore() ?? false }

    func stopVideo() { if isVideoFloating { existing(.film)?.floating.stop() } }

    /// Updates the window of a kind, if it is open, after its element's title or aspect ratio has changed.
    func elementChanged(_ kind: FloatingWindowPositions.Kind) { existing(kind)?.elementChanged() }

    /// Updates `visible` after a window was opened or closed.
    func update() {
        visible = sessions.compactMap { $0.isOpen ? $0.window : nil }.filter { $0.element != nil }
    }

    /// Returns the areas of the open windows, except that of `session`, in the window system's units.
    func areas(except session: FloatingSession) -> [PixelRect] {
        open.compactMap { $0 === session ? nil : $0.window?.window.area }
    }

    // MARK: - All sessions

    func advance(to now: HostTime) -> Bool {
        for session in sessions { session.advance() }
        return false
    }

    func openWaiting() { for session in sessions { session.openWaiting() } }
    func show(isPlaying: Bool) { for session in sessions { session.show(isPlaying: isPlaying) } }
    func rememberPositions() { for session in sessions { session.rememberPosition() } }
    func hide() { for session in sessions { session.window?.window.hide() } }
}
