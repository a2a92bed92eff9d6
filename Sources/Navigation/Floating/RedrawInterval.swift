import Time

/// The times at which an element is redrawn at an interval: multiples of the interval on the clock, so that repeated
/// queries do not postpone the next one.
struct RedrawInterval {
    let length: Duration

    /// Returns the next time after `now`; nil if the interval is not positive, or the end of the clock's range is near.
    func next(after now: HostTime) -> HostTime? {
        let interval = length.nanoseconds
        guard interval > 0 else { return nil }
        let past = now.nanoseconds % interval
        let (next, overflows) = now.nanoseconds.addingReportingOverflow(interval - (past < 0 ? past + interval : past))
        return overflows ? nil : HostTime(nanoseconds: next)
    }
}
