import Time

/// The redraw times of an element: the multiples of an interval on the clock. Asking repeatedly therefore does not
/// postpone the next redraw.
struct RedrawInterval {
    let length: Duration

    /// Returns the next redraw time after `now`; nil if the interval is not positive, or the time would overflow.
    func next(after now: HostTime) -> HostTime? {
        let interval = length.nanoseconds
        guard interval > 0 else { return nil }
        let past = now.nanoseconds % interval
        let (next, overflows) = now.nanoseconds.addingReportingOverflow(interval - (past < 0 ? past + interval : past))
        return overflows ? nil : HostTime(nanoseconds: next)
    }
}
