import Platform
import Synchronization
import Time

/// How long a job may work, and how long it may take in all, not counting its pauses: a damaged file must not hold up the
/// others.
///
/// A thread of the lowest priority hardly works while a film takes the processor, and a disk that has to spin up keeps it
/// waiting: the time that passes says little of the file. The work of the job's own thread is what counts.
///
/// Asked by the job's thread, also from within FFmpeg. Made on that thread.
///
/// Threads: the job's thread asks whether to go on, and sleeps in that call while suspended; any thread may end it or
/// look.
final class TimeBudget: Sendable {
    private let length: Duration
    private let workedAtBegin: Duration
    private let deadline: Atomic<Int64>
    private let wasBrokenOff = Atomic<Bool>(false)
    /// When it was asked last, or pausing ended; `Int64.max` in a pause.
    private let lastAsked: Atomic<Int64>
    /// How much of the processor the job's thread had used then, in nanoseconds.
    private let workedThen: Atomic<Int64>
    private let pause: @Sendable () -> Bool
    private let now: @Sendable () -> HostTime
    private let worked: @Sendable () -> Duration

    /// - Parameters:
    ///   - length: how much of the processor the job's thread may use.
    ///   - longestWait: how long the job may take in all, pauses not counted.
    ///   - worked: how much of the processor the job's thread has used so far; asked by any thread.
    ///   - pause: sleeps as long as the work is suspended, and answers whether it is still wanted.
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

    /// Whether the job is to be given up. Sleeps while the work is suspended.
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

    /// Whether the job was given up because nobody wants it any more: that says nothing of the file.
    var isUnwanted: Bool { wasBrokenOff.load(ordering: .relaxed) }

    /// Whether the job does not pause, and its thread has worked for `patience`, or waited for `longestWait`, since it asked
    /// last. Any thread.
    func isStuck(patience: Duration, longestWait: Duration) -> Bool {
        let last = HostTime(nanoseconds: lastAsked.load(ordering: .acquiring))
        guard last.nanoseconds != .max else { return false }
        let workedThen = Duration.nanoseconds(workedThen.load(ordering: .relaxed))
        return now() - last >= longestWait || worked() - workedThen >= patience
    }

    /// Nobody wants the job any more. Any thread.
    func breakOff() { wasBrokenOff.store(true, ordering: .relaxed) }

    /// Whether its time has run out. Any thread.
    var hasRunOut: Bool {
        worked() - workedAtBegin > length || now().nanoseconds > deadline.load(ordering: .relaxed)
    }
}
