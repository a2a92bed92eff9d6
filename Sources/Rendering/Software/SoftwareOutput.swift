public import Motion

/// Memory that the CPU draws a frame into, and that is shown from: blue, green, red and a byte that means nothing; rows
/// from the top.
public struct FrameBuffer {
    public let memory: UnsafeMutableRawPointer
    /// From one row to the next, in bytes.
    public let stride: Int
    public let size: PixelSize
    /// Which of its output's buffers it is. What was drawn into it stays until it is drawn into again; one whose content
    /// is not known has a number that none had before.
    public let id: Int

    public init(memory: UnsafeMutableRawPointer, stride: Int, size: PixelSize, id: Int) {
        self.memory = memory
        self.stride = stride
        self.size = size
        self.id = id
    }
}

/// Where the software renderer's frames are shown: a window, or memory that only a test reads. Main thread.
@MainActor public protocol SoftwareOutput: AnyObject {
    /// How frames get to the screen, for the statistics: "X Present", "shared memory", "X socket", "memory".
    var way: String { get }
    /// Lends a buffer of `size`, which is not empty, for the next frame. Waits, at most for a few refreshes, until one is
    /// no longer read by the display; nil where it keeps all of them: nobody sees the window, and the frame is left out.
    ///
    /// - Throws: `allocation` where there is no memory, `presentation` where the window system does not answer.
    func takeBuffer(_ size: PixelSize) throws(RenderingError) -> FrameBuffer?
    /// Shows what was drawn into the buffer that was taken last, at the next refresh where there are refreshes.
    ///
    /// - Parameter changed: all that looks otherwise than in the frame shown before; nil where that is not known.
    /// - Throws: `presentation` where the window system has gone.
    func show(_ buffer: FrameBuffer, changed: PixelRect?) throws(RenderingError)
}
