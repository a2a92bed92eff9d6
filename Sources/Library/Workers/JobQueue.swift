import Glibc
import GlissadePlatform
import Synchronization
import GlissadeTime

/// The limits on how long a job may take.
struct JobLimits: Sendable {
    /// The CPU time that a job may use; see `TimeBudget`.
    var budget: Duration
    /// The maximum CPU time between two checks of the budget. A job that exceeds it is stuck.
    var timeout: Duration
    /// The maximum elapsed time between two checks of the budget. A job that exceeds it is stuck, even if the job only
    /// waits.
    var longestWait: Duration

    /// Creates limits. A nil `timeout` means `budget` or 1 s, whichever is longer.
    init(budget: Duration, timeout: Duration? = nil, longestWait: Duration = .seconds(60)) {
        self.budget = budget
        self.timeout = timeout ?? max(budget, .seconds(1))
        self.longestWait = longestWait
    }
}

/// A queue whose jobs run on a low-priority background thread, one at a time.
///
/// Each owner has a list of jobs, and may replace that list. The owner that last set its list takes precedence. The
/// thread starts with the first job. Releasing the queue stops the thread without waiting for it.
///
/// A job is stuck if it runs or waits too long without checking its time budget, for example in a decoder that cannot
/// be interrupted. A standby thread then abandons the job and its thread, and continues with the next job.
///
/// Threads: any thread may call any method; only `awaitIdle` waits. Jobs run on the queue's own threads.
final class JobQueue<Job: Sendable>: Sendable {
    /// Identifies the owner of a list of jobs. Each `LibraryIndex`, for example, has an owner in each of its two
    /// queues.
    struct Owner: Hashable, Sendable {
        fileprivate let number: Int
    }

    fileprivate struct State {
        var lastOwner = 0
        /// The owners' lists of jobs; the last list takes precedence. Each list is reversed, so that removing its first
        /// job is cheap.
        var wanted: [(owner: Owner, jobs: [Job])] = []
        var suspending: Set<Owner> = []
        var current: (owner: Owner, job: Job, budget: TimeBudget)?
        /// Whether `forget` was called for the owner of the current job.
        var isAbandoned = false
        var isOver = false
        /// The number of the thread that runs jobs. Threads with lower numbers got stuck and were replaced.
        var leader = 0
        var stuckCount = 0
        var hasStandby = false

        mutating func next() -> (owner: Owner, job: Job)? {
            while let last = wanted.indices.last {
                if let job = wanted[last].jobs.popLast() {
                    isAbandoned = false
                    return (wanted[last].owner, job)
                }
                wanted.removeLast()
            }
            return nil
        }
    }

    /// The maximum number of abandoned threads that are still stuck. At this limit, another stuck job blocks the queue.
    static var mostStuck: Int { 3 }

    /// A function that runs a job on the queue's thread. The function should check `budget` often.
    typealias Perform = (_ job: Job, _ budget: TimeBudget) -> Void

    /// The state shared by the queue and its threads. The threads do not retain the queue itself.
    fileprivate final class Shared: Sendable {
        let state = Monitor(State())
        let name: String
        let limits: JobLimits
        let makePerform: @Sendable () -> Perform
        let giveUp: @Sendable (Job) -> Void
        let comeBack: @Sendable (Job) -> Void

        init(
            _ name: String, _ limits: JobLimits, _ makePerform: @escaping @Sendable () -> Perform,
            _ giveUp: @escaping @Sendable (Job) -> Void, _ comeBack: @escaping @Sendable (Job) -> Void
        ) {
            self.name = name
            self.limits = limits
            self.makePerform = makePerform
            self.giveUp = giveUp
            self.comeBack = comeBack
        }
    }

    private let shared: Shared
    private let hasBegun = Atomic(false)

    /// Creates a queue whose jobs all run `perform`.
    ///
    /// - Parameters:
    ///   - giveUp: Called once for a stuck job, on the thread that takes over. From then on, the job's budget tells the
    ///     job to stop.
    ///   - comeBack: Called once if an abandoned job finishes after all, on that job's thread. In rare cases, this
    ///     happens before or during `giveUp`.
    ///   - perform: Runs a job on the queue's thread.
    convenience init(
        name: String, limits: JobLimits, giveUp: @escaping @Sendable (Job) -> Void = { _ in },
        comeBack: @escaping @Sendable (Job) -> Void = { _ in },
        perform: @escaping @Sendable (_ job: Job, _ budget: TimeBudget) -> Void
    ) {
        self.init(name: name, limits: limits, giveUp: giveUp, comeBack: comeBack, makePerform: { perform })
    }

    /// Creates a queue in which each thread makes its own function to run jobs.
    ///
    /// - Parameter makePerform: Called on each thread that starts to run jobs. The function that it returns may keep
    ///   state between jobs.
    init(
        name: String, limits: JobLimits, giveUp: @escaping @Sendable (Job) -> Void = { _ in },
        comeBack: @escaping @Sendable (Job) -> Void = { _ in }, makePerform: @escaping @Sendable () -> Perform
    ) {
        shared = Shared(name, limits, makePerform, giveUp, comeBack)
    }

