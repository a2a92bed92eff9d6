public import Geometry

/// Memory for one frame drawn by the CPU, from which it is shown: BGRX pixels, top row first.
public struct FrameBuffer {
    /// The first byte of the top row, aligned to four bytes.
    public let memory: UnsafeMutableRawPointer
    /// The bytes from one row to the next.
    public let stride: Int
    /// The size of the frame, in pixels.
    public let size: PixelSize
    /// Identifies the buffer within its output. The buffer keeps its content until it is drawn into again; a buffer
    /// whose content is unknown has a new number.
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
    /// Returns a buffer of `size`, which is not empty, for the next frame. Waits up to a few refreshes until the
    /// display no longer reads one. Returns nil if the display keeps all of them, because the window is not visible;
    /// the frame is then left out.
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
    /// Shows the part `changed` of a picture after `canShow`, at the next refresh if the display has refreshes. The
    /// picture is retained until the display no longer reads it.
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
    /// The pictures that it belongs to.
    public let pictures: any OutputPictures
    /// Its number among `pictures`, from 0.
    public let index: Int
    /// Its position in the frame, with the size of the picture.
    public let rect: PixelRect
    /// Prevents it from being overwritten while it is being read.
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
    /// Reserves memory for the first `byteCount` bytes before they are first written. False if there is none.
    func reserve(_ byteCount: Int) -> Bool
}
