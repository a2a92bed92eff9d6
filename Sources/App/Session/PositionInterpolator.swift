import GlissadeControls
import GlissadeTime

/// Moves a progress bar smoothly between position reports. Stops the bar while playback is paused. Makes the bar jump
/// after a seek.
@MainActor struct PositionInterpolator {
    /// The time between position reports during playback.
    static let interval = Duration.milliseconds(250)
    /// The maximum deviation from the expected position during playback. A larger deviation is attributed to a seek.
    private static let tolerance = Duration.milliseconds(120)

    /// The last report and its time; nil before the first report. The speed is 0 if playback was not running.
    private var last: (position: Duration, speed: Double, time: HostTime)?
    private var next = HostTime(nanoseconds: 0)

    /// When the next report is due; nil while playback is not running, and before the first report.
    var nextReport: HostTime? { last.map { $0.speed > 0 } == true ? next : nil }

    /// Resets the interpolator and the bar for another file.
    mutating func reset(_ bar: ProgressBar, now: HostTime) {
        self = PositionInterpolator()
        bar.reset(now: now)
    }

    /// Updates the bar from a report. Must be called after each change of the status, and when a report is due.
    mutating func report(_ figures: PlayerStatus, to bar: ProgressBar, now: HostTime) {
        let isFarOff = isFarOff(figures, now: now)
        if isFarOff {
            bar.removeAnimation(now: now)
            bar.setValue(figures.fraction(figures.position), now: now)
        }
        if !figures.isRunning {
            // The bar keeps its position, although the reported position is slightly earlier.
            if !bar.isPaused { bar.pauseAnimation(now: now) }
        } else if bar.isPaused || isFarOff || now >= next || last?.speed != figures.speed {
            if bar.isPaused { bar.resumeAnimation(now: now) }
            let ahead = Duration.nanoseconds(Int64(clamping: Double(Self.interval.nanoseconds) * figures.speed))
            bar.setValue(figures.fraction(figures.position + ahead), duration: Self.interval, now: now)
            next = now + Self.interval
        } else {
            return
        }
        last = (figures.position, figures.isRunning ? figures.speed : 0, now)
    }

    private func isFarOff(_ figures: PlayerStatus, now: HostTime) -> Bool {
        guard let last else { return true }
        // Nothing moves the bar while nobody sees it.
        if last.speed > 0, now > last.time + Self.interval * 2 { return true }
        let passed = Double((now - last.time).nanoseconds) * last.speed
        let expected = last.position + .nanoseconds(Int64(clamping: passed))
        let difference = figures.position - expected
        // While playback is paused, any difference is the result of a seek.
        let tolerance = last.speed == 0 ? Duration.milliseconds(1) : Self.tolerance
        return difference > tolerance || difference < .zero - tolerance
    }
}
