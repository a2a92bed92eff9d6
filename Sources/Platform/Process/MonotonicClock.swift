import CSystem
public import Time

extension HostTime {
    /// The current time of CLOCK_MONOTONIC, which GLFW and PulseAudio also use. Any thread.
    @inlinable public static func now() -> HostTime { HostTime(nanoseconds: monotonicNanoseconds()) }

    /// Sleeps until this time. Any thread.
    public func sleep() { glissade_sleep_until(nanoseconds) }
}

@usableFromInline func monotonicNanoseconds() -> Int64 { glissade_monotonic_nanoseconds() }
