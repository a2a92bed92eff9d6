import Foundation
import GlissadeMedia
import GlissadePlatform
import Synchronization
import Testing
import GlissadeTime

@testable import GlissadeLibrary

/// In which order jobs are done, and how they are put off and broken off.
@Suite("Job queue", .serialized) struct JobQueueTests {
    /// A worker whose jobs are numbers; each waits at a gate until the test lets it pass.
    private final class Gate: Sendable {
        struct State {
            var begun: [Int] = []
            var ended: [(job: Int, wasBrokenOff: Bool)] = []
            var passes = 0
            var niceness: CInt?
        }

        let state = Monitor(State())

        func perform(_ job: Int, _ budget: TimeBudget) {
            state.update { $0.begun.append(job) }
            // A pass, or the end of the job, whichever comes first.
            var isBrokenOff = false
            while true {
                isBrokenOff = budget.isSpent
                let step = HostTime.now() + .milliseconds(1)
                let passed: Bool? = state.wait(until: step) { state -> Bool? in
                    guard state.passes > 0 else { return nil }
                    state.passes -= 1
                    return true
                }
                if isBrokenOff || passed != nil { break }
            }
            state.update { state in
                state.niceness = getpriority(CInt(PRIO_PROCESS.rawValue), 0)
                state.ended.append((job, isBrokenOff))
            }
        }

        func pass(_ count: Int = 1) { state.update { $0.passes += count } }

        func wait(until isSo: (State) -> Bool) -> Bool {
            state.wait(until: .now() + .seconds(30)) { isSo($0) ? true : nil } ?? false
        }
    }

    private let gate = Gate()
    private let worker: JobQueue<Int>

    init() {
        worker = JobQueue(name: "test worker", limits: JobLimits(budget: .seconds(60))) { [gate] job, budget in
            gate.perform(job, budget)
        }
    }

    @Test("Jobs run one at a time, in the requested order, at the lowest priority")
    func order() {
        worker.want([1, 2, 3], by: worker.newOwner())
        #expect(gate.wait { $0.begun == [1] })
        gate.pass(3)
        #expect(gate.wait { $0.ended.map(\.job) == [1, 2, 3] })
        #expect(gate.wait { $0.niceness == 19 })
    }

    @Test("A new list replaces the old one, but not the running job")
    func replacing() {
        let owner = worker.newOwner()
        worker.want([1, 2, 3], by: owner)
        #expect(gate.wait { $0.begun == [1] })
        worker.want([4, 5], by: owner)
        gate.pass(3)
        #expect(gate.wait { $0.ended.map(\.job) == [1, 4, 5] })
        #expect(gate.wait { $0.ended.allSatisfy { !$0.wasBrokenOff } })
    }

    @Test("The owner that asked last is served first, and the others follow")
    func owners() {
        let (first, second) = (worker.newOwner(), worker.newOwner())
        worker.want([1, 2], by: first)
        #expect(gate.wait { $0.begun == [1] })
        worker.want([10, 11], by: second)
        gate.pass(4)
        #expect(gate.wait { $0.ended.map(\.job) == [1, 10, 11, 2] })
    }

    @Test("Removing an owner drops its jobs and interrupts its running job, but no other's")
    func forgetting() {
        let (first, second) = (worker.newOwner(), worker.newOwner())
        worker.want([1, 2], by: first)
        #expect(gate.wait { $0.begun == [1] })
        worker.want([10], by: second)
        worker.forget(second)
        worker.want([11], by: second)
        worker.forget(first)
        #expect(gate.wait { $0.ended.first?.wasBrokenOff == true })
        gate.pass()
        #expect(gate.wait { $0.ended.map(\.job) == [1, 11] })
        #expect(gate.wait { $0.ended.last?.wasBrokenOff == false })
    }

    @Test("A suspended job pauses and no other starts until every suspension has ended")
    func suspending() {
        let (first, second) = (worker.newOwner(), worker.newOwner())
        worker.suspend(by: first)
        worker.suspend(by: second)
        worker.want([1], by: first)
        worker.resume(by: second)
        #expect(gate.state.withLock { $0.begun.isEmpty })
        worker.resume(by: first)
        #expect(gate.wait { $0.begun == [1] })
        worker.suspend(by: first)
        worker.resume(by: first)
        worker.suspend(by: second)
        worker.forget(second)
        gate.pass()
        #expect(gate.wait { $0.ended.map(\.job) == [1] })
    }

