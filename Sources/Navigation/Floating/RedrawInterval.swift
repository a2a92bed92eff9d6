import Time

/// The instants at which something is drawn anew that is so at an interval: whole multiples of it, by the clock, so that
/// however often one asks for the next, it does not move on.
struct RedrawInterval {
    let length: Duration

    /// Nil where there is none: the interval is not positive, or the clock's end is near.
    func next(after now: HostTime) -> HostTime? {
        let interval = length.nanoseconds
        guard interval > 0 else { return nil }
        let past = now.nanoseconds % interval
        let (next, overflows) = now.nanoseconds.addingReportingOverflow(interval - (past < 0 ? past + interval : past))
        return overflows ? nil : HostTime(nanoseconds: next)
    }
}
