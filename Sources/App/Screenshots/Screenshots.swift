import Geometry
import Media
import Picture
import Rendering

/// The screenshots requested on the command line. Each is written when the frame at its time is drawn.
@MainActor struct Screenshots {
    struct Order: Hashable, Sendable {
        /// The position in the file.
        var time: Duration
        var path: String
    }

    private var orders: [Order]
    /// The orders for times before the start of playback.
    private var early: [Order] = []
    /// The start position; nil after the first frame.
    private var start: Duration?

    /// - Parameter start: The position at which playback starts.
    init(_ orders: [Order], start: Duration? = nil) {
        self.orders = orders.sorted { $0.time < $1.time }
        self.start = start
    }

    var isEmpty: Bool { orders.isEmpty }

    /// Takes the orders that are due with a frame at `position`, which is visible for `duration`.
    ///
    /// Earlier orders whose frames were not drawn are due, too.
    mutating func takeDue(position: Duration, duration: Duration) -> ArraySlice<Order> {
        if let start = start.take() {
            // The first frame may be before the start position.
            let passed = orders.prefix { $0.time < start && $0.time < position }
            early += passed
            orders.removeFirst(passed.count)
        }
        // Times are rounded to nanoseconds. A time at the start of the next frame must not count for this one.
        let end = max(position, position + duration - .microseconds(1))
        let due = orders.prefix { $0.time <= position || $0.time < end }
        orders.removeFirst(due.count)
        return due
    }

    /// Writes the screenshots that are due with a drawn frame.
    ///
    /// - Returns: An error message for each screenshot that could not be written.
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

    /// An error message for each screenshot whose time was not played.
    var missed: [String] {
        early.map { "\($0.path): not written: playback started after \($0.time.inSeconds) s" }
            + orders.map { "\($0.path): not written: playback ended before \($0.time.inSeconds) s" }
    }
}
