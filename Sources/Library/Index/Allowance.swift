import Host
import Motion
import Synchronization

/// The time that a job may take, not counting the pauses in it: a damaged file is not to hold up the others.
///
/// Asked by the job's thread, also from within FFmpeg.
final class Allowance: Sendable {
    private let deadline: Atomic<Int64>
    private let wasBrokenOff = Atomic<Bool>(false)
    /// When it was asked last, or pausing ended; `Int64.max` in a pause.
    private let lastAsked: Atomic<Int64>
    private let pause: @Sendable () -> Bool
    private let now: @Sendable () -> HostTime

    /// - Parameter pause: sleeps as long as the work is suspended, and answers whether it is still wanted.
    init(
        _ length: Duration, now: @escaping @Sendable () -> HostTime = { HostTime.now() },
        pause: @escaping @Sendable () -> Bool
    ) {
        let begin = now()
        deadline = Atomic((begin + length).nanoseconds)
        lastAsked = Atomic(begin.nanoseconds)
        self.pause = pause
        self.now = now
    }

    /// Whether the job is to be given up. Sleeps while the work is suspended.
    var isSpent: Bool {
        let before = self.now()
        lastAsked.store(.max, ordering: .relaxed)
        defer { lastAsked.store(self.now().nanoseconds, ordering: .relaxed) }
        guard pause() else {
            wasBrokenOff.store(true, ordering: .relaxed)
            return true
        }
        let now = self.now()
        deadline.wrappingAdd((now - before).nanoseconds, ordering: .relaxed)
        return now.nanoseconds > deadline.load(ordering: .relaxed)
    }

    /// Whether the job was given up because nobody wants it any more: that says nothing of the file.
    var isUnwanted: Bool { wasBrokenOff.load(ordering: .relaxed) }

    /// Whether the job has not asked for so long, and does not pause: its thread is held up. Any thread.
    func isUnasked(for length: Duration) -> Bool {
        let last = HostTime(nanoseconds: lastAsked.load(ordering: .relaxed))
        return last.nanoseconds != .max && now() - last >= length
    }

    /// Nobody wants the job any more. Any thread.
    func breakOff() { wasBrokenOff.store(true, ordering: .relaxed) }

    /// Whether its time has run out.
    var hasRunOut: Bool { now().nanoseconds > deadline.load(ordering: .relaxed) }
}
