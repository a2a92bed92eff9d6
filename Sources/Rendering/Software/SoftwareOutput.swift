public import Geometry

/// Memory for a frame that the CPU draws and the output shows: BGRX pixels, top row first.
public struct FrameBuffer {
    /// The first byte of the top row, aligned to four bytes.
    public let memory: UnsafeMutableRawPointer
    /// The bytes from one row to the next.
    public let stride: Int
    /// The size of the frame, in pixels.
    public let size: PixelSize
    /// Identifies the buffer within its output. A buffer returned again under the same ID still has its content; one
    /// whose content is unknown has a new ID.
    public let id: Int

    public init(memory: UnsafeMutableRawPointer, stride: Int, size: PixelSize, id: Int) {
        self.memory = memory
        self.stride = stride
        self.size = size
        self.id = id
    }
}

/// Shows the software renderer's frames: a window, or memory. Any thread that holds `RenderLock`.
public protocol SoftwareOutput: AnyObject {
    /// How frames reach the screen, for the statistics: "X Present", "shared memory", "X socket", "memory".
    var methodName: String { get }
    /// Whether a frame can be shown without waiting for earlier ones.
    var isReady: Bool { get }
    /// Returns a buffer of `size`, which must not be empty, for the next frame. Waits up to a few refreshes for a
    /// buffer that the display no longer reads. Returns nil if the display keeps all buffers because the window is
    /// not visible; the frame is then skipped.
    ///
    /// - Throws: `allocation` if memory runs out, `presentation` if the window system does not answer.
    func takeBuffer(_ size: PixelSize) throws(RenderingError) -> FrameBuffer?
    /// Shows the content of the last buffer taken, at the next refresh if the display has refreshes.
    ///
    /// - Parameter changed: The area that differs from the previous frame; nil if unknown.
    /// - Throws: `presentation` if the connection to the window system is lost.
    func show(_ buffer: FrameBuffer, changed: PixelRect?) throws(RenderingError)

    /// Allocates `count` pictures of `size`, `stride` bytes apart, that can be shown directly; nil if only buffers can
    /// be shown.
    func makePictures(_ size: PixelSize, stride: Int, count: Int) -> (any OutputPictures)?
    /// Whether `picture` can be shown now as the only change in a frame of `size`. May wait like `takeBuffer`.
    ///
    /// - Throws: `presentation` if the connection to the window system is lost.
    func canShow(_ picture: OutputPicture, inFrame size: PixelSize) throws(RenderingError) -> Bool
    /// Shows a picture directly, at the next refresh if the display has refreshes. `canShow` must have returned true
    /// for it. The picture is held until the display no longer reads it.
    ///
    /// - Parameter changed: The area of the frame that has changed, inside the picture's rectangle.
    ///
    /// - Throws: `presentation` if the connection to the window system is lost.
    func show(_ picture: OutputPicture, changed: PixelRect) throws(RenderingError)
}

extension SoftwareOutput {
    public var isReady: Bool { true }
    public func makePictures(_ size: PixelSize, stride: Int, count: Int) -> (any OutputPictures)? { nil }
    public func canShow(_ picture: OutputPicture, inFrame size: PixelSize) -> Bool { false }
    public func show(_ picture: OutputPicture, changed: PixelRect) {}
}

/// BGRA pictures without row padding that an output can show directly. Any thread that holds `RenderLock`; the memory
/// may be used on any thread.
public protocol OutputPictures: AnyObject {
    /// The memory of all pictures, one after the other.
    var memory: any PicturesMemory { get }
}

/// One of an output's pictures and its position in a frame. Any thread that holds `RenderLock`.
public struct OutputPicture {
    /// The set of pictures that it belongs to.
    public let pictures: any OutputPictures
    /// The picture's index in `pictures`, from 0.
    public let index: Int
    /// The picture's rectangle in the frame, at its own size.
    public let rect: PixelRect
    /// Keeps the picture from being overwritten while the display reads it.
    public let holds: any PictureHolds

    public init(pictures: any OutputPictures, index: Int, rect: PixelRect, holds: any PictureHolds) {
        self.pictures = pictures
        self.index = index
        self.rect = rect
        self.holds = holds
    }
}

/// Counts the users of some pictures: a picture is not overwritten until every hold on it is released. Any thread.
public protocol PictureHolds: AnyObject, Sendable {
    /// Keeps picture `index` from being overwritten until it is released.
    func hold(_ index: Int)
    /// Ends one `hold` on picture `index`.
    func release(_ index: Int)
}

/// Memory for pictures, freed with the last reference. Any thread.
public protocol PicturesMemory: AnyObject, Sendable {
    /// The first byte; valid as long as this object.
    var address: UnsafeMutableRawPointer { get }
    /// Reserves memory for the first `byteCount` bytes; required before they are written. Returns false if out of
    /// memory.
    func reserve(_ byteCount: Int) -> Bool
}
