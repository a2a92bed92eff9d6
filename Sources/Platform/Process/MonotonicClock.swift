import CSystem
public import Time

extension HostTime {
    /// Returns the current time of CLOCK_MONOTONIC, which GLFW and PulseAudio use too. Any thread.
    @inlinable public static func now() -> HostTime { HostTime(nanoseconds: monotonicNanoseconds()) }

    /// Sleeps until this time, which may have passed already. Any thread.
    public func sleep() { glissade_sleep_until(nanoseconds) }
}

@usableFromInline func monotonicNanoseconds() -> Int64 { glissade_monotonic_nanoseconds() }
