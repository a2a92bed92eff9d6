package import GlissadePlatform
import GlissadeTime

/// Waits until `condition` holds, for at most `bound`. Returns whether it does.
///
/// For a state that nothing announces, of another thread or another process: the condition is checked every two milliseconds.
/// Where there is a `Monitor`, a `WakeSignal`, a file descriptor or a process's end to wait for, wait for that.
package func eventually(within bound: Duration = .seconds(30), _ condition: () throws -> Bool) rethrows -> Bool {
    try firstValue(within: bound) { try condition() ? true : nil } ?? false
}

/// Waits until `value` is not nil, for at most `bound`, and returns it; nil where the time is over. As `eventually`.
package func firstValue<R>(
    within bound: Duration = .seconds(30), every interval: Duration = .milliseconds(2), _ value: () throws -> R?
) rethrows -> R? {
    let deadline = HostTime.now() + bound
    let never = WakeSignal()
    while true {
        if let value = try value() { return value }
        let now = HostTime.now()
        guard now < deadline else { return nil }
        never.wait(until: min(now + interval, deadline))
    }
}

extension WakeSignal {
    /// Waits until `condition` holds, checking it now and whenever the signal is raised, for at most `bound`. Returns whether
    /// it does.
    package func wait(atMost bound: Duration = .seconds(30), until condition: () throws -> Bool) rethrows -> Bool {
        let deadline = HostTime.now() + bound
        while try !condition() {
            guard HostTime.now() < deadline else { return false }
            wait(until: deadline)
        }
        return true
    }
}
