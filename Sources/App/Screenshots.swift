import Motion
import Picture
import Playback
import Rendering

/// The screenshots that were ordered: each is written when the picture of its media time goes on screen.
@MainActor struct Screenshots {
    struct Order: Hashable, Sendable {
        /// From the media's beginning.
        var time: Duration
        var path: String
    }

    private var orders: [Order]
    private let fail: (String) -> Void

    /// - Parameter fail: told in one line what could not be written.
    init(_ orders: [Order], fail: @escaping (String) -> Void) {
        self.orders = orders.sorted { $0.time < $1.time }
        self.fail = fail
    }

    var isEmpty: Bool { orders.isEmpty }

    /// Writes what is due once the picture of `position` has been drawn.
    mutating func take(position: Duration, device: GLDevice, pixels: PixelSize) {
        while let order = orders.first, order.time <= position {
            orders.removeFirst()
            do throws(ImageWriteError) {
                try writePNG(rgba: device.readPixels(pixels), size: pixels, to: order.path)
            } catch {
                fail("\(order.path): \(error)")
            }
        }
    }

    /// Says which orders never came due.
    func reportMissed() {
        for order in orders { fail("\(order.path): not written: playing ended before \(order.time.inSeconds) s") }
    }
}
