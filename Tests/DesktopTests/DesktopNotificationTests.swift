import Glibc
import GlissadePlatform
import Testing
import GlissadeTestSupport
import GlissadeTime

@testable import GlissadeDesktop

/// What a desktop is told by itself, and what becomes of it all when the bus is not there.
@MainActor @Suite("MPRIS notifications", .serialized) struct DesktopNotificationTests {
    private let scene: DesktopScene
    private let name = DesktopScene.name
    private var client: BusClient { scene.client }

    init() throws { scene = try DesktopScene() }

    @Test("Each change is announced once, and nothing else is")
    func changes() throws {
        try client.listen()
        #expect(try scene.start())
        scene.state.status = .paused
        scene.state.volume = 0.5
        scene.publish()
        #expect(try client.wait { client.changed.count >= 2 })
        #expect(client.changed == ["PlaybackStatus", "Volume"])
        scene.publish()
        scene.state.title = "Two"
        scene.state.location = "/films/two.mkv"
        scene.state.position = .zero
        scene.publish()
        #expect(try client.wait { client.changed.count >= 3 })
        #expect(client.changed == ["PlaybackStatus", "Volume", "Metadata"])
        scene.state = DesktopState()
        scene.publish()
        #expect(try client.wait { client.changed.contains("CanPause") })
        #expect(Set(client.changed.dropFirst(3)).isSuperset(of: ["PlaybackStatus", "Metadata", "CanSeek", "CanPlay"]))
        #expect(client.seeked.isEmpty)
    }

    @Test("A title with invalid characters is announced without them, and later changes still arrive")
    func titles() throws {
        try client.listen()
        #expect(try scene.start())
        func sign(_ code: UInt32) -> String { Unicode.Scalar(code).map { String($0) } ?? "" }
        for (title, told) in [
            ("a\(sign(0xFFFE))b\u{7}\0c\(sign(0x1FFFF))\(sign(0xFDD0))\n", "abc"), (sign(0xFFFF), ""),
            (String(repeating: "x", count: 1 << 20), String(repeating: "x", count: 1024)),
            ("e" + String(repeating: "\u{301}", count: 1 << 20), "e" + String(repeating: "\u{301}", count: 1023)),
            ("Fünf \u{1F3AC}", "Fünf \u{1F3AC}"),
        ] {
            scene.state.title = title
            scene.state.status = scene.state.status == .playing ? .paused : .playing
            let count = client.changed.count
            scene.publish()
            #expect(try client.wait { client.changed.count >= count + 2 })
            #expect(try client.metadata(name)["xesam:title"] == told)
        }
        #expect(scene.session.busName == name)
    }

