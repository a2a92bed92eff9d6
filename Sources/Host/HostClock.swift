import CSystem
public import Motion

extension HostTime {
    /// The machine's monotonic clock, now: CLOCK_MONOTONIC, which GLFW and PulseAudio count by too. Any thread.
    @inlinable public static func now() -> HostTime { HostTime(nanoseconds: monotonicNanoseconds()) }
}

@usableFromInline func monotonicNanoseconds() -> Int64 { glissade_monotonic_nanoseconds() }
