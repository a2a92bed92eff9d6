import Testing
import GlissadeTime

@testable import GlissadeApp

@Suite("Parts that are advanced") @MainActor struct AdvancingTests {
    private final class Part: Advancing {
        let isChanged: Bool
        let wake: HostTime?
        private let note: @MainActor () -> Void

        init(isChanged: Bool = false, wake: HostTime? = nil, note: @escaping @MainActor () -> Void = {}) {
            self.isChanged = isChanged
            self.wake = wake
            self.note = note
        }

        func advance(to now: HostTime) -> Bool {
            note()
            return isChanged
        }

        func nextWake(now: HostTime) -> HostTime? { wake }
    }

    private func at(_ milliseconds: Int) -> HostTime { HostTime(nanoseconds: 0) + .milliseconds(milliseconds) }

    @Test("Parts advance in the order of the list, and a later part knows that an earlier one needs a frame")
    func order() {
        var seen: [String] = []
        let list = AdvanceList([
            Part { seen.append("first") }, Part(isChanged: true) { seen.append("second") },
            Part { seen.append("third") },
        ])
        list.advance(to: at(0)) { seen.append("frame") }
        #expect(seen == ["first", "second", "frame", "third"])
    }

    @Test("The list wakes for the part that wants it first, and not at all if no part wants it")
    func wake() {
        #expect(AdvanceList([]).nextWake(now: at(0)) == nil)
        #expect(AdvanceList([Part(), Part()]).nextWake(now: at(0)) == nil)
        #expect(AdvanceList([Part(), Part(wake: at(9)), Part(wake: at(4)), Part()]).nextWake(now: at(0)) == at(4))
    }

    @Test("A step advances and wakes as it is told")
    func step() {
        let step = AdvanceStep(wake: { $0 + .milliseconds(1) }) { $0 == .init(nanoseconds: 0) }
        #expect(step.advance(to: at(0)) && !step.advance(to: at(1)) && step.nextWake(now: at(1)) == at(2))
        #expect(AdvanceStep { _ in false }.nextWake(now: at(0)) == nil)
    }
}
