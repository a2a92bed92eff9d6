import GlissadeCSystem
public import GlissadeTime

extension HostTime {
    /// Returns the current time of CLOCK_MONOTONIC, which GLFW and PulseAudio use too. Any thread.
    @inlinable public static func now() -> HostTime { HostTime(nanoseconds: monotonicNanoseconds()) }

    /// Makes the calling thread sleep until this time. Returns at once if the time has passed.
    public func sleep() { glissade_sleep_until(nanoseconds) }
}

@usableFromInline func monotonicNanoseconds() -> Int64 { glissade_monotonic_nanoseconds() }
