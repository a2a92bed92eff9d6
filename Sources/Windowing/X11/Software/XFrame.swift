import CXCB
import Geometry
import Rendering

/// One of a window's frames in memory, and what the server has of it. Main thread.
///
/// There is memory in the window's own format, which the server reads or is sent, and, where that is not what frames are
/// drawn in, other memory for drawing.
@MainActor package final class XFrame {
    /// Rows of the window's pixels.
    let memory: FrameMemory
    /// The server's name for that memory; 0 where it does not know of it.
    let segment: UInt32
    /// What is drawn into; nil where that is `memory`.
    private let drawing: FrameMemory?
    /// The server's name for that memory as a picture of `size`; 0 where it has none.
    private(set) var pixmap: UInt32 = 0
    private(set) var size = PixelSize(width: 0, height: 0)
    /// See `FrameBuffer`.
    var id = 0
    /// What differs between what was drawn and the rows of the window's pixels.
    var unconverted: PixelRect?
    /// Whether the server may still read from it.
    var isBusy = false
    /// The number it was shown by last.
    var serial: UInt32 = 0
    /// Requests whose errors are this frame's, by their places in the connection's sequence.
    var request: UInt32 = 0
    private var pixmapRequest: UInt32 = 0

    private let connection: XConnection
    private let format: XPixelFormat

    /// Takes memory over, which the server knows as `segment`, or not.
    init(
        _ memory: FrameMemory, segment: UInt32, drawing: FrameMemory?, format: XPixelFormat, on connection: XConnection
    ) {
        self.memory = memory
        self.segment = segment
        self.drawing = drawing
        self.format = format
        self.connection = connection
    }

    /// The server forgets it; what it still reads from stays until it has done so.
    isolated deinit {
        if pixmap != 0 { xcb_free_pixmap(connection.raw, pixmap) }
        if segment != 0 { xcb_shm_detach(connection.raw, segment) }
    }

    /// From one row of the window's pixels to the next, in bytes.
    var stride: Int { format.stride(width: size.width) }

    /// As it is lent for drawing.
    var buffer: FrameBuffer {
        FrameBuffer(
            memory: drawing?.address ?? memory.address, stride: drawing == nil ? stride : size.width * 4, size: size,
            id: id)
    }

    /// Makes it a frame of another size, whose content is not known. Nobody reads from it. False where that is more than it
    /// can hold.
    func resize(to size: PixelSize) -> Bool {
        guard memory.resize(to: format.stride(width: size.width) * size.height),
            drawing?.resize(to: size.width * 4 * size.height) ?? true
        else { return false }
        self.size = size
        unconverted = PixelRect(size: size)
        if pixmap != 0 { xcb_free_pixmap(connection.raw, pixmap) }
        pixmap = 0
        return true
    }

    /// Has the server take the memory for a picture that can be shown in `window`.
    func makePixmap(for window: UInt32) {
        // A name that was given back can be given again; a window that is resized for hours would use them up.
        if pixmapName == 0 { pixmapName = xcb_generate_id(connection.raw) }
        pixmap = pixmapName
        let cookie = xcb_shm_create_pixmap(
            connection.raw, pixmap, window, UInt16(size.width), UInt16(size.height), UInt8(format.depth), segment, 0)
        pixmapRequest = cookie.sequence
    }
    private var pixmapName: UInt32 = 0

    /// Whether a request that the server has refused was one for this frame.
    func hasSent(_ sequence: UInt32) -> Bool {
        sequence != 0 && (sequence == request || pixmap != 0 && sequence == pixmapRequest)
    }

    /// Adds to what differs.
    func isOutdated(in area: PixelRect) {
        guard drawing != nil, !area.isEmpty else { return }
        unconverted = unconverted?.union(area) ?? area
    }

    /// Makes the window's pixels of what was drawn, where they differ.
    func convert(by converter: XPixelConverter?) {
        guard let drawing, let converter, let area = unconverted?.intersection(PixelRect(size: size)) else { return }
        unconverted = nil
        guard !area.isEmpty else { return }
        for row in area.minY..<area.maxY {
            converter.convert(
                drawing.address + (row * size.width + area.minX) * 4, count: area.width,
                into: memory.address + row * stride + area.minX * format.bitsPerPixel / 8)
        }
    }
}
