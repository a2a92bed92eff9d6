public import GlissadeGeometry

/// Memory for one frame of a window. The CPU draws the frame into the memory, and the output shows it. Pixels are BGRX,
/// top row first.
public struct FrameBuffer {
    /// The first byte of the top row, aligned to four bytes.
    public let memory: UnsafeMutableRawPointer
    /// The bytes from one row to the next.
    public let stride: Int
    /// The size of the frame, in pixels.
    public let size: PixelSize
    /// The ID of the buffer within its output. If `takeBuffer` returns a buffer with the same ID again, the buffer
    /// still has its previous content. A buffer whose content is unknown has a new ID.
    public let id: Int

    public init(memory: UnsafeMutableRawPointer, stride: Int, size: PixelSize, id: Int) {
        self.memory = memory
        self.stride = stride
        self.size = size
        self.id = id
    }
}

/// Shows the frames that the software renderer draws, in a window or only in memory.
///
/// Threads: any thread that holds `RenderLock`.
public protocol SoftwareOutput: AnyObject {
    /// How frames reach the screen, for the statistics: "X Present", "shared memory", "X socket" or "memory".
    var methodName: String { get }
    /// Whether a frame can be shown without waiting for earlier frames.
    var isReady: Bool { get }
    /// Returns a buffer of `size` for the next frame. May wait a few refreshes for a buffer that the display no longer
    /// reads. Returns nil if the display keeps all buffers, for example because the window is not visible. The frame is
    /// then skipped.
    ///
    /// - Throws: `emptyPicture`, `tooLarge` if the output does not support the size, `allocation` if memory runs out,
    ///   or `presentation` if the window system does not answer.
    func takeBuffer(_ size: PixelSize) throws(RenderingError) -> FrameBuffer?
    /// Shows the content of `buffer`, which must be the last buffer taken. Shows it at the next refresh or, if the
    /// output cannot wait for a refresh, immediately.
    ///
    /// - Parameter changed: The area that differs from the previous frame; nil if unknown.
    /// - Throws: `presentation` if the connection to the window system is lost.
    func show(_ buffer: FrameBuffer, changed: PixelRect?) throws(RenderingError)

    /// Allocates memory for `count` pictures of `size` that can be shown directly, at intervals of `stride` bytes. Nil
    /// if the output can show only buffers, or if the memory cannot be allocated.
    func makePictures(_ size: PixelSize, stride: Int, count: Int) -> (any OutputPictures)?
    /// Whether `picture` can be shown now as the only change in a window's frame of `size`. May wait a few refreshes,
    /// like `takeBuffer`.
    ///
    /// - Throws: `presentation` if the connection to the window system is lost.
    func canShow(_ picture: OutputPicture, inFrame size: PixelSize) throws(RenderingError) -> Bool
    /// Shows a picture directly: at the next refresh or, if the output cannot wait for a refresh, immediately.
    /// `canShow` must have returned true for the picture. The picture is held until the display no longer reads it.
    ///
    /// - Parameter changed: The area of the frame that has changed, inside the picture's rectangle.
    /// - Throws: `presentation` if the connection to the window system is lost.
    func show(_ picture: OutputPicture, changed: PixelRect) throws(RenderingError)
}

extension SoftwareOutput {
    public var isReady: Bool { true }
    public func makePictures(_ size: PixelSize, stride: Int, count: Int) -> (any OutputPictures)? { nil }
    public func canShow(_ picture: OutputPicture, inFrame size: PixelSize) -> Bool { false }
    public func show(_ picture: OutputPicture, changed: PixelRect) {}
}

/// Pictures that an output can show directly: frames of a surface, in BGRA without row padding.
///
/// Threads: any thread that holds `RenderLock`. Any thread may use the memory.
public protocol OutputPictures: AnyObject {
    /// The memory of all pictures, one after the other.
    var memory: any PicturesMemory { get }
}

/// A picture to show directly, and its position in the frame of the window.
///
/// Threads: any thread that holds `RenderLock`.
public struct OutputPicture {
    /// The set of pictures that the picture belongs to.
    public let pictures: any OutputPictures
    /// The picture's index in `pictures`, from 0.
    public let index: Int
    /// The rectangle of the window's frame in which the picture is shown. It has the size of the picture.
    public let rect: PixelRect
    /// The holds on `pictures`, which keep a picture from being overwritten while the display reads it.
    public let holds: any PictureHolds

    public init(pictures: any OutputPictures, index: Int, rect: PixelRect, holds: any PictureHolds) {
        self.pictures = pictures
        self.index = index
        self.rect = rect
        self.holds = holds
    }
}

/// Counts the users of each picture. A picture is not overwritten until every hold on it is released.
///
/// Threads: any.
public protocol PictureHolds: AnyObject, Sendable {
    /// Keeps picture `index` from being overwritten, until a matching call of `release`.
    func hold(_ index: Int)
    /// Releases one hold on picture `index`.
    func release(_ index: Int)
}

/// Memory for pictures, freed when the last reference to this object is released.
///
/// Threads: any.
public protocol PicturesMemory: AnyObject, Sendable {
    /// The first byte of the memory, valid as long as this object exists.
    var address: UnsafeMutableRawPointer { get }
    /// Reserves memory for the first `byteCount` bytes. Must be called before these bytes are written. Returns false if
    /// out of memory.
    func reserve(_ byteCount: Int) -> Bool
}
