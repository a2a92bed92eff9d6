import Glibc
import Platform
import Synchronization
import Time

/// A thread of low priority that does one job at a time, the first of those that are wanted.
///
/// Shared by any threads. Each owner wants a list of jobs, which replaces the one before it; the owner that spoke last
/// comes first. The thread begins with the first job, ends with the worker, and is not waited for.
///
/// A job that works, or waits, for long without asking its allowance is stuck, as in a decoder that cannot be interrupted. A
/// second thread, which sleeps until then, leaves it behind with its thread and goes on with the next.
///
/// Threads: any thread may call any method; only `awaitIdle` waits. Jobs run on the queue's own threads, one at a time.
final class JobQueue<Job: Sendable>: Sendable {
    /// Who wants something: a page's index.
    struct Owner: Hashable, Sendable {
        fileprivate let number: Int
    }

    fileprivate struct State {
        var lastOwner = 0
        /// The lists, the latest last; each reversed, so that its first job is cheap to take.
        var wanted: [(owner: Owner, jobs: [Job])] = []
        var suspending: Set<Owner> = []
        var current: (owner: Owner, job: Job, allowance: TimeBudget)?
        /// Whether the owner of the job that is being done has no more use for it.
        var isAbandoned = false
        var isOver = false
        /// Counts the threads. The one of this number does the jobs; earlier ones are stuck.
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

    /// So many threads are left behind at most: after that the last of them holds up what follows.
    static var mostStuck: Int { 3 }

    /// Does a job, on the thread. It is to ask its allowance often whether to go on.
    typealias Perform = (_ job: Job, _ allowance: TimeBudget) -> Void

    /// What the threads and the worker share; the threads do not keep the worker itself.
    fileprivate final class Shared: Sendable {
        let state = Monitor(State())
        let name: String
        let allowance: Duration
        let patience: Duration
        let longestWait: Duration
        let makePerform: @Sendable () -> Perform
        let giveUp: @Sendable (Job) -> Void
        let comeBack: @Sendable (Job) -> Void

        init(
            _ name: String, _ allowance: Duration, _ patience: Duration, _ longestWait: Duration,
            _ makePerform: @escaping @Sendable () -> Perform, _ giveUp: @escaping @Sendable (Job) -> Void,
            _ comeBack: @escaping @Sendable (Job) -> Void
        ) {
            self.name = name
            self.allowance = allowance
            self.patience = patience
            self.longestWait = longestWait
            self.makePerform = makePerform
            self.giveUp = giveUp
            self.comeBack = comeBack
        }
    }

    private let shared: Shared
    private let hasBegun = Atomic(false)

    /// - Parameters:
    ///   - allowance: how much of the processor a job may take; see `TimeBudget`.
    ///   - patience: after how much work without asking for it a job is stuck, in time of the processor; as long as it may
    ///     take, where nothing is said.
    ///   - longestWait: after how long without asking for it a job is stuck, whether its thread works or waits.
    ///   - giveUp: called once for a job that is stuck, on another thread than the one that it is on: in its place. The job's
    ///     own allowance says from then on that nobody wants it.
    ///   - comeBack: called once for a job that was given up and ends after all, on its thread. On rare occasions before
    ///     `giveUp` is, or at the same time.
    ///   - perform: does the jobs.
    convenience init(
        name: String, allowance: Duration, patience: Duration? = nil, longestWait: Duration = .seconds(60),
        giveUp: @escaping @Sendable (Job) -> Void = { _ in }, comeBack: @escaping @Sendable (Job) -> Void = { _ in },
        perform: @escaping @Sendable (_ job: Job, _ allowance: TimeBudget) -> Void
    ) {
        self.init(
            name: name, allowance: allowance, patience: patience, longestWait: longestWait, giveUp: giveUp,
            comeBack: comeBack, makePerform: { perform })
    }

    /// - Parameter makePerform: makes what does the jobs, once on each thread: it may keep what is that thread's alone from
    ///   job to job.
    init(
        name: String, allowance: Duration, patience: Duration? = nil, longestWait: Duration = .seconds(60),
        giveUp: @escaping @Sendable (Job) -> Void = { _ in }, comeBack: @escaping @Sendable (Job) -> Void = { _ in },
        makePerform: @escaping @Sendable () -> Perform
    ) {
        let patience = patience ?? max(allowance, .seconds(1))
        shared = Shared(name, allowance, patience, longestWait, makePerform, giveUp, comeBack)
    }

    private func begin() {
        if hasBegun.exchange(true, ordering: .relaxed) { return }
        let isStarted = Thread.detach(name: shared.name) { [shared] in shared.lead(0) }
        // What is wanted next tries it again.
        if !isStarted { hasBegun.store(false, ordering: .relaxed) }
    }

    deinit { shared.state.update { $0.isOver = true } }

    func newOwner() -> Owner {
        shared.state.withLock { state in
            state.lastOwner += 1
            return Owner(number: state.lastOwner)
        }
    }

    /// Replaces what `owner` wants. The job that is being done is done to its end.
    func want(_ jobs: [Job], by owner: Owner) {
        let jobs = Array(jobs.reversed())
        shared.state.update { state in
            state.wanted.removeAll { $0.owner == owner }
            if !jobs.isEmpty { state.wanted.append((owner, jobs)) }
        }
        if !jobs.isEmpty { begin() }
    }

    /// Drops all that `owner` wants and breaks off what is being done for it.
    func forget(_ owner: Owner) {
        shared.state.update { state in
            state.wanted.removeAll { $0.owner == owner }
            state.suspending.remove(owner)
            if state.current?.owner == owner { state.isAbandoned = true }
        }
    }

    /// Stops at the next place where a job can stop, until every owner that suspended it has resumed it.
    func suspend(by owner: Owner) { shared.state.withLock { _ = $0.suspending.insert(owner) } }

    func resume(by owner: Owner) { shared.state.update { _ = $0.suspending.remove(owner) } }

    /// Waits until nothing is wanted and nothing is being done: for tests.
    func awaitIdle() {
        _ = shared.state.wait { state in state.current == nil && state.wanted.allSatisfy(\.jobs.isEmpty) ? true : nil }
    }
}

// MARK: - On the threads

extension JobQueue.Shared {
    /// Does one job after the other, until it is stuck in one for so long that another thread takes its place.
    fileprivate func lead(_ number: Int) {
        // In Linux, of this thread alone. The locks that it takes are held for a few words' copying: a thread of the
        // program's that waits for one gives way to it.
        setpriority(CInt(PRIO_PROCESS.rawValue), 0, 19)
        startStandby()
        let perform = makePerform()
        while true {
            var next: (job: Job, allowance: TimeBudget)?
            _ = state.wait { state -> Void? in
                if state.isOver { return () }
                guard state.suspending.isEmpty, let (owner, job) = state.next() else { return nil }
                let allowance = TimeBudget(self.allowance) { self.pause(number) }
                state.current = (owner, job, allowance)
                next = (job, allowance)
                return ()
            }
            guard let (job, allowance) = next else { return }
            perform(job, allowance)
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

    /// Sleeps while suspended; whether the job of the thread of that number is still to be done.
    private func pause(_ number: Int) -> Bool {
        state.wait { state -> Bool? in
            if state.isOver || state.leader != number || state.isAbandoned { return false }
            return state.suspending.isEmpty ? true : nil
        } ?? false
    }

    /// Starts the thread that takes over from one that is stuck. Without it such a job holds up all others.
    private func startStandby() { Thread.detach(name: name) { self.standBy() } }

    /// Nothing where another thread does.
    private func standBy() {
        let isFirst = state.update { state in
            defer { state.hasStandby = true }
            return !state.hasStandby && !state.isOver
        }
        guard isFirst else { return }
        while true {
            // Until there is a job, and then until it is done, or may have had its time; then once more, for so long again.
            let isOver = state.wait { state -> Bool? in state.isOver ? true : state.current != nil ? false : nil }
            if isOver != false { break }
            let look = HostTime.now() + min(patience, longestWait)
            _ = state.wait(until: look) { state -> Void? in state.isOver || state.current == nil ? () : nil }
            guard let (stuck, number) = replaceStuck() else { continue }
            giveUp(stuck)
            return lead(number)
        }
        state.update { $0.hasStandby = false }
    }

    /// Where the job that is being done is stuck: that job, and the number of this thread, which now does the next.
    private func replaceStuck() -> (job: Job, number: Int)? {
        state.update { state in
            guard !state.isOver, let current = state.current,
                current.allowance.isStuck(patience: patience, longestWait: longestWait),
                state.stuckCount < JobQueue.mostStuck
            else { return nil }
            current.allowance.breakOff()
            state.current = nil
            state.stuckCount += 1
            state.leader += 1
            state.hasStandby = false
            return (current.job, state.leader)
        }
    }
}
