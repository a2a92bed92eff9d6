import GlissadeCXCB
import Foundation
import GlissadeGeometry

@testable import GlissadeWindowing

/// A window of a client of its own, which can read its pixels back.
@MainActor final class ObservedWindow {
    struct Failure: Error {}

    private let raw: OpaquePointer
    let id: UInt32
    let visual: GlissadeXVisual

    /// Opens a window that nobody manages, at the corner of the screen of `display`; on the screen unless `isHidden`.
    init(_ display: String, _ size: PixelSize, isHidden: Bool = false) throws {
        guard let raw = xcb_connect(display, nil), xcb_connection_has_error(raw) == 0,
            let screen = glissade_xcb_screen(raw, 0)?.pointee
        else { throw Failure() }
        self.raw = raw
        id = xcb_generate_id(raw)
        visual = glissade_xcb_visual(raw, screen.root_visual, Int32(screen.root_depth))
        xcb_create_window(
            raw, screen.root_depth, id, screen.root, 0, 0, UInt16(size.width), UInt16(size.height), 0,
            UInt16(XCB_WINDOW_CLASS_INPUT_OUTPUT.rawValue), screen.root_visual, XCB_CW_OVERRIDE_REDIRECT.rawValue, [1])
        if !isHidden { xcb_map_window(raw, id) }
        waitForServer()
    }

    /// Observes the root window of the first screen of `display`, which shows all windows.
    init(screenOf display: String?) throws {
        guard let raw = xcb_connect(display, nil), xcb_connection_has_error(raw) == 0,
            let screen = glissade_xcb_screen(raw, 0)?.pointee
        else { throw Failure() }
        self.raw = raw
        id = screen.root
        visual = glissade_xcb_visual(raw, screen.root_visual, Int32(screen.root_depth))
    }

    isolated deinit { xcb_disconnect(raw) }

    /// Until the server has done all that was asked for here.
    func waitForServer() { free(xcb_get_input_focus_reply(raw, xcb_get_input_focus(raw), nil)) }

    func resize(_ size: PixelSize) {
        let values = [UInt32(size.width), UInt32(size.height)]
        xcb_configure_window(
            raw, id, UInt16(XCB_CONFIG_WINDOW_WIDTH.rawValue | XCB_CONFIG_WINDOW_HEIGHT.rawValue), values)
        waitForServer()
    }

    /// Takes it off the screen and brings it back: the server keeps nothing of what it had.
    func remap() {
        xcb_unmap_window(raw, id)
        xcb_map_window(raw, id)
        waitForServer()
    }

    func destroy() {
        xcb_destroy_window(raw, id)
        waitForServer()
    }

    /// The bit gravity of any window; nil if there is no such window.
    func gravity(of window: UInt32) -> UInt32? {
        let reply = xcb_get_window_attributes_reply(raw, xcb_get_window_attributes(raw, window), nil)
        defer { free(reply) }
        return reply.map { UInt32($0.pointee.bit_gravity) }
    }

    /// What the window has, as numbers of the server's; nil where it cannot be looked at.
    func pixels(_ area: PixelRect) -> [UInt32]? {
        let cookie = xcb_get_image(
            raw, UInt8(XCB_IMAGE_FORMAT_Z_PIXMAP.rawValue), id, Int16(area.minX), Int16(area.minY), UInt16(area.width),
            UInt16(area.height), ~0)
        guard let reply = xcb_get_image_reply(raw, cookie, nil), let data = xcb_get_image_data(reply) else {
            return nil
        }
        defer { free(reply) }
        let (bits, pad) = (Int(visual.bits_per_pixel), Int(visual.scanline_pad))
        let stride = (area.width * bits + pad - 1) / pad * pad / 8
        return (0..<area.width * area.height).map { index in
            let place = UnsafeRawPointer(data) + index / area.width * stride + index % area.width * bits / 8
            return bits == 16
                ? UInt32(place.loadUnaligned(as: UInt16.self)) : place.loadUnaligned(as: UInt32.self)
        }
    }

    /// What blue, green, red and a byte are there, by the definition of a visual.
    func pixel(_ color: UInt32) -> UInt32 {
        zip([visual.blue, visual.green, visual.red], [0, 8, 16] as [UInt32]).reduce(0) { pixel, part in
            let largest = Double(part.0 >> part.0.trailingZeroBitCount)
            let value = (Double(color >> part.1 & 0xFF) / 255 * largest).rounded()
            return pixel | UInt32(value) << part.0.trailingZeroBitCount
        }
    }

    /// The bits that are colours.
    var mask: UInt32 { visual.red | visual.green | visual.blue }

    /// Whether the window has exactly that in an area.
    func has(_ expected: [UInt32], in area: PixelRect) -> Bool {
        pixels(area).map { $0.map { $0 & mask } } == expected.map(pixel)
    }
}
