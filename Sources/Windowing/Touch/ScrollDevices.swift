/// What the valuators of scrolling devices mean, and which devices scroll by more than whole notches.
struct ScrollDevices {
    /// A valuator that scrolls.
    struct Axis: Hashable {
        var device: UInt16
        var number: UInt8
        var isVertical: Bool
        /// The distance of one notch.
        var increment: Double
    }

    /// A scroll, in notches; positive to the left and up, as in `ScrollEvent`.
    struct Scroll: Hashable {
        var deltaX = 0.0
        var deltaY = 0.0
        /// Whether the device has reported that the fingers were lifted.
        var isEnd = false
    }

    /// The maximum distance of one event, in notches.
    static let longestScroll = 1000.0
    private static let axisLimit = 256
    /// How far a distance may be from whole notches and still count as such.
    private static let tolerance = 1e-3

    private var axes: [Axis] = []
    /// The devices that have scrolled by a part of a notch: touchpads, and wheels with a high resolution.
    private var preciseDevices: Set<UInt16> = []

    /// Replaces the known axes. Ignores those without a usable increment.
    mutating func setAxes(_ axes: some Sequence<Axis>) {
        self.axes = axes.lazy.filter { $0.increment.isFinite && abs($0.increment) >= 1e-6 }.prefix(Self.axisLimit).map {
            $0
        }
        preciseDevices.formIntersection(self.axes.map(\.device))
    }

    /// Returns the scroll that a movement of valuators means; nil if it means none, or if the device scrolls by whole
    /// notches, which are also reported as presses of buttons.
    mutating func scroll(of motion: XInputEvent.Motion) -> Scroll? {
        var scroll = Scroll()
        var isScroll = false
        var hasMoved = false
        for index in 0..<min(motion.count, XInputEvent.Motion.capacity) {
            let number = motion.numbers[index]
            guard let axis = axes.first(where: { $0.device == motion.device && $0.number == number }) else { continue }
            isScroll = true
            let notches = motion.distances[index] / axis.increment
            guard notches.isFinite else { continue }
            if abs(notches - notches.rounded()) > Self.tolerance { preciseDevices.insert(motion.device) }
            if notches != 0 { hasMoved = true }
            // A valuator grows to the right and down, and the content moves the other way.
            let distance = -min(max(notches, -Self.longestScroll), Self.longestScroll)
            if axis.isVertical { scroll.deltaY += distance } else { scroll.deltaX += distance }
        }
        guard isScroll, preciseDevices.contains(motion.device) else { return nil }
        scroll.isEnd = !hasMoved
        return scroll
    }
}
