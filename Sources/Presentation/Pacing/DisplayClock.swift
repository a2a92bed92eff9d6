public import GlissadeTime

/// Predicts when a display will refresh, from the refreshes that it has reported.
///
/// Pure: reads no clock, and is passed the number and the time of each refresh (`msc` and `ust` in the X Present
/// extension). The period is the median slope over a few seconds of reports, so that single late reports do not change
/// it. Each report moves the phase by a small step, which smooths out jitter.
///
/// `period` is nil until enough reports have arrived. It becomes nil again after a change of display mode or a jump in
/// the refresh count.
public struct DisplayClock: Sendable {
    /// One refresh of the display.
    public struct Refresh: Hashable, Sendable {
        /// The refresh's number, as counted by the display.
        public var count: Int64
        /// When the refresh happened, on the machine's monotonic clock.
        public var time: HostTime

        public init(count: Int64, time: HostTime) {
            self.count = count
            self.time = time
        }
    }

    /// The maximum number of reports from which the period is measured.
    static let capacity = 256
    /// The number of reports needed to measure the period.
    static let leastReports = 8
    /// The fraction of a report's error by which the phase is corrected. `earlyGain` applies to a report with an
    /// earlier time than predicted. `lateGain` applies to a report with a later time, once the phase has settled.
    /// Reported times may be too late but are never too early, so early times move the phase more.
    static let (earlyGain, lateGain) = (1.0 / 8, 1.0 / 64)
    /// A report whose error exceeds this fraction of a period counts as an outlier.
    static let tolerance = 0.25
    /// After this many consecutive outliers, the display is assumed to have changed, and the measurement starts again.
    static let longestOutlierRun = 6
    /// If two reports are further apart than this, the second report alone sets the phase.
    static let longestGap = Duration.seconds(1)
    /// The range of plausible refresh periods: 10,000 refreshes a second to one. A period outside this range is a
    /// driver error.
    static let plausiblePeriod = Duration.microseconds(100)...Duration.seconds(1)

    /// The time from one refresh to the next; nil if unknown.
    public private(set) var period: Duration?

    /// The refresh rate in Hz; nil if unknown.
    public var refreshRate: Double? { period.map { 1 / $0.inSeconds } }

    private var reports = RefreshHistory()
    /// The newest refresh that was not an outlier, with a smoothed time. All predictions start from this refresh.
    private var anchor: Refresh?
    /// The latest reports, if they are outliers, oldest first.
    private var outliers: [Refresh] = []
    /// The number of reports on which the current phase is based.
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

    /// Returns the first refresh after `time`; nil if the period is unknown.
    public func refresh(after time: HostTime) -> Refresh? {
        guard let anchor, let period else { return nil }
        let passed = Self.floorQuotient((time - anchor.time).nanoseconds, period.nanoseconds)
        return refresh(numbered: anchor.count.addingClamped(passed).addingClamped(1))
    }

    /// Returns the refresh nearest to `time`; nil if the period is unknown.
    public func refresh(nearestTo time: HostTime) -> Refresh? {
        guard let period else { return nil }
        return refresh(after: time - period / 2)
    }

    /// Returns the refresh with number `count`; nil if the period is unknown.
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

    /// Restarts the measurement, using only the outliers.
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

    /// Sets the phase. Each report predicts a time for the newest refresh, and `anchor` gets the mean of these times.
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

    /// Whether `elapsed` is about as long as `steps` refreshes.
    private func isPlausible(_ elapsed: Duration, steps: Int64, period: Duration) -> Bool {
        let expected = Self.span(of: steps, period: period)
        return Self.magnitude(elapsed - expected) < max(expected / 50, period)
    }

    private static func span(of refreshes: Int64, period: Duration) -> Duration {
        .nanoseconds(Int64(clampingNanoseconds: period.inSeconds * Double(refreshes)))
    }

    private static func magnitude(_ duration: Duration) -> Duration { duration < .zero ? .zero - duration : duration }

    /// Returns the quotient, rounded toward negative infinity.
    private static func floorQuotient(_ dividend: Int64, _ divisor: Int64) -> Int64 {
        let (quotient, remainder) = dividend.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
