import GlissadeTime

/// The latest refreshes that a display has reported, and the period measured from them.
struct RefreshHistory: Sendable {
    /// If there are more reports than this, the period is measured only once every `stride` reports.
    private static let fastReports = 64
    private static let stride = 16

    private var refreshes: [DisplayClock.Refresh] = []
    /// The index of the oldest report; 0 until the storage is full.
    private var head = 0
    private var slopes: [Double] = []
    private var reportsSinceMeasurement = 0
    private var period: Duration?

    init() {
        refreshes.reserveCapacity(DisplayClock.capacity)
        slopes.reserveCapacity(DisplayClock.capacity / 2)
    }

    var count: Int { refreshes.count }
    var last: DisplayClock.Refresh? { refreshes.isEmpty ? nil : self[count - 1] }

    /// The report at `index`, where 0 is the oldest.
    subscript(index: Int) -> DisplayClock.Refresh { refreshes[(head + index) % refreshes.count] }

    mutating func append(_ refresh: DisplayClock.Refresh) {
        reportsSinceMeasurement += 1
        if count < DisplayClock.capacity {
            refreshes.append(refresh)
        } else {
            refreshes[head] = refresh
            head = (head + 1) % count
        }
    }

    /// Returns the median time per refresh between reports that are half the history apart; nil if there are fewer than
    /// two reports.
    ///
    /// The long baseline reduces the effect of jitter, and the median ignores late reports.
    mutating func measurePeriod() -> Duration? {
        guard count >= 2 else { return nil }
        if let period, count > Self.fastReports, reportsSinceMeasurement < Self.stride { return period }
        reportsSinceMeasurement = 0
        let distance = count / 2
        slopes.removeAll(keepingCapacity: true)
        for index in 0..<(count - distance) {
            let (first, second) = (self[index], self[index + distance])
            let steps = second.count.subtractingClamped(first.count)
            slopes.append((second.time - first.time).inSeconds / Double(steps))
        }
        slopes.sort()
        let middle = slopes.count / 2
        let median = slopes.count % 2 == 1 ? slopes[middle] : (slopes[middle - 1] + slopes[middle]) / 2
        period = .nanoseconds(Int64(clampingNanoseconds: median))
        return period
    }
}
