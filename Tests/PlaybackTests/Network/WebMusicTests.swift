import Foundation
import Testing
import GlissadeTestSupport
import GlissadeTime

@testable import GlissadePlayback

/// Music from an address, whose only picture is a cover.
@MainActor @Suite("Music with a cover from a web server", .serialized) struct WebMusicTests {
    /// Four seconds that cannot be made small, in two tracks.
    private func music() throws -> String {
        let picture = try Clips.file(
            "web-cover.png",
            ffmpeg: NumberedFrames.source(seconds: 0.04, first: 77, format: "rgb24") + ["-frames:v", "1"])
        let path = try Clips.file(
            "web-music.mp4",
            ffmpeg: ["-f", "lavfi", "-i", "anoisesrc=r=48000:d=4:a=0.5", "-i", picture]
                + ["-map", "0:a", "-map", "0:a", "-map", "1:v", "-c:v", "png", "-c:a", "ac3", "-b:a", "384k"]
                + ["-movflags", "+faststart", "-disposition:v:0", "attached_pic"])
        return (path as NSString).lastPathComponent
    }

    private func harness(_ address: String) -> PlaybackHarness {
        var options = PlayerOptions()
        options.network = Web.rules()
        return PlaybackHarness(address, options: options, audio: .silent)
    }

    @Test("Music with a cover from a web server plays to its end")
    func playing() throws {
        let name = try music()
        let server = try Web.server()
        let harness = harness(server.address("/\(name)"))
        #expect(harness.runToEnd())
        #expect(harness.player.info?.isStill == true && harness.player.hasAudio)
        #expect(harness.player.state == .ended)
    }

    @Test("If the connection is lost, the buffered music is heard, and then the player says so")
    func losing() throws {
        let name = try music()
        let server = try Web.server()
        let harness = harness(server.address("/dead=200000/\(name)"))
        #expect(harness.run { if case .failed = harness.player.state { true } else { false } })
        #expect(harness.player.state == .failed(.connectionLost(reason: "the server closed the connection")))
        let position = harness.player.position(at: harness.now)
        #expect(position > .zero && position < .seconds(4))
    }

    @Test("An audio track chosen while the connection is down is the one that plays when the server is back")
    func choosing() throws {
        let name = try music()
        let server = try Web.server()
        var options = PlayerOptions()
        options.network = Web.rules { $0.reconnectTimeout = .zero }
        let harness = PlaybackHarness(server.address("/dead-for=200000:2/\(name)"), options: options, audio: .silent)
        #expect(harness.run { if case .failed = harness.player.state { true } else { false } })
        let other = harness.player.selectedAudioTrack == 0 ? 1 : 0
        #expect(harness.player.selectAudioTrack(other, now: harness.now))
        for _ in 0..<3 where harness.player.state != .ended {
            harness.player.play(now: harness.now)
            harness.runToEnd()
        }
        #expect(harness.player.state == .ended)
        #expect(harness.player.selectedAudioTrack == other && harness.player.hasAudio)
    }
}
