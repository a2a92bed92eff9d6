import GlissadePlatform
import Synchronization
import GlissadeTime

/// The data that the main thread and the bus's thread share: the player's state, and commands from the bus.
///
/// Threads: the main thread and the bus's thread. No lock is held during I/O.
final class SharedDesktopState: Sendable {
    /// The state that the main thread last published.
    struct Published: Sendable {
        var state = DesktopState()
        /// The time at which `state.position` was valid.
        var time = HostTime(nanoseconds: 0)
        /// The number of seeks since `medium` last changed. A seek is a jump of the position.
        var jumps = 0
        /// The number of times that `state.location` has changed. This number identifies the open media.
        var medium = 0

        func position(at now: HostTime) -> Duration { state.position(after: now - time) }
    }

    private struct State {
        var published = Published()
        var busName: String?
        var screenInhibition = ScreenInhibition.undecided
    }

    /// The maximum number of queued commands. Further commands are dropped.
    static let commandLimit = 64
    /// The largest deviation from the expected position, during playback, that does not count as a seek. While playback
    /// is paused, the limit is 1 ms.
    private static let tolerance = Duration.milliseconds(250)

    private let state = Mutex(State())
    private let commands: Mailbox<DesktopCommand>
    private let wake: @Sendable () -> Void

    init(wake: @escaping @Sendable () -> Void) {
        self.wake = wake
        commands = Mailbox(limit: Self.commandLimit, wake: wake)
    }

    /// Stores the new state, and counts a seek if the position has jumped. Returns whether there is anything to
    /// announce on the bus.
    func publish(_ new: DesktopState, now: HostTime) -> Bool {
        state.withLock { state in
            let old = state.published
            let isOther = old.state.location != new.location
            if isOther {
                state.published.medium += 1
                state.published.jumps = 0
            }
            // Opening media at a position other than its beginning counts as a seek.
            let expected = isOther ? .zero : old.position(at: now)
            // Pausing is not a seek: the position was still moving until now.
            let isMoving = new.status == .playing || old.state.status == .playing
            let tolerance = isMoving ? Self.tolerance : .milliseconds(1)
            let distance = max(.zero, new.position) - expected
            let hasJumped = max(distance, .zero - distance) > tolerance
            if hasJumped { state.published.jumps += 1 }
            state.published.state = new
            state.published.time = now
            return hasJumped || new.differs(from: old.state)
        }
    }

    var published: Published { state.withLock { $0.published } }

    var busName: String? {
        get { state.withLock { $0.busName } }
        set { state.withLock { $0.busName = newValue } }
    }

    var screenInhibition: ScreenInhibition { state.withLock { $0.screenInhibition } }

    /// Stores the state of screen inhibition. Wakes the main thread if that state has changed.
    func report(_ inhibition: ScreenInhibition) {
        let isNew = state.withLock { state in
            defer { state.screenInhibition = inhibition }
            return state.screenInhibition != inhibition
        }
        if isNew { wake() }
    }

    /// Queues a command, unless the queue is full. Wakes the main thread if the queue was empty.
    func enqueue(_ command: DesktopCommand) {
        commands.put(command) { waiting in
            // Only the latest volume from a slider counts.
            if case (.setVolume, .setVolume) = (command, waiting) { true } else { false }
        }
    }

    func takeCommands() -> [DesktopCommand] { commands.takeAll() }
}
