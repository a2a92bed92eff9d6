import CGLFW
import Platform
public import Presentation
public import Time

extension Window {
    /// Hands over what happened since the last call, in order. `taken`'s storage is kept for what happens next, so that
    /// a loop that gives the same array each time allocates nothing.
    public func drainEvents(into taken: inout [WindowEvent]) {
        recorder.take(into: &taken)
    }

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
