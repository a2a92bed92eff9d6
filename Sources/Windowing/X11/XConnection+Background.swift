import GlissadeCXCB
import GlissadeGeometry
import GlissadeRendering

extension XConnection {
    /// Makes the server paint a picture in the window, at its top-left corner, as soon as the window is mapped. The
    /// server also paints the picture where a part of the window is exposed, until `removeBackground` is called.
    ///
    /// Returns once the server has the picture, so that the window can be mapped on another connection. Two round
    /// trips.
    ///
    /// - Parameter pixels: R, G, B and an unused byte, top row first, without padding.
    /// - Returns: False if `size` does not fit `pixels`, or if the server or this process has no memory for the picture.
    /// - Throws: `unavailable` if the server does not know the window, or if its visual is not RGB; `presentation` if
    ///   the connection to the server is lost.
    func setBackground(_ pixels: [UInt8], size: PixelSize, of window: UInt32) throws(RenderingError) -> Bool {
        guard !size.isEmpty, max(size.width, size.height) <= XSoftwareOutput.longestEdge,
            pixels.count == size.width * size.height * 4
        else { return false }
        let format = try XPixelFormat(of: window, on: self)
        let converter = format.isPlain ? nil : XPixelConverter(format)
        func memory(_ stride: Int) -> FrameMemory? { FrameMemory(capacity: stride * size.height, isShared: false) }
        guard let stored = memory(format.stride(width: size.width)) else { return false }
        let drawing = converter == nil ? nil : memory(size.width * 4)
        if converter != nil, drawing == nil { return false }
        let frame = XFrame(stored, segment: 0, drawing: drawing, format: format, on: self)
        guard frame.resize(to: size) else { return false }
        Self.copy(pixels, into: frame.buffer)
        frame.convert(by: converter)

        let (pixmap, context) = (xcb_generate_id(raw), xcb_generate_id(raw))
        let (width, height) = (UInt16(size.width), UInt16(size.height))
        let made = xcb_create_pixmap_checked(raw, UInt8(format.depth), pixmap, window, width, height)
        let contextMade = xcb_create_gc_checked(raw, context, pixmap, 0, nil)
        // The window keeps the pixmap when its ID is freed.
        defer {
            xcb_free_gc(raw, context)
            xcb_free_pixmap(raw, pixmap)
            xcb_flush(raw)
        }
        var writer = XSocketWriter(self, drawable: pixmap, context: context, format: format)
        _ = writer.send(frame, PixelRect(size: size))
        let changed = xcb_change_window_attributes_checked(raw, window, XCB_CW_BACK_PIXMAP.rawValue, [pixmap])
        let isChanged = isDone(changed)
        return isDone(made) && isDone(contextMade) && isChanged
    }

    /// Makes the server paint nothing where a part of the window is exposed. The window's content stays.
    func removeBackground(of window: UInt32) {
        xcb_change_window_attributes(raw, window, XCB_CW_BACK_PIXMAP.rawValue, [XCB_BACK_PIXMAP_NONE.rawValue])
        xcb_flush(raw)
    }

    /// Copies R, G, B and an unused byte to blue, green, red and an unused byte.
    private static func copy(_ pixels: [UInt8], into buffer: FrameBuffer) {
        pixels.withUnsafeBytes { source in
            for row in 0..<buffer.size.height {
                let first = row * buffer.size.width * 4
                for column in 0..<buffer.size.width {
                    let color = source.loadUnaligned(fromByteOffset: first + column * 4, as: UInt32.self)
                    let swapped = color.byteSwapped >> 8 | 0xFF00_0000
                    buffer.memory.storeBytes(
                        of: swapped, toByteOffset: row * buffer.stride + column * 4, as: UInt32.self)
                }
            }
        }
    }
}
