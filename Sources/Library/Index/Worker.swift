import Glibc
import Host
import Motion
import Synchronization

/// A thread of low priority that does one job at a time, the first of those that are wanted.
///
/// Shared by any threads. Each owner wants a list of jobs, which replaces the one before it; the owner that spoke last
/// comes first. The thread begins with the first job, ends with the worker, and is not waited for.
final class Worker<Job: Sendable>: Sendable {
    /// Who wants something: a page's index.
    struct Owner: Hashable, Sendable {
        fileprivate let number: Int
    }

    private struct State {
        var lastOwner = 0
        /// The lists, the latest last; each reversed, so that its first job is cheap to take.
        var wanted: [(owner: Owner, jobs: [Job])] = []
        var suspending: Set<Owner> = []
        var current: Owner?
        /// Whether the owner of the job that is being done has no more use for it.
        var isAbandoned = false
        var isOver = false

        mutating func next() -> Job? {
            while let last = wanted.indices.last {
                if let job = wanted[last].jobs.popLast() {
                    current = wanted[last].owner
                    isAbandoned = false
                    return job
                }
                wanted.removeLast()
            }
            return nil
        }
    }

    /// What the thread and the worker share; the thread does not keep the worker itself.
    private let state = Monitor(State())

    /// Does a job, on the thread. It is to ask its allowance often whether to go on.
    typealias Perform = (_ job: Job, _ allowance: Allowance) -> Void

    private let name: String
    private let allowance: Duration
    private let makePerform: @Sendable () -> Perform
    private let hasBegun = Atomic(false)

    /// - Parameters:
    ///   - allowance: how long a job may take, pauses not counted.
    ///   - perform: does the jobs.
    convenience init(
        name: String, allowance: Duration,
        perform: @escaping @Sendable (_ job: Job, _ allowance: Allowance) -> Void
    ) {
        self.init(name: name, allowance: allowance, makePerform: { perform })
    }

    /// - Parameter makePerform: makes what does the jobs, once, on the thread: it may keep what is that thread's alone from
    ///   job to job.
    init(name: String, allowance: Duration, makePerform: @escaping @Sendable () -> Perform) {
        self.name = name
        self.allowance = allowance
        self.makePerform = makePerform
    }

    private func begin() {
        if hasBegun.exchange(true, ordering: .relaxed) { return }
        let isStarted = Thread.detach(name: name) { [state, allowance, makePerform] in
            // In Linux, of this thread alone. The locks that it takes are held for a few words' copying: a thread of the
            // program's that waits for one gives way to it.
            setpriority(CInt(PRIO_PROCESS.rawValue), 0, 19)
            let perform = makePerform()
            while true {
                let job: Job?? = state.wait { state -> Job?? in
                    if state.isOver { return .some(nil) }
                    guard state.suspending.isEmpty, let job = state.next() else { return nil }
                    return .some(job)
                }
                guard case .some(.some(let job)) = job else { return }
                perform(job, Allowance(allowance) { Self.pause(state) })
                state.update { $0.current = nil }
            }
        }
        // What is wanted next tries it again.
        if !isStarted { hasBegun.store(false, ordering: .relaxed) }
    }

    deinit { state.update { $0.isOver = true } }

    func newOwner() -> Owner {
        state.withLock { state in
            state.lastOwner += 1
            return Owner(number: state.lastOwner)
        }
    }

    /// Replaces what `owner` wants. The job that is being done is done to its end.
    func want(_ jobs: [Job], by owner: Owner) {
        let jobs = Array(jobs.reversed())
        state.update { state in
            state.wanted.removeAll { $0.owner == owner }
            if !jobs.isEmpty { state.wanted.append((owner, jobs)) }
        }
        if !jobs.isEmpty { begin() }
    }

    /// Drops all that `owner` wants and breaks off what is being done for it.
    func forget(_ owner: Owner) {
        state.update { state in
            state.wanted.removeAll { $0.owner == owner }
            state.suspending.remove(owner)
            if state.current == owner { state.isAbandoned = true }
        }
    }

    /// Stops at the next place where a job can stop, until every owner that suspended it has resumed it.
    func suspend(by owner: Owner) { state.withLock { _ = $0.suspending.insert(owner) } }

    func resume(by owner: Owner) { state.update { _ = $0.suspending.remove(owner) } }

    /// Waits until nothing is wanted and nothing is being done: for tests.
    func awaitIdle() {
        _ = state.wait { state in state.current == nil && state.wanted.allSatisfy(\.jobs.isEmpty) ? true : nil }
    }

    /// Sleeps while suspended; whether the job is still to be done.
    private static func pause(_ state: Monitor<State>) -> Bool {
        state.wait { state -> Bool? in
            if state.isOver || state.isAbandoned { return false }
            return state.suspending.isEmpty ? true : nil
        } ?? false
    }
}
