import Synchronization
import Time

/// What the main thread and the bus's thread hand to each other. Shared by both; the lock is held for a few words' copying.
///
/// Threads: the main thread tells and takes commands; the bus's thread does the reverse. Neither waits for the other.
final class DesktopMailbox: Sendable {
    /// What the main thread has told.
    struct Told: Sendable {
        var state = DesktopState()
        /// When `state.position` was so.
        var time = HostTime(nanoseconds: 0)
        /// How often the position became another than time leads to, in this medium.
        var jumps = 0
        /// Counts the media.
        var medium = 0

        func position(at now: HostTime) -> Duration { state.position(after: now - time) }
    }

    private struct State {
        var told = Told()
        var commands: [DesktopCommand] = []
        var busName: String?
        var screenInhibition = ScreenInhibition.undecided
    }

    /// More commands than this are not waiting: nobody presses so many keys in a frame.
    static let commandLimit = 64
    /// What plays may be off by so much without having jumped; what stands still may not.
    private static let tolerance = Duration.milliseconds(250)

    private let state = Mutex(State())
    private let wake: @Sendable () -> Void

    init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

    /// Whether there is something to tell the bus of.
    func tell(_ new: DesktopState, now: HostTime) -> Bool {
        state.withLock { state in
            let old = state.told
            let isOther = old.state.location != new.location
            if isOther {
                state.told.medium += 1
                state.told.jumps = 0
            }
            // A medium that does not begin at its beginning is where nobody expects it.
            let expected = isOther ? .zero : old.position(at: now)
            // What was playing a moment ago has not jumped because it stands still now.
            let isMoving = new.status == .playing || old.state.status == .playing
            let tolerance = isMoving ? Self.tolerance : .milliseconds(1)
            let distance = max(.zero, new.position) - expected
            let hasJumped = max(distance, .zero - distance) > tolerance
            if hasJumped { state.told.jumps += 1 }
            state.told.state = new
            state.told.time = now
            return hasJumped || new.differs(from: old.state)
        }
    }

    var told: Told { state.withLock { $0.told } }

    var busName: String? {
        get { state.withLock { $0.busName } }
        set { state.withLock { $0.busName = newValue } }
    }

    var screenInhibition: ScreenInhibition { state.withLock { $0.screenInhibition } }

    /// Takes what the bus's thread knows of the screen, and wakes the main thread where that is new.
    func report(_ inhibition: ScreenInhibition) {
        let isNew = state.withLock { state in
            defer { state.screenInhibition = inhibition }
            return state.screenInhibition != inhibition
        }
        if isNew { wake() }
    }

    /// Wakes the main thread with the first command that it has not taken.
    func ask(for command: DesktopCommand) {
        let isFirst = state.withLock { state in
            // Of a slider's many values the last counts.
            if case .setVolume = command, case .setVolume? = state.commands.last { state.commands.removeLast() }
            if state.commands.count < Self.commandLimit { state.commands.append(command) }
            return state.commands.count == 1
        }
        if isFirst { wake() }
    }

    func takeCommands() -> [DesktopCommand] {
        state.withLock { state in
            if state.commands.isEmpty { return [] }
            defer { state.commands = [] }
            return state.commands
        }
    }
}
