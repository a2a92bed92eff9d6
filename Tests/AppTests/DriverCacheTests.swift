import Foundation
import Gestures
import Host
import Motion
import Testing

@testable import App

@Suite("What the driver keeps of the program's shaders is made once for each build")
struct DriverCacheTests {
    private func inFolder(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.path + "/driver-cache-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(folder)
    }

    private final class Runs: @unchecked Sendable { var commands: [[String]] = [] }

    private func fill(_ marker: String?, status: Int32? = 0) -> (begun: Bool, commands: [[String]]) {
        let runs = Runs()
        let begun = DriverCache.fillOnce(marker: marker.map { FilePath($0) }) {
            runs.commands.append($0)
            return status
        }
        return (begun, runs.commands)
    }

    @Test("made by three processes, one after the other, and not again")
    func once() throws {
        try inFolder { folder in
            let marker = folder + "/not/there/yet/driver-cache"
            let first = fill(marker)
            #expect(first.begun && first.commands == [[String]](repeating: ["fill-driver-cache"], count: 3))
            let identity = try #require(ChildProcess.identity)
            #expect(FileManager.default.contents(atPath: marker) == Data("\(identity) 3".utf8))
            let second = fill(marker)
            #expect(!second.begun && second.commands.isEmpty)
        }
    }

    @Test("made anew for another build, and where the marker is nonsense", arguments: ["1 2.3", "\u{0}\u{0}", ""])
    func anew(old: String) throws {
        try inFolder { folder in
            let marker = folder + "/driver-cache"
            try Data(old.utf8).write(to: URL(fileURLWithPath: marker))
            #expect(fill(marker).commands.count == 3)
            #expect(fill(marker).commands.isEmpty)
        }
    }

    @Test("one that fails is followed by no other, and not tried again", arguments: [1, nil] as [Int32?])
    func fails(status: Int32?) throws {
        try inFolder { folder in
            let marker = folder + "/driver-cache"
            #expect(fill(marker, status: status).commands.count == 1)
            #expect(fill(marker, status: status).commands.isEmpty)
        }
    }

    @Test("what was ended meanwhile is gone on with")
    func rest() throws {
        try inFolder { folder in
            let marker = folder + "/driver-cache"
            let identity = try #require(ChildProcess.identity)
            try Data("\(identity) 1".utf8).write(to: URL(fileURLWithPath: marker))
            #expect(fill(marker).commands.count == 2)
            #expect(fill(marker).commands.isEmpty)
        }
    }

    @Test("nothing is begun that cannot be remembered")
    func unwritable() throws {
        #expect(fill(nil).commands.isEmpty)
        #expect(fill("/proc/no/such/driver-cache").commands.isEmpty)
        try inFolder { folder in
            // A folder in its place, a file in its folder's.
            try FileManager.default.createDirectory(
                atPath: folder + "/a/driver-cache/full", withIntermediateDirectories: true)
            #expect(fill(folder + "/a/driver-cache").commands.isEmpty)
            try Data().write(to: URL(fileURLWithPath: folder + "/b"))
            #expect(fill(folder + "/b/driver-cache").commands.isEmpty)
        }
    }

    @Test("its time is two seconds after the film's first frame, once")
    @MainActor func time() {
        var preparation = Preparation()
        let shown = HostTime(nanoseconds: 5_000_000_000)
        let times: [Duration] = [.milliseconds(1999), .seconds(2), .seconds(3)]
        let answers = times.map { preparation.isTimeForDriverCache(now: shown + $0, firstShown: shown) }
        #expect(answers == [false, true, false])
    }

    @Test("a hand is near for ten seconds after its last sign, and not by a pointer that only came in")
    @MainActor func near() {
        var preparation = Preparation()
        let time = HostTime(nanoseconds: 3_000_000_000)
        func pointer(_ phase: PointerEvent.Phase) -> InputEvent {
            .pointer(PointerEvent(phase: phase, position: .zero, button: nil, modifiers: [], time: time))
        }
        #expect(!preparation.isHandNear(now: time) && preparation.handStaysUntil == nil)
        preparation.note(pointer(.entered), now: time)
        #expect(!preparation.isHandNear(now: time) && !preparation.hasSeenHand)
        preparation.note(pointer(.pressed), now: time)
        #expect(preparation.isHandNear(now: time + .milliseconds(9999)))
        #expect(!preparation.isHandNear(now: time + .seconds(10)))
        preparation.note(pointer(.released), now: time + .seconds(5))
        #expect(preparation.handStaysUntil == time + .seconds(10))
        preparation.handWaits(now: time + .seconds(7))
        #expect(preparation.handStaysUntil == time + .seconds(17))
    }

    @Test("a hand that waits is answered when all is ready, or after 150 ms")
    @MainActor func patience() {
        var preparation = Preparation()
        let began = HostTime(nanoseconds: 7_000_000_000)
        #expect(!preparation.hasSeenHand)
        preparation.handWaits(now: began)
        preparation.handWaits(now: began + .milliseconds(100))
        #expect(preparation.isWarmingUp, "its first sign has what pages are drawn with made ready")
        #expect(!preparation.admitsHand(hasPage: false, now: began + .milliseconds(150)))
        #expect(preparation.admitsHand(hasPage: false, now: began + .milliseconds(151)))
        #expect(preparation.admitsHand(hasPage: false, isRehearsing: true, now: began + .milliseconds(151)))
    }

    @Test("the way to fullscreen is rehearsed once, when a hand waits and something is drawn")
    @MainActor func rehearsal() {
        var preparation = Preparation()
        let early = preparation.isTimeToRehearse(canDraw: true)
        preparation.handWaits(now: HostTime(nanoseconds: 1))
        let answers = [false, true, true].map { preparation.isTimeToRehearse(canDraw: $0) }
        #expect(!early && answers == [false, true, false])
    }
}