    private func begin() {
        if hasBegun.exchange(true, ordering: .relaxed) { return }
        let isStarted = NamedThread.detach(name: shared.name) { [shared] in shared.lead(0) }
        // If the thread cannot be started, the next request tries again.
        if !isStarted { hasBegun.store(false, ordering: .relaxed) }
    }

    deinit { shared.state.update { $0.isOver = true } }

    func newOwner() -> Owner {
        shared.state.withLock { state in
            state.lastOwner += 1
            return Owner(number: state.lastOwner)
        }
    }

    /// Replaces `owner`'s list of jobs. A job that is already running is not affected.
    func want(_ jobs: [Job], by owner: Owner) {
        let jobs = Array(jobs.reversed())
        shared.state.update { state in
            state.wanted.removeAll { $0.owner == owner }
            if !jobs.isEmpty { state.wanted.append((owner, jobs)) }
        }
        if !jobs.isEmpty { begin() }
    }

    /// Drops `owner`'s jobs, cancels its running job, and ends its suspension of the queue.
    func forget(_ owner: Owner) {
        shared.state.update { state in
            state.wanted.removeAll { $0.owner == owner }
            state.suspending.remove(owner)
            if state.current?.owner == owner { state.isAbandoned = true }
        }
    }

    /// Pauses the queue until every owner that suspended it has resumed it. The current job pauses when it next checks
    /// its budget.
    func suspend(by owner: Owner) { shared.state.withLock { _ = $0.suspending.insert(owner) } }

    func resume(by owner: Owner) { shared.state.update { _ = $0.suspending.remove(owner) } }

    /// Blocks until all jobs are done. For tests.
    func awaitIdle() {
        _ = shared.state.wait { state in state.current == nil && state.wanted.allSatisfy(\.jobs.isEmpty) ? true : nil }
    }
}

// MARK: - On the threads

extension JobQueue.Shared {
    /// Runs jobs on the calling thread, whose number is `number`. Returns when the queue is released. If this thread
    /// got stuck and was replaced, calls `comeBack` and then stands by.
    fileprivate func lead(_ number: Int) {
        // On Linux this applies to the calling thread only. The thread holds locks just long enough to copy a few
        // words, so it does not hold up threads of normal priority.
        setpriority(CInt(PRIO_PROCESS.rawValue), 0, 19)
        startStandby()
        let perform = makePerform()
        while true {
            var next: (job: Job, budget: TimeBudget)?
            _ = state.wait { state -> Void? in
                if state.isOver { return () }
                guard state.suspending.isEmpty, let (owner, job) = state.next() else { return nil }
                let budget = TimeBudget(limits.budget) { self.pause(number) }
                state.current = (owner, job, budget)
                next = (job, budget)
                return ()
            }
            guard let (job, budget) = next else { return }
            perform(job, budget)
            let isReplaced = state.update { state in
                if state.leader != number {
                    state.stuckCount -= 1
                    return true
                }
                state.current = nil
                return false
            }
            if isReplaced {
                comeBack(job)
                return standBy()
            }
        }
    }

    /// Sleeps while the queue is suspended. Returns whether the current job of thread `number` is still wanted.
    private func pause(_ number: Int) -> Bool {
        state.wait { state -> Bool? in
            if state.isOver || state.leader != number || state.isAbandoned { return false }
            return state.suspending.isEmpty ? true : nil
        } ?? false
    }

    /// Starts the standby thread. If it cannot be started, a stuck job blocks the queue.
    private func startStandby() { NamedThread.detach(name: name) { self.standBy() } }

    /// Waits until a job is stuck, then takes over the queue. Returns when the queue is released, or immediately if
    /// another thread is already standing by.
    private func standBy() {
        let isFirst = state.update { state in
            defer { state.hasStandby = true }
            return !state.hasStandby && !state.isOver
        }
        guard isFirst else { return }
        while true {
            // Wait for a job, then until it finishes or may be stuck, then check.
            let isOver = state.wait { state -> Bool? in state.isOver ? true : state.current != nil ? false : nil }
            if isOver != false { break }
            let look = HostTime.now() + min(limits.timeout, limits.longestWait)
            _ = state.wait(until: look) { state -> Void? in state.isOver || state.current == nil ? () : nil }
            guard let (stuck, number) = replaceStuck() else { continue }
            giveUp(stuck)
            return lead(number)
        }
        state.update { $0.hasStandby = false }
    }

    /// Makes the calling thread the leader if the current job is stuck. Returns the stuck job and the calling thread's
    /// number. Returns nil if no job is stuck, or if `mostStuck` threads are already stuck.
    private func replaceStuck() -> (job: Job, number: Int)? {
        state.update { state in
            guard !state.isOver, let current = state.current,
                current.budget.isStuck(timeout: limits.timeout, longestWait: limits.longestWait),
                state.stuckCount < JobQueue.mostStuck
            else { return nil }
            current.budget.breakOff()
            state.current = nil
            state.stuckCount += 1
            state.leader += 1
            state.hasStandby = false
            return (current.job, state.leader)
        }
    }
}
