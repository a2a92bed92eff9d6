import Geometry
import Media
import Picture
import Rendering

/// The screenshots that were ordered: each is written when the picture of its media time goes on screen.
@MainActor struct Screenshots {
    struct Order: Hashable, Sendable {
        /// From the media's beginning.
        var time: Duration
        var path: String
    }

    private var orders: [Order]
    /// What lies before the place at which playing began, and was never on show.
    private var early: [Order] = []
    /// Where playing begins, until the first picture has come.
    private var start: Duration?

    /// - Parameter start: where playing begins.
    init(_ orders: [Order], start: Duration? = nil) {
        self.orders = orders.sorted { $0.time < $1.time }
        self.start = start
    }

    var isEmpty: Bool { orders.isEmpty }

    /// Orders for a time within the picture that is shown from `position` for `duration` are due with it, and those that
    /// were missed before, except by beginning behind them.
    mutating func takeDue(position: Duration, duration: Duration) -> ArraySlice<Order> {
        if let start = start.take() {
            // The picture on show at the start may have begun before it.
            let passed = orders.prefix { $0.time < start && $0.time < position }
            early += passed
            orders.removeFirst(passed.count)
        }
        // Times are rounded to nanoseconds: one that falls on the next picture's beginning is the next one's.
        let end = max(position, position + duration - .microseconds(1))
        let due = orders.prefix { $0.time <= position || $0.time < end }
        orders.removeFirst(due.count)
        return due
    }

    /// Writes what is due once a picture has been drawn.
    ///
    /// - Returns: a line for each that could not be written.
    mutating func write(position: Duration, duration: Duration, renderer: any Renderer, pixels: PixelSize) -> [String] {
        var failures: [String] = []
        for order in takeDue(position: position, duration: duration) {
            do throws(ImageWriteError) {
                try writePNG(rgba: renderer.readPixels(pixels), size: pixels, to: order.path)
            } catch {
                failures.append("\(order.path): \(error)")
            }
        }
        return failures
    }

    /// A line for each order that never came due.
    var missed: [String] {
        early.map { "\($0.path): not written: playing began after \($0.time.inSeconds) s" }
            + orders.map { "\($0.path): not written: playing ended before \($0.time.inSeconds) s" }
    }
}
