import CXCB
import Geometry
import Rendering

/// One of a window's frames in memory, with its server-side objects. Any thread that holds `RenderLock`.
///
/// Its memory has the window's pixel format and is read by the server or sent to it. If frames are drawn in another
/// format, there is separate memory for drawing.
package final class XFrame {
    /// Rows in the window's pixel format.
    let memory: FrameMemory
    /// The server's shared memory segment for it; 0 if there is none.
    let segment: UInt32
    /// The memory to draw into; nil if that is `memory`.
    private let drawing: FrameMemory?
    /// The server's pixmap of `size` for the memory; 0 if there is none.
    private(set) var pixmap: UInt32 = 0
    private(set) var size = PixelSize(width: 0, height: 0)
    /// See `FrameBuffer`.
    var id = 0
    /// The area that was drawn but not converted to the window's pixel format.
    var unconverted: PixelRect?
    /// Whether the server may still read it.
    var isBusy = false
    /// The number under which it was last shown.
    var serial: UInt32 = 0
    /// The sequence number of its last request, to attribute errors.
    var request: UInt32 = 0
    private var pixmapRequest: UInt32 = 0

    private let connection: XConnection
    private let format: XPixelFormat

    /// Takes ownership of memory, and of the server's `segment` for it, if any.
    init(
        _ memory: FrameMemory, segment: UInt32, drawing: FrameMemory?, format: XPixelFormat, on connection: XConnection
    ) {
        self.memory = memory
        self.segment = segment
        self.drawing = drawing
        self.format = format
        self.connection = connection
    }

    /// Frees the server's objects. An object that the server still reads remains until it has finished.
    deinit {
        if pixmap != 0 { xcb_free_pixmap(connection.raw, pixmap) }
        if segment != 0 { xcb_shm_detach(connection.raw, segment) }
    }

    /// The bytes from one row in the window's format to the next.
    var stride: Int { format.stride(width: size.width) }

    /// The buffer to draw into.
    var buffer: FrameBuffer {
        FrameBuffer(
            memory: drawing?.address ?? memory.address, stride: drawing == nil ? stride : size.width * 4, size: size,
            id: id)
    }

    /// Changes the size and invalidates the content. The server must not be reading the frame. False if the size
    /// exceeds the capacity.
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

    /// Makes the server use the memory as a pixmap that can be shown in `window`.
    func makePixmap(for window: UInt32) {
        // The ID is reused; a window resized for hours would use up all IDs.
        if pixmapName == 0 { pixmapName = xcb_generate_id(connection.raw) }
        pixmap = pixmapName
        let cookie = xcb_shm_create_pixmap(
            connection.raw, pixmap, window, UInt16(size.width), UInt16(size.height), UInt8(format.depth), segment, 0)
        pixmapRequest = cookie.sequence
    }
    private var pixmapName: UInt32 = 0

    /// Whether a failed request was one of this frame's.
    func hasSent(_ sequence: UInt32) -> Bool {
        sequence != 0 && (sequence == request || pixmap != 0 && sequence == pixmapRequest)
    }

    /// Adds to the unconverted area.
    func markOutdated(_ area: PixelRect) {
        guard drawing != nil, !area.isEmpty else { return }
        unconverted = unconverted?.union(area) ?? area
    }

    /// Converts the outdated area to the window's pixel format.
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