    @Test("A job's time budget does not run while it is suspended, and ends it otherwise")
    func budget() {
        let paused = Mutex(true)
        let budget = TimeBudget(.seconds(3600)) { paused.withLock { $0 } }
        #expect(!budget.isSpent && !budget.isUnwanted && !budget.hasRunOut)
        paused.withLock { $0 = false }
        #expect(budget.isSpent && budget.isUnwanted && !budget.hasRunOut)
        let spent = TimeBudget(.seconds(-1)) { true }
        #expect(spent.isSpent && !spent.isUnwanted && spent.hasRunOut)
        // Pauses of twice its length leave it as it was.
        let time = Mutex(HostTime(nanoseconds: 0))
        let work = Mutex(Duration.seconds(7))
        func make() -> TimeBudget {
            TimeBudget(
                .seconds(5), longestWait: .seconds(10), now: { time.withLock { $0 } }, worked: { work.withLock { $0 } }
            ) {
                time.withLock { $0 = $0 + .seconds(20) }
                return true
            }
        }
        let waiting = make()
        #expect(!waiting.isSpent && !waiting.hasRunOut)
        time.withLock { $0 = $0 + .seconds(9) }
        #expect(!waiting.isSpent)
        time.withLock { $0 = $0 + .seconds(2) }
        #expect(waiting.isSpent && waiting.hasRunOut)
        let working = make()
        work.withLock { $0 += .seconds(4) }
        #expect(!working.isSpent && !working.hasRunOut)
        work.withLock { $0 += .seconds(2) }
        #expect(working.isSpent && working.hasRunOut)
    }

    @Test("Releasing the queue interrupts the running job")
    func going() {
        var worker: JobQueue<Int>? = JobQueue(name: "test worker", limits: JobLimits(budget: .seconds(60))) {
            [gate] job, budget in
            gate.perform(job, budget)
        }
        if let worker { worker.want([1, 2], by: worker.newOwner()) }
        #expect(gate.wait { $0.begun == [1] })
        worker = nil
        #expect(gate.wait { $0.ended.first?.wasBrokenOff == true })
        #expect(gate.state.withLock { $0.begun } == [1])
    }

    @Test("A job that hangs is abandoned with its thread, and another thread runs the next jobs")
    func hanging() {
        let hung = Monitor(false)
        let givenUp = Monitor<[Int]>([])
        let done = Monitor<[(job: Int, isUnwanted: Bool)]>([])
        let worker = JobQueue<Int>(
            name: "test worker", limits: JobLimits(budget: .seconds(60), longestWait: .milliseconds(250)),
            giveUp: { job in givenUp.update { $0.append(job) } },
            perform: { job, budget in
                // As in a decoder, the budget is never checked.
                if job < 0 { _ = hung.wait { $0 ? () : nil } }
                done.update { $0.append((job, budget.isUnwanted)) }
            })
        func wait(until isSo: ([Int]) -> Bool) -> Bool {
            done.wait(until: .now() + .seconds(30)) { isSo($0.map(\.job)) ? true : nil } ?? false
        }
        worker.want([1, -1, 2, -2, 3, -3, 4], by: worker.newOwner())
        #expect(wait { $0 == [1, 2, 3, 4] })
        // A busy machine may hold up the others for as long.
        #expect(givenUp.withLock { $0.filter { $0 < 0 } } == [-1, -2, -3])
        #expect(done.withLock { $0.allSatisfy { !$0.isUnwanted } })
        // As many are left behind as may be: a fourth one that hangs holds up what follows, until one comes back.
        worker.want([-4, 5], by: worker.newOwner())
        hung.update { $0 = true }
        #expect(wait { $0.count == 9 && $0.contains(5) })
        #expect(done.withLock { $0.filter { $0.job < 0 && $0.job > -4 }.allSatisfy(\.isUnwanted) })
    }

    @Test("A job that is suspended for a long time does not count as hanging")
    func longPause() {
        let clock = Monitor(HostTime(nanoseconds: 0))
        let asking = Monitor<TimeBudget?>(nil)
        let stuck = Monitor<[Bool]>([])
        let budget = TimeBudget(.seconds(60), now: { clock.withLock { $0 } }) {
            // Many times as long as a job may be silent.
            clock.update { $0 = $0 + .seconds(3600) }
            let isStuck = asking.withLock { $0 }?.isStuck(timeout: .seconds(1), longestWait: .seconds(1)) ?? true
            stuck.update { $0.append(isStuck) }
            return true
        }
        asking.update { $0 = budget }
        defer { asking.update { $0 = nil } }
        #expect(!budget.isSpent)
        #expect(stuck.withLock { $0 } == [false])
        clock.update { $0 = $0 + .milliseconds(999) }
        #expect(!budget.isStuck(timeout: .seconds(1), longestWait: .seconds(1)))
        clock.update { $0 = $0 + .milliseconds(1) }
        #expect(budget.isStuck(timeout: .seconds(1), longestWait: .seconds(1)))
    }

