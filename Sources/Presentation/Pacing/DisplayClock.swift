public import Time

/// Predicts when a display refreshes, from the refreshes that it has reported.
///
/// Pure: it reads no clock, and is passed the number and the time of each refresh (`msc` and `ust` in the X Present
/// extension). The period is the median slope over a few seconds of reports, so that single late reports do not move
/// it. Each report moves the phase by a small step, which smooths out jitter.
///
/// The clock does not guess. Until it has seen enough reports, and again after a change of mode or a jump in the
/// counter, `period` is nil.
public struct DisplayClock: Sendable {
    /// One refresh of the display.
    public struct Refresh: Hashable, Sendable {
        /// The refresh's number, counted by the display.
        public var count: Int64
        /// The refresh's time, by the machine's monotonic clock.
        public var time: HostTime

        public init(count: Int64, time: HostTime) {
            self.count = count
            self.time = time
        }
    }

    /// The maximum number of reports over which the period is measured.
    static let capacity = 256
    /// The number of reports needed to know the period.
    static let leastReports = 8
    /// The fraction of a report's error by which the phase is corrected: `earlyGain` for early reports; `lateGain`
    /// for late ones, once the phase has settled. Reports may be late but never early, so the phase follows the
    /// earliest ones.
    static let (earlyGain, lateGain) = (1.0 / 8, 1.0 / 64)
    /// A report whose error exceeds this fraction of a period counts as an outlier.
    static let tolerance = 0.25
    /// After this many outliers in a row, the display is assumed to have changed and is measured again.
    static let longestOutlierRun = 6
    /// After this long without a report, the next report alone sets the phase.
    static let longestGap = Duration.seconds(1)
    /// Displays refresh between once a second and 10,000 times a second; anything else is a driver error.
    static let plausiblePeriod = Duration.microseconds(100)...Duration.seconds(1)

    /// The time from one refresh to the next; nil while it is unknown.
    public private(set) var period: Duration?

    /// Refreshes per second; nil while the period is unknown.
    public var refreshRate: Double? { period.map { 1 / $0.inSeconds } }

    private var reports = RefreshHistory()
    /// The newest refresh with a smoothed time, on which predictions are based.
    private var anchor: Refresh?
    /// The consecutive outliers since the last good report.
    private var outliers: [Refresh] = []
    /// The number of reports that the current phase is based on.
    private var settledReports = 0

    public init() { outliers.reserveCapacity(Self.longestOutlierRun) }

    /// Forgets all reports, for instance because the window has moved to another display.
    public mutating func reset() { self = DisplayClock() }

    /// Takes a report of one refresh. Reports may be missing, repeated, or late by several milliseconds.
    public mutating func observe(_ refresh: Refresh) {
        guard let anchor, let last = reports.last else { return start(with: refresh) }
        let steps = refresh.count.subtractingClamped(last.count)
        if steps == 0 { return }
        // A counter or a time that goes backwards means that the reports now come from another display.
        guard steps > 0, refresh.time > last.time else { return start(with: refresh) }
        guard let period else {
            append(refresh)
            return
        }
        let elapsed = refresh.time - anchor.time
        let expected = Self.span(of: refresh.count.subtractingClamped(anchor.count), period: period)
        let error = elapsed - expected
        if elapsed > Self.longestGap {
            // The measured period is not exact enough to keep the phase across a long gap.
            guard isPlausible(elapsed, steps: steps, period: period) else { return start(with: refresh) }
            outliers.removeAll(keepingCapacity: true)
            append(refresh)
            self.anchor = refresh
            settledReports = 1
            return
        }
        if Self.magnitude(error) > period * Self.tolerance {
            outliers.append(refresh)
            if outliers.count >= Self.longestOutlierRun { restart() }
            return
        }
        outliers.removeAll(keepingCapacity: true)
        append(refresh)
        settledReports += 1
        let gain = error < .zero ? Self.earlyGain : max(Self.lateGain, min(Self.earlyGain, 1 / Double(settledReports)))
        self.anchor = Refresh(count: refresh.count, time: anchor.time + expected + error * gain)
    }

    /// The first refresh after `time`; nil while the period is unknown.
    public func refresh(after time: HostTime) -> Refresh? {
        guard let anchor, let period else { return nil }
        let passed = Self.floorQuotient((time - anchor.time).nanoseconds, period.nanoseconds)
        return refresh(numbered: anchor.count.addingClamped(passed).addingClamped(1))
    }

    /// The refresh nearest to `time`; nil while the period is unknown.
    public func refresh(nearestTo time: HostTime) -> Refresh? {
        guard let period else { return nil }
        return refresh(after: time - period / 2)
    }

    /// The refresh with number `count`; nil while the period is unknown.
    public func refresh(numbered count: Int64) -> Refresh? {
        guard let anchor, let period else { return nil }
        return Refresh(
            count: count, time: anchor.time + Self.span(of: count.subtractingClamped(anchor.count), period: period))
    }

    // MARK: - Measuring

    private mutating func start(with refresh: Refresh) {
        reset()
        reports.append(refresh)
        anchor = refresh
        settledReports = 1
    }

    /// Restarts from the outliers, which agree with each other if the display has changed.
    private mutating func restart() {
        let recent = outliers
        reset()
        for refresh in recent { observe(refresh) }
    }

    private mutating func append(_ refresh: Refresh) {
        reports.append(refresh)
        guard reports.count >= Self.leastReports else {
            anchor = refresh
            return
        }
        guard let measured = reports.measurePeriod(), Self.plausiblePeriod.contains(measured) else {
            period = nil
            return
        }
        if period == nil {
            period = measured
            settlePhase()
        } else {
            period = measured
        }
    }

    /// Sets the phase so that the newest refresh is at the mean of all reports' predictions for it.
    private mutating func settlePhase() {
        guard let last = reports.last, let period else { return }
        var sum = Duration.zero
        for index in 0..<reports.count {
            let report = reports[index]
            sum += report.time + Self.span(of: last.count.subtractingClamped(report.count), period: period) - last.time
        }
        anchor = Refresh(count: last.count, time: last.time + sum / reports.count)
        settledReports = reports.count
    }

    /// Whether `elapsed` is about as long as `steps` refreshes take at the measured period.
    private func isPlausible(_ elapsed: Duration, steps: Int64, period: Duration) -> Bool {
        let expected = Self.span(of: steps, period: period)
        return Self.magnitude(elapsed - expected) < max(expected / 50, period)
    }

    private static func span(of refreshes: Int64, period: Duration) -> Duration {
        .nanoseconds(Int64(clampingNanoseconds: period.inSeconds * Double(refreshes)))
    }

    private static func magnitude(_ duration: Duration) -> Duration { duration < .zero ? .zero - duration : duration }

    /// Returns the quotient, rounded down even if it is negative.
    private static func floorQuotient(_ dividend: Int64, _ divisor: Int64) -> Int64 {
        let (quotient, remainder) = dividend.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
