import CGLFW
public import Gestures
import Host
public import Motion

extension Window {
    /// Hands over what happened since the last call, in order. `taken`'s storage is kept for what happens next, so that
    /// a loop that gives the same array each time allocates nothing.
    public func takeEvents(into taken: inout [WindowEvent]) {
        recorder.take(into: &taken)
        direct?.holdHand(&taken, isSeen: isVisible)
    }

    /// Whether the first that a hand did waits until `admitHand` is called, so that who draws may make ready what it will
    /// want. Only where the window was begun without OpenGL: elsewhere that was long before.
    public var holdsFirstHand: Bool {
        get { direct?.isHandForClient ?? false }
        set { direct?.isHandForClient = newValue }
    }

    /// Whether an input acts on nothing that OpenGL or `admitHand` is waited for, and comes at once though the first hand's
    /// inputs wait. Those that come after one that waits do so, too: their order stays. As with `holdsFirstHand`, it is nil for
    /// ever where the window was not begun without OpenGL.
    public var answersAtOnce: (@MainActor (InputEvent) -> Bool)? {
        get { direct?.answersAtOnce }
        set { direct?.answersAtOnce = newValue }
    }

    /// Whether pictures are shown without OpenGL, and nothing else can be drawn.
    public var isDirect: Bool { direct?.isDirect ?? false }

    /// Whether it waits for that now, and for nothing else.
    public var isHandWaiting: Bool { direct?.isHandWaiting ?? false }

    /// Whether what a hand does would wait for `admitHand`, and for nothing else.
    public var expectsHand: Bool { direct?.expectsHand ?? false }

    public func admitHand() { direct?.admitHand() }

    /// Sleeps until something happens to a window, `wake` is called, or `deadline` is past; for ever without one.
    ///
    /// A deadline that is already past only collects what has happened.
    public func wait(until deadline: HostTime?) {
        XErrors.ignoreForeign()
        if let seconds = deadline.map({ ($0 - .now()).inSeconds }) {
            if seconds > 0 { glfwWaitEventsTimeout(seconds) } else { glfwPollEvents() }
        } else {
            glfwWaitEvents()
        }
        Self.lookAtChanged()
        FileDrops.deliver()
    }

    /// Ends a `wait` that is going on, or the next one. Any thread.
    public nonisolated static func wake() { GLFW.wake() }
}
