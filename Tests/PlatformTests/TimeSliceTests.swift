import GlissadeCSystem
import GlissadePlatform
import Testing
import GlissadeTime

/// How long threads work at a stretch, as the kernel has it.
@Suite("Thread scheduling")
struct TimeSliceTests {
    /// The kernel's answer for a thread, while it is there.
    private static func slice(ofThreadMadeBy make: (@escaping @Sendable () -> Void) -> NamedThread) -> UInt64 {
        let seen = Monitor<UInt64>(0)
        make { seen.update { $0 = glissade_time_slice(glissade_thread_id()) } }.join()
        return seen.withLock { $0 }
    }

    private static let isKnown = glissade_time_slice(0) != 0

    @Test(
        "Threads created meanwhile inherit the time slice, and no others have it",
        .enabled(if: isKnown, "the kernel has none"))
    func lengthened() {
        // Of a thread of this test's own.
        let usual = glissade_time_slice(0)
        let seen = Monitor<[UInt64]>([])
        try! NamedThread(name: "maker") {
            func make() -> UInt64 { Self.slice { try! NamedThread(name: "made", $0) } }
            let before = make()
            let (meanwhile, own) = TimeSlice.lengthened(to: .milliseconds(20)) {
                (make(), glissade_time_slice(0))
            }
            let all = [before, meanwhile, own, make(), glissade_time_slice(0)]
            seen.update { $0 = all }
        }.join()
        #expect(seen.withLock { $0 } == [usual, 20_000_000, 20_000_000, usual, usual])
    }

    @Test("A thread of idle priority keeps that priority", .enabled(if: isKnown, "the kernel has none"))
    func other() {
        let seen = Monitor<(Int32, Int32, UInt64)>((0, 0, 0))
        try! NamedThread(name: "idle") {
            glissade_work_when_idle()
            let before = sched_getscheduler(0)
            let slice = TimeSlice.lengthened(to: .milliseconds(20)) { glissade_time_slice(0) }
            let after = sched_getscheduler(0)
            seen.update { $0 = (before, after, slice) }
        }.join()
        let (before, after, slice) = seen.withLock { $0 }
        #expect(before == after && before != 0)
        #expect(slice != 20_000_000)
    }
}
