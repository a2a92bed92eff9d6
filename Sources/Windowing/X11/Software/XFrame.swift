import GlissadeCXCB
import GlissadeGeometry
import GlissadeRendering

/// One of a window's frames in memory, with its server-side objects. Any thread that holds `RenderLock`.
///
/// `memory` has the window's pixel format. The server either reads `memory` directly, or receives the pixels over the
/// connection. If frames are drawn in another format, there is separate memory for drawing.
package final class XFrame {
    /// The pixels in the window's format.
    let memory: FrameMemory
    /// The server's shared memory segment for `memory`; 0 if there is none.
    let segment: UInt32
    /// Separate memory to draw into; nil to draw into `memory`.
    private let drawing: FrameMemory?
    /// The server's pixmap for `memory`; 0 if there is none.
    private(set) var pixmap: UInt32 = 0
    private(set) var size = PixelSize(width: 0, height: 0)
    /// The buffer's ID: see `FrameBuffer.id`.
    var id = 0
    /// The area that was drawn but not yet converted into `memory`; nil if there is none.
    var unconverted: PixelRect?
    /// Whether the server may still read the frame.
    var isBusy = false
    /// The serial number with which the frame was last shown (`ShownFrame.serial`); 0 if it was never shown.
    var serial: UInt32 = 0
    /// The sequence number of the frame's last request. Identifies the frame to which an error belongs.
    var request: UInt32 = 0
    private var pixmapRequest: UInt32 = 0

    private let connection: XConnection
    private let format: XPixelFormat

    /// Takes ownership of `segment`, the server's shared memory segment for `memory`; 0 if there is none.
    init(
        _ memory: FrameMemory, segment: UInt32, drawing: FrameMemory?, format: XPixelFormat, on connection: XConnection
    ) {
        self.memory = memory
        self.segment = segment
        self.drawing = drawing
        self.format = format
        self.connection = connection
    }

    /// Frees the server-side objects. The server keeps an object until it has finished reading it.
    deinit {
        if pixmap != 0 { xcb_free_pixmap(connection.raw, pixmap) }
        if segment != 0 { xcb_shm_detach(connection.raw, segment) }
    }

    /// The number of bytes from one row of `memory` to the next.
    var stride: Int { format.stride(width: size.width) }

    /// The buffer to draw into.
    var buffer: FrameBuffer {
        FrameBuffer(
            memory: drawing?.address ?? memory.address, stride: drawing == nil ? stride : size.width * 4, size: size,
            id: id)
    }

    /// Changes the size and invalidates the content. The server must not be reading the frame. Returns false if the
    /// size exceeds the capacity, or if memory runs out.
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

    /// Makes the server use the frame's memory as a pixmap that `window` can show.
    func makePixmap(for window: UInt32) {
        // Reuse the ID. Hours of resizing would otherwise use up all IDs.
        if pixmapName == 0 { pixmapName = xcb_generate_id(connection.raw) }
        pixmap = pixmapName
        let cookie = xcb_shm_create_pixmap(
            connection.raw, pixmap, window, UInt16(size.width), UInt16(size.height), UInt8(format.depth), segment, 0)
        pixmapRequest = cookie.sequence
    }
    private var pixmapName: UInt32 = 0

    /// Whether the failed request with the number `sequence` was made for this frame.
    func hasSent(_ sequence: UInt32) -> Bool {
        sequence != 0 && (sequence == request || pixmap != 0 && sequence == pixmapRequest)
    }

    /// Marks an area to be converted before the frame is shown. Does nothing if frames are drawn in the window's own
    /// format.
    func markOutdated(_ area: PixelRect) {
        guard drawing != nil, !area.isEmpty else { return }
        unconverted = unconverted?.union(area) ?? area
    }

    /// Converts the area `unconverted` to the window's pixel format.
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
