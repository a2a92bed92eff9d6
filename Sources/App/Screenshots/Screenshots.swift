import GlissadeGeometry
import GlissadeMedia
import GlissadePicture
import GlissadeRendering

/// The screenshots requested with `--screenshot`, each written when the frame at its time is drawn. Main thread.
@MainActor struct Screenshots {
    /// A requested screenshot: when to take it, and the path of its PNG file.
    struct Order: Hashable, Sendable {
        /// The position to capture, counted from the start of the file.
        var time: Duration
        var path: String
    }

    private var orders: [Order]
    /// The requests that cannot be carried out, because playback starts after their times.
    private var early: [Order] = []
    /// The position at which playback starts. Nil if playback starts at the start of the file, and after the first
    /// frame has been drawn.
    private var start: Duration?

    /// - Parameter start: The position at which playback starts; nil for the start of the file.
    init(_ orders: [Order], start: Duration? = nil) {
        self.orders = orders.sorted { $0.time < $1.time }
        self.start = start
    }

    var isEmpty: Bool { orders.isEmpty }

    /// Removes and returns the requests that are due in a frame. The frame is at `position` and is visible for
    /// `duration`.
    ///
    /// A request for an earlier time is also due if the frame at that time was not drawn, unless playback started after
    /// that time.
    mutating func takeDue(position: Duration, duration: Duration) -> ArraySlice<Order> {
        if let start = start.take() {
            // The first frame may be before the start position.
            let passed = orders.prefix { $0.time < start && $0.time < position }
            early += passed
            orders.removeFirst(passed.count)
        }
        // Times are rounded to nanoseconds. An order for the start of the next frame must not be due in this one.
        let end = max(position, position + duration - .microseconds(1))
        let due = orders.prefix { $0.time <= position || $0.time < end }
        orders.removeFirst(due.count)
        return due
    }

    /// Writes the screenshots that are due in the frame just drawn by the renderer.
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

    /// An error message for each screenshot whose time was not played. Valid only after playback has ended.
    var missed: [String] {
        early.map { "\($0.path): not written: playback started after \($0.time.inSeconds) s" }
            + orders.map { "\($0.path): not written: playback ended before \($0.time.inSeconds) s" }
    }
}
