import GlissadeTime

/// A part of the program that is advanced in each iteration of the frame loop. Main thread.
@MainActor protocol Advancing: AnyObject {
    /// Advances to `now`, and applies the results of background threads.
    ///
    /// - Returns: Whether something visible may have changed, so that another frame is needed.
    func advance(to now: HostTime) -> Bool
    /// When `advance` must be called next if nothing else happens; nil if no call is needed.
    ///
    /// Asked when the frame loop is about to wait, instead of being returned by `advance`: a part that is advanced
    /// later in the same iteration may change what an earlier one waits for.
    func nextWake(now: HostTime) -> HostTime?
}

extension Advancing {
    func nextWake(now: HostTime) -> HostTime? { nil }
}

/// Work in an iteration that is not the whole of one controller.
@MainActor final class AdvanceStep: Advancing {
    private let body: @MainActor (HostTime) -> Bool
    private let wake: @MainActor (HostTime) -> HostTime?

    init(
        wake: @escaping @MainActor (HostTime) -> HostTime? = { _ in nil },
        _ body: @escaping @MainActor (HostTime) -> Bool
    ) {
        self.body = body
        self.wake = wake
    }

    func advance(to now: HostTime) -> Bool { body(now) }
    func nextWake(now: HostTime) -> HostTime? { wake(now) }
}

/// The parts of the program, in the order in which each iteration advances them. Main thread.
///
/// Allocates no memory after `init`.
@MainActor struct AdvanceList {
    private let parts: [any Advancing]

    init(_ parts: [any Advancing]) { self.parts = parts }

    /// Advances all parts. Calls `onChange` after each part that needs another frame, so that the parts after it know.
    func advance(to now: HostTime, onChange: () -> Void) {
        for part in parts where part.advance(to: now) { onChange() }
    }

    /// The earliest time at which a part must be advanced again; nil if there is none.
    func nextWake(now: HostTime) -> HostTime? {
        var wake: HostTime?
        for part in parts { wake = .earliest(wake, part.nextWake(now: now)) }
        return wake
    }
}
