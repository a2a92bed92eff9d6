import GlissadeCGLFW
import GlissadePlatform
public import GlissadePresentation
public import GlissadeTime

extension Window {
    /// Replaces the content of `taken` with the events since the last call, in order. Allocates nothing if the caller
    /// passes the same array each time.
    public func drainEvents(into taken: inout [WindowEvent]) {
        eventQueue.take(into: &taken)
    }

    /// Sleeps until any window has an event, `wake` is called, or `deadline` passes. Nil means no deadline.
    ///
    /// If the deadline has already passed, only collects pending events.
    public func wait(until deadline: HostTime?) {
        XErrors.ignoreForeign()
        if let seconds = deadline.map({ ($0 - .now()).inSeconds }) {
            if seconds > 0 { glfwWaitEventsTimeout(seconds) } else { glfwPollEvents() }
        } else {
            glfwWaitEvents()
        }
        PointerTimes.finishEvents()
        Touches.deliver()
        Self.pollChanged()
        FileDrops.deliver(x11.connection)
    }

    /// Ends the current call of `wait`. If no call is in progress, the next call returns at once. Any thread.
    public nonisolated static func wake() { GLFW.wake() }
}
