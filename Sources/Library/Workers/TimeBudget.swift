import Platform
import Synchronization
import Time

/// Limits a job's CPU time and its total time, not counting pauses, so that a damaged file cannot hold up the others.
///
/// A thread of the lowest priority hardly runs during playback, and a disk may have to spin up, so elapsed time says
/// little about the file. Therefore the CPU time of the job's own thread is limited.
///
/// Created and checked on the job's thread, also from within FFmpeg.
///
/// Threads: the job's thread asks whether to continue, and sleeps in that call while suspended; any thread may cancel
/// it or query it.
final class TimeBudget: Sendable {
    private let length: Duration
    private let workedAtBegin: Duration
    private let deadline: Atomic<Int64>
    private let wasBrokenOff = Atomic<Bool>(false)
    /// The time of the last check or end of a pause; `Int64.max` during a pause.
    private let lastAsked: Atomic<Int64>
    /// The CPU time of the job's thread at that moment, in nanoseconds.
    private let workedThen: Atomic<Int64>
    private let pause: @Sendable () -> Bool
    private let now: @Sendable () -> HostTime
    private let worked: @Sendable () -> Duration

    /// - Parameters:
    ///   - length: the CPU time that the job's thread may use.
    ///   - longestWait: the total time that the job may take, not counting pauses.
    ///   - worked: the CPU time of the job's thread so far; called from any thread.
    ///   - pause: sleeps while the queue is suspended, and returns whether the job is still wanted.
    init(
        _ length: Duration, longestWait: Duration = .seconds(30),
        now: @escaping @Sendable () -> HostTime = { HostTime.now() },
        worked: @escaping @Sendable () -> Duration = { [thread = ThreadCPUClock.current] in thread.cpuTime ?? .zero },
        pause: @escaping @Sendable () -> Bool
    ) {
        let begin = now()
        self.length = length
        workedAtBegin = worked()
        deadline = Atomic((begin + longestWait).nanoseconds)
        lastAsked = Atomic(begin.nanoseconds)
        workedThen = Atomic(workedAtBegin.nanoseconds)
        self.pause = pause
        self.now = now
        self.worked = worked
    }

    /// Whether the job should stop. Sleeps while the queue is suspended.
    var isSpent: Bool {
        let before = self.now()
        lastAsked.store(.max, ordering: .relaxed)
        defer {
            workedThen.store(worked().nanoseconds, ordering: .relaxed)
            lastAsked.store(self.now().nanoseconds, ordering: .releasing)
        }
        guard pause() else {
            wasBrokenOff.store(true, ordering: .relaxed)
            return true
        }
        deadline.wrappingAdd((self.now() - before).nanoseconds, ordering: .relaxed)
        return hasRunOut
    }

    /// Whether the job was cancelled, which says nothing about the file.
    var isUnwanted: Bool { wasBrokenOff.load(ordering: .relaxed) }

    /// Whether the job's thread has used `timeout` of CPU time, or `longestWait` has passed, since its last check;
    /// false during a pause. Any thread.
    func isStuck(timeout: Duration, longestWait: Duration) -> Bool {
        let last = HostTime(nanoseconds: lastAsked.load(ordering: .acquiring))
        guard last.nanoseconds != .max else { return false }
        let workedThen = Duration.nanoseconds(workedThen.load(ordering: .relaxed))
        return now() - last >= longestWait || worked() - workedThen >= timeout
    }

    /// Cancels the job. Any thread.
    func breakOff() { wasBrokenOff.store(true, ordering: .relaxed) }

    /// Whether the time is used up. Any thread.
    var hasRunOut: Bool {
        worked() - workedAtBegin > length || now().nanoseconds > deadline.load(ordering: .relaxed)
    }
}
