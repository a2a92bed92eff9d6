import GlissadeCXCB
import GlissadeGeometry
import GlissadeRendering

/// Keeps a window's content in place on the screen while the window manager moves and resizes the window.
///
/// The window's static gravity does not achieve that if the window manager has put a frame around the window, and moves
/// that frame. Instead, the server discards the content when the window is resized, and paints a background: a copy of
/// the content, at its old place on the screen, on black. The server makes the copy. If a frame still waits for
/// a refresh of the display, the copy shows the frame before it.
///
/// Release the object as soon as the window has another size: what the server has painted stays.
///
/// Any thread that holds `RenderLock`; it may be released on any thread.
final class XHeldContent {
    /// The window's area before the change.
    let start: PixelRect
    /// The window's expected area after the change.
    let end: PixelRect
    /// Whether the frames that are shown are drawn for the area `start`, so that each of them is the content to keep.
    var followsFrames = true
    private let connection: XConnection
    private let window: UInt32
    private let pixmap: UInt32
    private let context: UInt32

    /// Copies the content of `window`. Returns once the server has the copy. Two round trips.
    ///
    /// - Returns: Nil if an area is empty or too large, or if the server has no memory for the copy.
    /// - Throws: The errors of `XPixelFormat.init(of:on:)`.
    init?(of window: UInt32, on connection: XConnection, from start: PixelRect, to end: PixelRect)
        throws(RenderingError)
    {
        let longest = XSoftwareOutput.longestEdge
        guard !start.isEmpty, !end.isEmpty, start.size != end.size,
            [start.width, start.height, end.width, end.height].allSatisfy({ $0 <= longest })
        else { return nil }
        let format = try XPixelFormat(of: window, on: connection)
        let raw = connection.raw
        (self.start, self.end, self.window, self.connection) = (start, end, window, connection)
        (pixmap, context) = (xcb_generate_id(raw), xcb_generate_id(raw))
        let (width, height) = (UInt16(end.width), UInt16(end.height))
        let made = xcb_create_pixmap_checked(raw, UInt8(format.depth), pixmap, window, width, height)
        let mask = XCB_GC_FOREGROUND.rawValue | XCB_GC_GRAPHICS_EXPOSURES.rawValue
        xcb_create_gc(raw, context, pixmap, mask, [format.black, 0])
        var all = xcb_rectangle_t(x: 0, y: 0, width: width, height: height)
        xcb_poly_fill_rectangle(raw, pixmap, context, 1, &all)
        copy()
        // Values are in the order of the mask's bits.
        let attributes = XCB_CW_BACK_PIXMAP.rawValue | XCB_CW_BIT_GRAVITY.rawValue
        let changed = xcb_change_window_attributes_checked(
            raw, window, attributes, [pixmap, XCB_GRAVITY_BIT_FORGET.rawValue])
        let isChanged = connection.isDone(changed)
        guard connection.isDone(made), isChanged else { return nil }
    }

    /// Restores the static gravity, without a background.
    deinit {
        RenderLock.withLock {
            let raw = connection.raw
            let attributes = XCB_CW_BACK_PIXMAP.rawValue | XCB_CW_BIT_GRAVITY.rawValue
            xcb_change_window_attributes(
                raw, window, attributes, [XCB_BACK_PIXMAP_NONE.rawValue, XCB_GRAVITY_STATIC.rawValue])
            xcb_free_gc(raw, context)
            xcb_free_pixmap(raw, pixmap)
            xcb_flush(raw)
        }
    }

    /// Copies the content again after another frame has been shown, by whichever thread, if it was drawn for `start`.
    /// Waits for nothing; the caller flushes the connection, best together with the frame, so that the window is not resized
    /// between the two.
    ///
    /// - Parameter size: The frame's size; nil if unknown.
    func frameWasShown(_ size: PixelSize? = nil) {
        guard followsFrames, size ?? start.size == start.size else { return }
        copy()
        xcb_change_window_attributes(connection.raw, window, XCB_CW_BACK_PIXMAP.rawValue, [pixmap])
    }

    func flush() { xcb_flush(connection.raw) }

    private func copy() {
        // A copy with coordinates outside a drawable is clipped.
        xcb_copy_area(
            connection.raw, window, pixmap, context, 0, 0, Int16(clamping: start.minX - end.minX),
            Int16(clamping: start.minY - end.minY), UInt16(start.width), UInt16(start.height))
    }
}
