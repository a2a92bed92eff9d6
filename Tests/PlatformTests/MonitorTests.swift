import GlissadePlatform
import Testing
import GlissadeTime

/// Waiting for a change of what threads share.
@Suite("Monitor")
struct MonitorTests {
    private struct Shared {
        var asked = 0
        var isOffered = false
        var isTaken = false
    }

    @Test("A change made by a waiter in its last check before the timeout wakes the other waiters")
    func lastLook() {
        let shared = Monitor(Shared())
        let told = Monitor(false)
        let other = try! NamedThread(name: "other") {
            shared.wait { $0.isTaken ? () : nil }
            told.update { $0 = true }
        }
        let waiter = try! NamedThread(name: "waiter") {
            shared.wait(until: .now() + .milliseconds(300)) { shared -> Void? in
                shared.asked += 1
                guard shared.isOffered else { return nil }
                shared.isTaken = true
                return ()
            }
        }
        // Once it has been asked it sleeps, for nobody else gets the lock before; and this wakes nobody.
        while !shared.withLock({ shared in
            shared.isOffered = shared.asked > 0
            return shared.isOffered
        }) {}
        waiter.join()
        #expect(shared.withLock { $0.isTaken })
        #expect(told.wait(until: .now() + .seconds(5)) { $0 ? true : nil } == true)
        shared.update { _ in }  // Lets it end in any case.
        other.join()
    }
}