    @Test("A job hangs by its thread's CPU time since its last check, or by a very long wait")
    func waiting() {
        let clock = Mutex(HostTime(nanoseconds: 0))
        let work = Mutex(Duration.seconds(7))
        let budget = TimeBudget(
            .seconds(3600), longestWait: .seconds(3600), now: { clock.withLock { $0 } },
            worked: { work.withLock { $0 } }, pause: { true })
        func pass(_ time: Duration, working: Duration) {
            clock.withLock { $0 = $0 + time }
            work.withLock { $0 += working }
        }
        var isStuck: Bool { budget.isStuck(timeout: .seconds(5), longestWait: .seconds(60)) }
        // As under a film that takes the processor: 1 % is left.
        pass(.seconds(59), working: .milliseconds(590))
        #expect(!isStuck)
        pass(.seconds(1), working: .milliseconds(10))
        #expect(isStuck)
        #expect(!budget.isSpent && !isStuck)
        pass(.milliseconds(4999), working: .milliseconds(4999))
        #expect(!isStuck)
        pass(.milliseconds(1), working: .milliseconds(1))
        #expect(isStuck)
        #expect(!budget.isSpent && !isStuck)
    }

    @Test("A job that loops forever is abandoned by its thread's CPU time")
    func looping() {
        let isGivenUp = Atomic(false)
        let done = Monitor<[Int]>([])
        // As a decoder that loops: it is what is given up, and ends here so that the test does.
        let worker = JobQueue<Int>(
            name: "test worker",
            limits: JobLimits(budget: .seconds(60), timeout: .milliseconds(20), longestWait: .seconds(3600)),
            giveUp: { _ in isGivenUp.store(true, ordering: .relaxed) },
            perform: { job, _ in
                let end = HostTime.now() + .seconds(30)
                while job < 0, !isGivenUp.load(ordering: .relaxed), HostTime.now() < end {}
                done.update { $0.append(job) }
            })
        worker.want([-1, 2], by: worker.newOwner())
        #expect(done.wait(until: .now() + .seconds(60)) { $0.contains(2) ? true : nil } == true)
        let isGivenUpNow = isGivenUp.load(ordering: .relaxed)
        #expect(isGivenUpNow)
    }

    @Test("A job that was abandoned but returns is reported once")
    func comingBack() {
        let hung = Monitor(false)
        let calls = Monitor<(givenUp: [Int], back: [Int])>(([], []))
        let worker = JobQueue<Int>(
            name: "test worker", limits: JobLimits(budget: .seconds(60), longestWait: .milliseconds(250)),
            giveUp: { job in calls.update { $0.givenUp.append(job) } },
            comeBack: { job in calls.update { $0.back.append(job) } },
            perform: { job, _ in if job < 0 { _ = hung.wait { $0 ? () : nil } } })
        worker.want([1, -1, 2], by: worker.newOwner())
        // A busy machine may hold up the others for as long.
        func isOne(_ jobs: [Int]) -> Bool { jobs.filter { $0 < 0 } == [-1] }
        #expect(calls.wait(until: .now() + .seconds(30)) { isOne($0.givenUp) ? true : nil } == true)
        #expect(calls.withLock { !$0.back.contains(-1) })
        hung.update { $0 = true }
        #expect(calls.wait(until: .now() + .seconds(30)) { isOne($0.back) ? true : nil } == true)
        worker.awaitIdle()
        #expect(calls.withLock { isOne($0.givenUp) && isOne($0.back) })
    }

    @Test("A file is slow while it blocks a job, in whichever order its calls come, until it changes")
    func slowFiles() throws {
        let scene = try Scene()
        let path = try scene.file("film.mp4", Data("film".utf8))
        func entry(byteCount: Int) -> LibraryItem {
            LibraryItem(
                path: path, displayName: "film.mp4", kind: .video, byteCount: byteCount,
                modified: FileTime(timespec()))
        }
        let slow = SlowFiles()
        slow.insert(entry(byteCount: 4))
        #expect(slow.contains(entry(byteCount: 4)) && !slow.contains(entry(byteCount: 5)))
        slow.remove(entry(byteCount: 4))
        #expect(!slow.contains(entry(byteCount: 4)))
        slow.remove(entry(byteCount: 5))
        slow.insert(entry(byteCount: 5))
        #expect(!slow.contains(entry(byteCount: 5)))
        slow.insert(entry(byteCount: 5))
        #expect(slow.contains(entry(byteCount: 5)))
    }
}
