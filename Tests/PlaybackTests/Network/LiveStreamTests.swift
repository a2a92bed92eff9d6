import Foundation
import Testing
import GlissadeTestSupport
import GlissadeTime

@testable import GlissadeMedia
@testable import GlissadePlayback

/// Live streams that FFmpeg reads itself.
@MainActor @Suite("RTMP and RTSP", .serialized)
struct LiveStreamTests {
    /// 100 frames at 25 a second with a tone, a keyframe every 25.
    private func film() throws -> String {
        try Clips.file(
            "broadcast.mkv",
            ffmpeg: NumberedFrames.source(seconds: 4) + NumberedFrames.tone + NumberedFrames.h264
                + ["-g", "25", "-keyint_min", "25", "-c:a", "aac", "-t", "4"])
    }

    /// Frames in the order of their times, with none shown twice.
    private func expectContinuous(_ harness: PlaybackHarness, sourceLocation: SourceLocation = #_sourceLocation) {
        let times = harness.shown.map(\.time)
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 }, sourceLocation: sourceLocation)
    }

    /// Waits for a server that takes long to start on a busy machine. Such a test ends with the stream, not with the wait.
    private static let patient = Web.rules { $0.reconnectTimeout = .seconds(40) }

    // `ffmpeg` closes the connection at the end of the film without saying that the stream is over, as a server that fails
    // does.
    private static let closed = Player.State.failed(.connectionLost(reason: "the server closed the connection"))

    @Test("An RTMP stream plays to its last frame, and cannot be sought")
    func rtmp() throws {
        let server = try RTMPServer(film())
        let harness = Web.harness(server.address)
        #expect(harness.open()?.isSeekable == false)
        harness.nextFrame()
        harness.player.seek(to: .seconds(3), now: harness.now)
        #expect(harness.player.position(at: harness.now) < .seconds(3))
        #expect(harness.runToEnd())
        #expect(harness.player.state == Self.closed)
        // The decoder keeps the last three, which may refer to frames that are yet to come.
        #expect(harness.numbers == Array(0...96))
        expectContinuous(harness)
    }

    @Test("An RTSP stream plays over TCP to its end, and cannot be sought")
    func rtsp() throws {
        let name = (try film() as NSString).lastPathComponent
        let server = try RTSPServer(Clips.folder)
        let harness = Web.harness(server.address("/\(name)"))
        #expect(harness.open()?.isSeekable == false)
        #expect(harness.runToEnd())
        #expect(harness.player.state == .ended)
        #expect(harness.last?.number == 99)
        #expect(harness.player.counts.due > 90)
        expectContinuous(harness)
    }

    @Test("If an RTMP server dies, the player reconnects, and goes on once the server is back")
    func reconnecting() throws {
        let server = try RTMPServer(film())
        let harness = Web.harness(server.address, Self.patient)
        #expect(harness.run { harness.shown.count >= 10 })
        server.kill()
        #expect(harness.run { harness.player.state == .reconnecting })
        let count = harness.shown.count
        let next = try RTMPServer(film(), port: server.port)
        #expect(harness.run { harness.shown.count >= count + 90 && harness.last?.number == 96 })
        expectContinuous(harness)
        #expect(harness.problems.isEmpty)
        _ = next
    }

    @Test("If an RTMP server dies during a pause, the buffered part is shown, and then the stream goes on")
    func pausing() throws {
        let server = try RTMPServer(film())
        let harness = Web.harness(server.address, Self.patient)
        harness.pauseAtStart()
        server.kill()
        let next = try RTMPServer(film(), port: server.port)
        #expect(harness.player.state == .paused)
        harness.player.play(now: harness.now)
        #expect(harness.run { harness.shown.count >= 90 && harness.last?.number == 96 })
        expectContinuous(harness)
        _ = next
    }

    @Test("If an RTMP server stays away, the player says so, and playing again reconnects")
    func playingAgain() throws {
        let server = try RTMPServer(film())
        let harness = Web.harness(server.address, Web.rules { $0.reconnectTimeout = .milliseconds(500) })
        #expect(harness.run { harness.shown.count >= 10 })
        server.kill()
        #expect(harness.runToEnd())
        #expect(harness.player.state == Self.closed)
        harness.player.play(now: harness.now)
        #expect(harness.run { harness.player.state == .reconnecting })
        #expect(harness.runToEnd())
        #expect(harness.player.state == Self.closed)
        let next = try RTMPServer(film(), port: server.port)
        let count = harness.shown.count
        harness.player.play(now: harness.now)
        #expect(harness.runToEnd())
        #expect(harness.player.state == Self.closed)
        #expect(harness.shown.count >= count + 90)
        expectContinuous(harness)
        _ = next
    }

    @Test("If an RTMP server stalls, the player gives up waiting and reconnects")
    func stalling() throws {
        let server = try RTMPServer(film())
        var rules = Self.patient
        rules.streamTimeout = .seconds(3)
        let harness = Web.harness(server.address, rules)
        #expect(harness.run { harness.shown.count >= 10 })
        server.setFrozen(true)
        #expect(harness.run { harness.player.state == .buffering })
        #expect(harness.run { harness.player.state == .reconnecting })
        server.kill()
        let next = try RTMPServer(film(), port: server.port)
        #expect(harness.run { harness.last?.number == 96 })
        expectContinuous(harness)
        _ = next
    }

    @Test("If an RTSP server closes the connection once, the player reconnects")
    func camera() throws {
        let name = (try film() as NSString).lastPathComponent
        let server = try RTSPServer(Clips.folder)
        let harness = Web.harness(server.address("/drop-once=60/\(name)"))
        #expect(harness.runToEnd())
        #expect(harness.player.state == .ended)
        #expect(harness.player.counts.due > 100)
        expectContinuous(harness)
    }

    @Test(
        "An RTSP server that closes each connection, or stalls, is given up with the reason",
        arguments: [
            ("drop=60", "the server closed the connection"), ("stall=60", "the server stopped sending data"),
        ])
    func badCameras(mode: String, reason: String) throws {
        let name = (try film() as NSString).lastPathComponent
        let server = try RTSPServer(Clips.folder)
        let harness = Web.harness(server.address("/\(mode)/\(name)"), Web.rules { $0.streamTimeout = .seconds(3) })
        #expect(harness.runToEnd())
        #expect(harness.player.state == .failed(.connectionLost(reason: reason)))
        #expect(harness.player.counts.due > 10)
        expectContinuous(harness)
    }

    @Test(
        "An RTSP stream that cannot be opened says why",
        arguments: [
            ("status=404", "Server returned 404 Not Found"), ("udp", "Protocol not supported"),
        ])
    func refusals(mode: String, reason: String) throws {
        let name = (try film() as NSString).lastPathComponent
        let server = try RTSPServer(Clips.folder)
        #expect(Web.refusal(server.address("/\(mode)/\(name)")) == reason)
    }
}
