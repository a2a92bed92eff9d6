import GlissadePlatform
import Testing
import GlissadeTestSupport
import GlissadeTime

/// What threads have worked, as the system counts it.
@Suite("Thread CPU clock")
struct ThreadCPUClockTests {
    @Test("A thread's CPU time can be read from another thread")
    func working() throws {
        let meter = Monitor<ThreadCPUClock?>(nil)
        let isOver = Monitor(false)
        let thread = try! NamedThread(name: "worker") {
            meter.update { $0 = .current }
            // Make it work for a while.
            while !isOver.withLock({ $0 }) {}
        }
        let found = meter.wait(until: .now() + .seconds(20)) { $0 }
        let worker = try #require(found)
        let before = try #require(worker.cpuTime)
        #expect(eventually { (worker.cpuTime ?? .zero) > before })
        #expect(worker.name == "worker")
        #expect(worker != .current)
        #expect(ThreadCPUClock.all().contains(worker))
        isOver.update { $0 = true }
        thread.join()
    }

    @Test("A thread that has ended has neither CPU time nor name")
    func gone() throws {
        let meter = Monitor<ThreadCPUClock?>(nil)
        try! NamedThread(name: "short") { meter.update { $0 = .current } }.join()
        let found = meter.withLock { $0 }
        let worker = try #require(found)
        // The system takes it off its list a moment after those who wait for it hear of its end.
        #expect(eventually { worker.cpuTime == nil })
        #expect(worker.name == nil)
    }

    @Test("All threads of the process are listed, including the calling one")
    func all() { #expect(ThreadCPUClock.all().contains(.current)) }
}
