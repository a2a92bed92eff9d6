import GlissadeCXCB
import GlissadeGeometry

/// Sends parts of frames to a window or a pixmap over the connection, in requests of limited size. Any thread that holds
/// `RenderLock`.
struct XSocketWriter {
    /// The maximum size of a request, in bytes, if the server accepts that much. Requests of this size fit into CPU
    /// caches.
    private static let usualLimit = 256 << 10

    let connection: XConnection
    let drawable: UInt32
    let context: UInt32
    let format: XPixelFormat
    private let limit: Int
    private var rows: [UInt8] = []

    init(_ connection: XConnection, drawable: UInt32, context: UInt32, format: XPixelFormat) {
        (self.connection, self.drawable, self.context, self.format) = (connection, drawable, context, format)
        // XCB's limit is in units of four bytes. The request's own fields take 24 bytes, and the extended length 4.
        let largest = Int(xcb_get_maximum_request_length(connection.raw)) * 4 - 28
        limit = max(min(largest, Self.usualLimit), 4096)
    }

    /// Sends the part of a frame inside `area`. May block until the data has been written to the socket. Returns the
    /// sequence number of the last request.
    mutating func send(_ frame: XFrame, _ area: PixelRect) -> UInt32 {
        var sequence: UInt32 = 0
        let widest = min(area.width, limit * 8 / format.bitsPerPixel - 4)
        var left = area.minX
        while left < area.maxX {
            let width = min(widest, area.maxX - left)
            let stride = format.stride(width: width)
            let tallest = max(1, limit / stride)
            var top = area.minY
            while top < area.maxY {
                let height = min(tallest, area.maxY - top)
                let piece = PixelRect(minX: left, minY: top, maxX: left + width, maxY: top + height)
                sequence = put(frame, piece, stride: stride)
                top += height
            }
            left += width
        }
        return sequence
    }

    private mutating func put(_ frame: XFrame, _ piece: PixelRect, stride: Int) -> UInt32 {
        let first = frame.memory.address + piece.minY * frame.stride
        if piece.width == frame.size.width { return put(first, stride * piece.height, piece) }
        let start = first + piece.minX * format.bitsPerPixel / 8
        let count = (piece.width * format.bitsPerPixel + 7) / 8
        if rows.count < stride * piece.height { rows = [UInt8](repeating: 0, count: stride * piece.height) }
        // Moves the buffer out of `self`, which `put` reads below.
        var rows: [UInt8] = []
        swap(&rows, &self.rows)
        defer { swap(&rows, &self.rows) }
        return rows.withUnsafeMutableBytes { rows in
            guard let address = rows.baseAddress else { return 0 }
            for row in 0..<piece.height {
                (address + row * stride).copyMemory(from: start + row * frame.stride, byteCount: count)
            }
            return put(address, stride * piece.height, piece)
        }
    }

    private func put(_ bytes: UnsafeRawPointer, _ byteCount: Int, _ piece: PixelRect) -> UInt32 {
        xcb_put_image(
            connection.raw, UInt8(XCB_IMAGE_FORMAT_Z_PIXMAP.rawValue), drawable, context, UInt16(piece.width),
            UInt16(piece.height), Int16(piece.minX), Int16(piece.minY), 0, UInt8(format.depth), UInt32(byteCount),
            bytes.assumingMemoryBound(to: UInt8.self)
        ).sequence
    }
}
