public import Geometry

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

    /// Makes memory for `count` pictures of `size`, of which each begins `stride` bytes after the one before, to be shown from
    /// there; nil where only buffers are shown.
    func makePictures(_ size: PixelSize, stride: Int, count: Int) -> (any OutputPictures)?
    /// Whether `picture` can be shown now with nothing else of a frame of `size`: the rest of that is on show. May wait as
    /// `takeBuffer` does.
    ///
    /// - Throws: `presentation` where the window system has gone.
    func canShow(_ picture: OutputPicture, inFrame size: PixelSize) throws(RenderingError) -> Bool
    /// Shows a picture alone, after `canShow`: what of `picture.rect` is in `changed`, at the next refresh where there are
    /// refreshes. It is kept until nobody reads from it.
    ///
    /// - Throws: `presentation` where the window system has gone.
    func show(_ picture: OutputPicture, changed: PixelRect) throws(RenderingError)
}

extension SoftwareOutput {
    public func makePictures(_ size: PixelSize, stride: Int, count: Int) -> (any OutputPictures)? { nil }
    public func canShow(_ picture: OutputPicture, inFrame size: PixelSize) -> Bool { false }
    public func show(_ picture: OutputPicture, changed: PixelRect) {}
}

/// BGRA pictures, rows without gaps, that an output can show without their being drawn. Main thread; the memory is any
/// thread's.
@MainActor public protocol OutputPictures: AnyObject {
    nonisolated var memory: any PicturesMemory { get }
}

/// One of an output's pictures, and where in a frame it lies. Main thread.
public struct OutputPicture {
    public let pictures: any OutputPictures
    public let index: Int
    public let rect: PixelRect
    /// Keeps it from being written, for whoever reads from it.
    public let holds: any PictureHolds

    public init(pictures: any OutputPictures, index: Int, rect: PixelRect, holds: any PictureHolds) {
        self.pictures = pictures
        self.index = index
        self.rect = rect
        self.holds = holds
    }
}

/// Who needs which of some pictures: one is not written before each hold on it was released. Any thread.
public protocol PictureHolds: AnyObject, Sendable {
    func hold(_ index: Int)
    func release(_ index: Int)
}

/// Memory for pictures, given back with the last reference. Any thread.
public protocol PicturesMemory: AnyObject, Sendable {
    var address: UnsafeMutableRawPointer { get }
    /// Has the system's memory for the first `byteCount` bytes, before they are written for the first time. False where there
    /// is none.
    func reserve(_ byteCount: Int) -> Bool
}
