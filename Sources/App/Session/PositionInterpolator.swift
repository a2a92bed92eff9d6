import Controls
import Time

/// Moves a progress bar as what plays goes on: from report to report evenly, still while it is paused, and at once where
/// it was put elsewhere.
@MainActor struct PositionInterpolator {
    /// From one report to the next.
    static let interval = Duration.milliseconds(250)
    /// A position that differs by more from where it would have come by itself was gone to.
    private static let tolerance = Duration.milliseconds(120)

    /// What was reported last, and when; nil before the first.
    private var last: (position: Duration, speed: Double, time: HostTime)?
    private var next = HostTime(nanoseconds: 0)

    /// When the next report is wanted; nil while nothing moves.
    var nextReport: HostTime? { last.map { $0.speed > 0 } == true ? next : nil }

    /// What plays is another one.
    mutating func reset(_ bar: ProgressBar, now: HostTime) {
        self = PositionInterpolator()
        bar.reset(now: now)
    }

    /// To be called with every change, and when a report is due.
    mutating func report(_ figures: PlayerStatus, to bar: ProgressBar, now: HostTime) {
        let isFarOff = isFarOff(figures, now: now)
        if isFarOff {
            bar.removeAnimation(now: now)
            bar.setValue(figures.fraction(figures.position), now: now)
        }
        if !figures.isRunning {
            // Where it is seen is where it stays, though the position was reported a little before.
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
        let passed = Double((now - last.time).nanoseconds) * last.speed
        let expected = last.position + .nanoseconds(Int64(clamping: passed))
        let difference = figures.position - expected
        // Nothing runs while it is paused: any difference is somebody's doing.
        let tolerance = last.speed == 0 ? Duration.milliseconds(1) : Self.tolerance
        return difference > tolerance || difference < .zero - tolerance
    }
}
