import GlissadeCSystem
import Glibc
import Synchronization
import Testing
import GlissadeTime

@testable import GlissadePlatform

/// glibc's, which Swift's importer does not show without _GNU_SOURCE.
@_silgen_name("pthread_setattr_default_np")
private func setDefaultAttributes(_ attributes: UnsafePointer<pthread_attr_t>) -> CInt
@_silgen_name("pthread_getattr_default_np")
private func getDefaultAttributes(_ attributes: UnsafeMutablePointer<pthread_attr_t>) -> CInt

@Suite("Thread", .serialized) struct ThreadTests {
    @Test("Threads block signals to the process but not their own faults, and so do the threads they start")
    func signals() throws {
        let blocked = Monitor<[[CInt]]>([])
        @Sendable func note() {
            var mask = sigset_t()
            pthread_sigmask(SIG_BLOCK, nil, &mask)
            let numbers = (1...31).filter { sigismember(&mask, $0) == 1 }
            blocked.update { $0.append(numbers) }
        }
        try NamedThread(name: "outer") {
            note()
            try! NamedThread(name: "inner") { note() }.join()
        }.join()
        let unblocked = Set(NamedThread.faults + [SIGKILL, SIGSTOP])
        let expected = (1...31).filter { !unblocked.contains($0) }
        #expect(blocked.withLock { $0 } == [expected, expected])
    }

    @Test("If the system cannot create a thread an error is thrown and the closure is released")
    func refused() throws {
        final class Held: Sendable {
            let isGone: Monitor<Bool>
            init(_ isGone: Monitor<Bool>) { self.isGone = isGone }
            deinit { isGone.update { $0 = true } }
        }
        let isGone = Monitor(false)
        var usual = pthread_attr_t()
        #expect(getDefaultAttributes(&usual) == 0)
        // A stack for which no process has the addresses.
        var immense = pthread_attr_t()
        pthread_attr_init(&immense)
        pthread_attr_setstacksize(&immense, 1 << 50)
        #expect(setDefaultAttributes(&immense) == 0)
        var refusal: ThreadError?
        var isStarted = true
        do {
            let held = Held(isGone)
            do throws(ThreadError) {
                _ = try NamedThread(name: "refused") { withExtendedLifetime(held) {} }
            } catch {
                refusal = error
            }
            isStarted = NamedThread.detach(name: "refused") { withExtendedLifetime(held) {} }
        }
        #expect(setDefaultAttributes(&usual) == 0)
        #expect(refusal == ThreadError(code: EAGAIN))
        #expect(refusal?.description == "cannot start another thread: resource temporarily unavailable")
        #expect(!isStarted)
        #expect(isGone.withLock { $0 })
    }

    @Test("Waiting until a time before the clock's zero returns at once")
    func longPast() {
        let state = Monitor(0)
        for time in [Int64.min, -1, 0] {
            #expect(state.wait(until: HostTime(nanoseconds: time)) { _ in nil as Bool? } == nil)
        }
    }
}
