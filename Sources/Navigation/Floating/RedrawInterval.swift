import GlissadeTime

/// Computes the redraw times of an element: the host times that are multiples of an interval.
struct RedrawInterval {
    let length: Duration

    /// Returns the next redraw time after `now`; nil if the interval is not positive, or if the time would overflow.
    func next(after now: HostTime) -> HostTime? {
        let interval = length.nanoseconds
        guard interval > 0 else { return nil }
        let past = now.nanoseconds % interval
        let (next, overflows) = now.nanoseconds.addingReportingOverflow(interval - (past < 0 ? past + interval : past))
        return overflows ? nil : HostTime(nanoseconds: next)
    }
}
