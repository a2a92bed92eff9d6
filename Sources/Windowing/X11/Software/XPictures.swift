import GlissadeCXCB
import GlissadeGeometry
import GlissadeRendering
import Synchronization

/// Frames of one size in memory shared with the X server, each with its own pixmap. Any window of the same connection
/// and depth can show them. Any thread that holds `RenderLock`. The memory itself may be used on any thread.
final class XPictures: OutputPictures {
    let memory: any PicturesMemory
    let connection: XConnection
    private let size: PixelSize
    private let stride: Int
    private let depth: Int
    private let segment: UInt32
    private var pixmaps: [UInt32]
    /// The request to share the memory, until its result is known.
    private var attachment: xcb_void_cookie_t?
    /// Whether the server has refused to share the memory. False as long as its answer is not known.
    private var wasRefused = false

    /// Reserves shared memory for `count` frames, whose starts are `stride` bytes apart. Nil if address space or file
    /// descriptors run out. Does not wait for the server: see `fits`.
    init?(_ size: PixelSize, stride: Int, count: Int, depth: Int, on connection: XConnection) {
        guard let pages = FrameMemory(capacity: stride * count, isShared: true) else { return nil }
        let descriptor = pages.duplicate()
        guard descriptor >= 0 else { return nil }
        segment = xcb_generate_id(connection.raw)
        // XCB closes the descriptor.
        attachment = xcb_shm_attach_fd_checked(connection.raw, segment, descriptor, 0)
        memory = XPicturesMemory(pages)
        pixmaps = [UInt32](repeating: 0, count: count)
        (self.size, self.stride, self.depth, self.connection) = (size, stride, depth, connection)
    }

    /// Frees the server-side objects. The server keeps an object until it has finished reading it.
    deinit {
        if let attachment { xcb_discard_reply(connection.raw, attachment.sequence) }
        for pixmap in pixmaps where pixmap != 0 { xcb_free_pixmap(connection.raw, pixmap) }
        xcb_shm_detach(connection.raw, segment)
    }

    /// Whether a window of the given depth on `connection` can show these frames. False if the server has refused to
    /// share the memory. The first call takes a round trip, unless the server has answered in the meantime.
    func fits(_ connection: XConnection, depth: Int) -> Bool {
        guard connection === self.connection, depth == self.depth else { return false }
        if let attachment {
            self.attachment = nil
            wasRefused = !connection.isDone(attachment)
        }
        return !wasRefused
    }

    /// Returns the server's pixmap for the frame at `index`. Creates the pixmap in the first call for that frame.
    func pixmap(_ index: Int, for window: UInt32) -> UInt32 {
        if pixmaps[index] == 0 {
            pixmaps[index] = xcb_generate_id(connection.raw)
            xcb_shm_create_pixmap(
                connection.raw, pixmaps[index], window, UInt16(size.width), UInt16(size.height), UInt8(depth), segment,
                UInt32(index * stride))
        }
        return pixmaps[index]
    }
}

/// Memory shared with the X server, whose pages are allocated by `reserve`.
///
/// Threads: any thread. The owner of the frames ensures that only one thread writes to a frame at a time.
private final class XPicturesMemory: PicturesMemory, @unchecked Sendable {
    // @unchecked: the address never changes.
    let address: UnsafeMutableRawPointer
    private let pages: Mutex<FrameMemory>

    init(_ pages: sending FrameMemory) {
        address = pages.address
        self.pages = Mutex(pages)
    }

    func reserve(_ byteCount: Int) -> Bool { pages.withLock { byteCount <= $0.size || $0.resize(to: byteCount) } }
}
