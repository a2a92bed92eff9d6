import CSystem
public import Time

extension HostTime {
    /// The machine's monotonic clock, now: CLOCK_MONOTONIC, which GLFW and PulseAudio count by too. Any thread.
    @inlinable public static func now() -> HostTime { HostTime(nanoseconds: monotonicNanoseconds()) }

    /// Sleeps until then. Any thread.
    public func sleep() { glissade_sleep_until(nanoseconds) }
}

@usableFromInline func monotonicNanoseconds() -> Int64 { glissade_monotonic_nanoseconds() }
