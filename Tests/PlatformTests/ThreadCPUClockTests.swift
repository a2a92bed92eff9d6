import Platform
import Testing
import Time

/// What threads have worked, as the system counts it.
@Suite("Thread CPU clock")
struct ThreadCPUClockTests {
    @Test("A thread that works is seen to work by another, which does not")
    func working() throws {
        let meter = Monitor<ThreadCPUClock?>(nil)
        let isOver = Monitor(false)
        let thread = try! Thread(name: "worker") {
            meter.update { $0 = .current }
            while !isOver.withLock({ $0 }) {}
        }
        let found = meter.wait(until: .now() + .seconds(20)) { $0 }
        let worker = try #require(found)
        let before = try #require(worker.cpuTime)
        let deadline = HostTime.now() + .seconds(20)
        while (worker.cpuTime ?? .zero) <= before, .now() < deadline {}
        #expect(try #require(worker.cpuTime) > before)
        #expect(worker.name == "worker")
        #expect(worker != .current)
        #expect(ThreadCPUClock.all().contains(worker))
        isOver.update { $0 = true }
        thread.join()
    }

    @Test("One that is gone has neither a time nor a name")
    func gone() throws {
        let meter = Monitor<ThreadCPUClock?>(nil)
        try! Thread(name: "short") { meter.update { $0 = .current } }.join()
        let found = meter.withLock { $0 }
        let worker = try #require(found)
        // The system takes it off its list a moment after those who wait for it hear of its end.
        let deadline = HostTime.now() + .seconds(20)
        while worker.cpuTime != nil, .now() < deadline {}
        #expect(worker.cpuTime == nil)
        #expect(worker.name == nil)
    }

    @Test("All threads of the process are listed, the calling one among them")
    func all() { #expect(ThreadCPUClock.all().contains(.current)) }
}
