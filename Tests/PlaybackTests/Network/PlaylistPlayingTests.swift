import Foundation
import Testing
import GlissadeTestSupport
import GlissadeTime

@testable import GlissadeMedia
@testable import GlissadePlayback

/// Films in segments of two seconds.
@MainActor @Suite("Playlists from web servers", .serialized)
struct PlaylistPlayingTests {
    /// 200 frames at 25 a second, grainy, so that most of the file is pictures; no sound.
    private func film() throws -> String {
        var source = NumberedFrames.source(seconds: 8)
        source[source.count - 1] += ",noise=alls=40:allf=t"
        return try Clips.file("eight.mkv", ffmpeg: source + NumberedFrames.h264)
    }

    /// The name of a playlist of four segments.
    private func playlist() throws -> String {
        let segments = Clips.folder.appendingPathComponent("eight-%d.ts").path
        let options = ["-c", "copy", "-hls_time", "2", "-hls_list_size", "0", "-hls_segment_filename", segments]
        _ = try Clips.file("eight.m3u8", ffmpeg: ["-i", film()] + options)
        return "eight.m3u8"
    }

    @Test(
        "A playlist plays to its end and can be sought, even if the server sends no parts of files",
        arguments: ["", "no-ranges/"])
    func playing(mode: String) throws {
        let name = try playlist()
        let server = try Web.server()
        let harness = Web.harness(server.address("/\(mode)\(name)"))
        #expect(harness.open()?.isSeekable == true)
        harness.nextFrame()
        #expect(harness.seek(to: .milliseconds(5001))?.number == 125)
        #expect(harness.seek(to: .zero)?.number == 0)
        #expect(harness.runToEnd())
        #expect(harness.player.state == .ended)
        #expect(harness.last?.number == 199)
        #expect(harness.problems.isEmpty)
    }

    @Test(
        "Each segment whose connection is lost is resumed, and the whole film is shown",
        arguments: ["drop=100000", "drop-once=40000", "stall-once=40000", "late=100"])
    func resuming(mode: String) throws {
        let name = try playlist()
        let server = try Web.server()
        let (state, frames) = Web.fate(server.address("/\(mode)/\(name)"))
        #expect(state == .ended)
        #expect(frames == 200)
    }

    @Test(
        "After a segment that is lost for good, the buffered part is shown, and then the reason",
        arguments: [
            ("dead=60000", "the server closed the connection"),
            ("changing=60000", "the file on the server has changed"),
        ])
    func losing(mode: String, reason: String) throws {
        let name = try playlist()
        let server = try Web.server()
        let (state, frames) = Web.fate(server.address("/\(mode)/\(name)"))
        #expect(state == .failed(.connectionLost(reason: reason)))
        #expect(frames > 0)
    }

    @Test("A playlist whose sound starts before its pictures can be sought back to its start, also from its end")
    func earlySound() throws {
        // Audio encoders emit priming samples first. The playlist's first packet is one of a picture.
        let film = try Clips.file(
            "early.mp4",
            ffmpeg: NumberedFrames.source(seconds: 8) + NumberedFrames.tone
                + ["-c:v", "libx264", "-preset", "ultrafast", "-g", "12", "-c:a", "aac", "-t", "8"])
        let segments = Clips.folder.appendingPathComponent("early-%d.ts").path
        let options = ["-c", "copy", "-hls_time", "2", "-hls_list_size", "0", "-hls_segment_filename", segments]
        _ = try Clips.file("early.m3u8", ffmpeg: ["-i", film] + options)
        let server = try Web.server()
        let harness = Web.harness(server.address("/early.m3u8"))
        #expect(harness.open()?.isSeekable == true)
        harness.nextFrame()
        #expect(harness.seek(to: .milliseconds(6030))?.number == 150)
        #expect(harness.seek(to: .zero)?.number == 0)
        #expect(harness.runToEnd())
        #expect(harness.last?.number == 199)
        #expect(harness.problems.isEmpty)
    }

    @Test("A live playlist plays until it says that it has ended")
    func live() throws {
        let name = try playlist()
        let server = try Web.server()
        let harness = Web.harness(server.address("/growing=2/\(name)"))
        #expect(harness.open()?.duration == nil)
        #expect(harness.runToEnd())
        #expect(harness.player.state == .ended)
        #expect(harness.last?.number == 199)
        #expect(try server.log().count { $0.hasSuffix(name) } == 3)
    }

    @Test("A server slower than the film makes the player wait for data, and the whole film is shown")
    func slow() throws {
        var source = NumberedFrames.source(seconds: 4)
        source[source.count - 1] += ",noise=alls=40:allf=t"
        let path = try Clips.file(
            "slow.mkv", ffmpeg: source + NumberedFrames.tone + NumberedFrames.h264 + ["-c:a", "aac", "-t", "4"])
        let server = try Web.server()
        let rate = try Clips.bytes(path).count / 12
        var options = PlayerOptions()
        options.network = Web.rules()
        let harness = PlaybackHarness(server.address("/slow=\(rate)/slow.mkv"), options: options, audio: .silent)
        #expect(harness.run { harness.player.state == .buffering })
        #expect(harness.runToEnd())
        #expect(harness.player.state == .ended)
        #expect(harness.player.counts.due == 100)
        #expect(harness.problems.isEmpty)
    }

    @Test("If the server closes the connection during a pause, the film continues where it was paused")
    func pausing() throws {
        // More than the player and the system keep: a frame of 1.3 MB each second.
        let path = try Clips.file("heavy.mkv") { path in
            var source = NumberedFrames.source(seconds: 48, rate: "1")
            source[source.count - 1] += ",scale=1280:720:flags=neighbor"
            try FFmpeg.run(source + ["-c:v", "rawvideo", path])
        }
        let server = try Web.server()
        let harness = Web.harness(server.address("/impatient/\((path as NSString).lastPathComponent)"))
        harness.pauseAtStart()
        let first = try #require(harness.last?.number)
        #expect(try server.log(atLeast: 2).last?.hasPrefix("closed") == true)
        #expect(harness.player.state == .paused)
        harness.player.play(now: harness.now)
        #expect(harness.runToEnd())
        #expect(harness.player.state == .ended)
        #expect(harness.numbers == Array(first...47))
        #expect(try server.log().count > 2)
    }
}
