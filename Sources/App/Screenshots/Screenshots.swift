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
    /// Orders before the start position, whose time never came.
    private var early: [Order] = []
    /// The start position, until the first frame.
    private var start: Duration?

    /// - Parameter start: The start position.
    init(_ orders: [Order], start: Duration? = nil) {
        self.orders = orders.sorted { $0.time < $1.time }
        self.start = start
    }

    var isEmpty: Bool { orders.isEmpty }

    /// Takes the orders that are due with a frame at `position` that is visible for `duration`, and those that were
    /// missed since the start position.
    mutating func takeDue(position: Duration, duration: Duration) -> ArraySlice<Order> {
        if let start = start.take() {
            // The first frame may be before the start position.
            let passed = orders.prefix { $0.time < start && $0.time < position }
            early += passed
            orders.removeFirst(passed.count)
        }
        // Times are rounded to nanoseconds; one at the start of the next frame belongs to that frame.
        let end = max(position, position + duration - .microseconds(1))
        let due = orders.prefix { $0.time <= position || $0.time < end }
        orders.removeFirst(due.count)
        return due
    }

    /// Writes the screenshots that are due with a drawn frame.
    ///
    /// - Returns: A line for each that could not be written.
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

    /// A line for each screenshot whose time never came.
    var missed: [String] {
        early.map { "\($0.path): not written: playback started after \($0.time.inSeconds) s" }
            + orders.map { "\($0.path): not written: playback ended before \($0.time.inSeconds) s" }
    }
}