    @Test("The session ends only when the bus is gone, not when a message is refused")
    func tolerance() {
        for code in [ENOTCONN, ECONNRESET, EPIPE] {
            #expect(throws: BusError.self) {
                try BusError.tolerate { () throws(BusError) in throw BusError(code: -code) }
            }
        }
        for code in [EINVAL, ENOBUFS, ENOENT, ENOMEM] {
            #expect(throws: Never.self) {
                try BusError.tolerate { () throws(BusError) in throw BusError(code: -code) }
            }
        }
    }

    @Test("A seek is announced, and normal progress is not")
    func jumps() throws {
        try client.listen()
        #expect(try scene.start())
        let now = HostTime.now()
        func tell(_ seconds: Double, after time: Double) {
            scene.state.position = .milliseconds(Int64((seconds * 1000).rounded()))
            scene.session.publish(scene.state, now: now + .seconds(time))
        }
        for step in 0..<100 { tell(10 + Double(step) / 10 + (step % 2 == 0 ? 0.05 : 0), after: Double(step) / 10) }
        scene.state.status = .paused
        tell(20, after: 10)
        tell(20, after: 99)
        tell(50, after: 100)
        #expect(try client.wait { client.seeked.count >= 1 })
        tell(50.04, after: 100)
        #expect(try client.wait { client.seeked.count >= 2 })
        #expect(client.seeked == [50_000_000, 50_040_000])
        scene.state.location = "/films/two.mkv"
        tell(0, after: 101)
        tell(1, after: 101)
        #expect(try client.wait { client.seeked.count >= 3 })
        #expect(client.seeked.last == 1_000_000 && client.seeked.count == 3, "another medium is no jump")
        scene.state.location = "/films/three.mkv"
        tell(30, after: 102)
        #expect(try client.wait { client.seeked.count >= 4 })
        #expect(client.seeked.last == 30_000_000, "unless it begins somewhere else than at its beginning")
    }

    @Test("Reporting the same state for every frame wakes no thread")
    func quiet() {
        let shared = SharedDesktopState {}
        #expect(shared.publish(scene.state, now: HostTime(nanoseconds: 0)))
        for frame in 1..<1000 {
            let time = Duration.milliseconds(16 * frame)
            scene.state.position = .seconds(10) + time
            #expect(!shared.publish(scene.state, now: HostTime(nanoseconds: 0) + time))
        }
    }

    @Test("A second player has its own bus name, and each gets its own commands")
    func twoPlayers() throws {
        #expect(try scene.start())
        let signal = WakeSignal()
        let second = DesktopScene.session(scene.server.address, signal)
        second.publish(scene.state, now: .now())
        second.start()
        #expect(try client.wait { second.busName != nil })
        #expect(scene.session.busName == name)
        let other = try #require(second.busName)
        #expect(other.hasPrefix(name + ".instance"))
        try client.call(other, "Next")
        try client.call(name, "Pause")
        #expect(scene.commands(1) == [.pause])
        var commands: [DesktopCommand] = []
        let came = signal.wait {
            commands += second.takeCommands()
            return !commands.isEmpty
        }
        #expect(came && commands == [.next])
        second.stop()
        #expect(throws: BusClient.Refused.self) { try client.call(other, "Next") }
        try client.call(name, "Play")
        #expect(scene.commands(1) == [.play])
    }

    @Test("Without a bus nothing happens, and stopping returns at once")
    func noBus() {
        for address in ["unix:path=/nowhere/bus", "nonsense", "", "unix:path=/dev/null"] {
            let session = DesktopScene.session(address, WakeSignal())
            session.start()
            session.start()
            session.publish(scene.state, now: .now())
            #expect(session.takeCommands().isEmpty)
            session.stop()
            #expect(session.busName == nil)
        }
    }

    @Test("When the bus dies during playback, the thread ends and later reports are dropped")
    func busDies() throws {
        #expect(try scene.start())
        scene.server.stop()
        #expect(eventually { scene.session.busName == nil })
        for _ in 0..<10 {
            scene.state.volume += 0.01
            scene.publish()
        }
        #expect(scene.session.takeCommands().isEmpty)
        // Joins the thread: one that spun or waited would not let go.
        scene.session.stop()
    }

    @Test("A bus that no longer answers delays neither the program nor its end")
    func busFreezes() throws {
        #expect(try scene.start())
        scene.server.setFrozen(true)
        for step in 0..<2000 {
            scene.state.title = "\(step)"
            scene.publish()
        }
        scene.session.stop()
        scene.server.setFrozen(false)
        #expect(try client.wait { (try? client.text(name, "PlaybackStatus")) == nil })
    }

    @Test("A session that is never started, or is released while running, leaves nothing behind")
    func ends() throws {
        let unstarted = DesktopScene.session(scene.server.address, WakeSignal())
        unstarted.publish(scene.state, now: .now())
        unstarted.stop()
        var session: DesktopSession? = DesktopScene.session(scene.server.address, WakeSignal())
        session?.start()
        #expect(try client.wait { session?.busName != nil })
        session = nil
        #expect(
            try client.wait {
                (try? client.text(name, "PlaybackStatus")) == nil
            })
    }
}
