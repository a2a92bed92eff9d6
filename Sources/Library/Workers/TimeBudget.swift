import GlissadePlatform
import Synchronization
import GlissadeTime

/// The limits on a job's CPU time and total time, not counting pauses. They keep a damaged file from delaying other
/// files.
///
/// The main limit is on the CPU time of the job's own thread. Elapsed time says little about the file: a thread of the
/// lowest priority hardly runs during playback, and a disk may have to spin up.
///
/// Threads: only the job's thread creates the budget and reads `isSpent`, which may sleep. Any thread may use the other
/// members.
final class TimeBudget: Sendable {
    private let length: Duration
    private let workedAtBegin: Duration
    private let deadline: Atomic<Int64>
    private let wasBrokenOff = Atomic<Bool>(false)
    /// When the last check ended, in nanoseconds; `Int64.max` during a check, including any pause.
    private let lastAsked: Atomic<Int64>
    /// The CPU time of the job's thread at `lastAsked`, in nanoseconds.
    private let workedThen: Atomic<Int64>
    private let pause: @Sendable () -> Bool
    private let now: @Sendable () -> HostTime
    private let worked: @Sendable () -> Duration

    /// Creates a budget that starts now.
    ///
    /// - Parameters:
    ///   - length: The CPU time that the job's thread may use.
    ///   - longestWait: The total time that the job may take, not counting pauses.
    ///   - worked: Returns the CPU time of the job's thread so far; called from any thread.
    ///   - pause: Sleeps while the queue is suspended, and returns whether the job is still wanted.
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

    /// Whether the job should stop. Sleeps while the queue is suspended. Read this often, and only on the job's
    /// thread.
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

    /// Whether the job was canceled or abandoned. The result of such a job says nothing about the file. Any thread.
    var isUnwanted: Bool { wasBrokenOff.load(ordering: .relaxed) }

    /// Whether the job's thread has used `timeout` of CPU time, or `longestWait` has passed, since the last check
    /// ended. False during a check or pause. Any thread.
    func isStuck(timeout: Duration, longestWait: Duration) -> Bool {
        let last = HostTime(nanoseconds: lastAsked.load(ordering: .acquiring))
        guard last.nanoseconds != .max else { return false }
        let workedThen = Duration.nanoseconds(workedThen.load(ordering: .relaxed))
        return now() - last >= longestWait || worked() - workedThen >= timeout
    }

    /// Marks the job as unwanted. Any thread.
    func breakOff() { wasBrokenOff.store(true, ordering: .relaxed) }

    /// Whether the CPU time or the total time is used up. Any thread.
    var hasRunOut: Bool {
        worked() - workedAtBegin > length || now().nanoseconds > deadline.load(ordering: .relaxed)
    }
}
