import GlissadeGeometry
import GlissadePicture
import GlissadePlatform
import Testing
import GlissadeTestSupport
import GlissadeTime

@testable import GlissadePlayback

@MainActor @Suite("Playback from beginning to end", .serialized) struct PlayingTests {
    @Test("Every frame of a video is shown once, in order, at its own time", arguments: ["mp4", "mkv", "ts", "avi"])
    func everyFrameOnce(kind: String) throws {
        let harness = PlaybackHarness(try Clips.film(kind))
        #expect(harness.runToEnd())
        #expect(harness.numbers == Array(0..<100))
        #expect(harness.player.state == .ended)
        #expect(harness.player.counts.dropped == 0)
        #expect(harness.player.counts.due == 100)
        #expect(harness.problems.isEmpty)
        let start = try #require(harness.player.info).startTime
        // Matroska counts in milliseconds.
        let times = harness.shown.map { ($0.time - start).inMilliseconds.rounded() }
        let expected: [Double] = (0..<100).map { Double($0) * 40 }
        #expect(times == expected)
        #expect(harness.shown.allSatisfy { abs($0.duration.inMilliseconds - 40) <= 1 })
    }

    @Test("After the end the position is the media's duration")
    func endPosition() throws {
        let harness = PlaybackHarness(try Clips.film())
        harness.runToEnd()
        let position = harness.player.position(at: harness.now)
        #expect(position == harness.player.info?.duration)
        #expect(position == .seconds(4))
    }

    @Test("In untimed playback frames come as fast as they are requested, also with audio")
    func untimed() throws {
        var options = PlayerOptions()
        options.isUntimed = true
        for audio in [PlayerOptions.Audio.none, .silent] {
            let harness = PlaybackHarness(try Clips.filmWithAudio(), options: options, audio: audio)
            #expect(harness.runToEnd())
            #expect(harness.numbers == Array(0..<50))
        }
    }

    @Test("Frames skipped by a slow decoder count as due and as dropped", arguments: ["mp4", "mkv", "ts"])
    func skipped(kind: String) throws {
        var options = PlayerOptions()
        options.isUntimed = true  // Nothing else is dropped, and nobody says how late it is.
        let harness = PlaybackHarness(try Clips.film(kind), options: options)
        harness.open()
        harness.player.pipeline.video?.setLateness(.seconds(1))
        #expect(harness.runToEnd())
        // Frames that others need are decoded all the same.
        #expect((25...70).contains(harness.shown.count))
        #expect(harness.player.counts == .init(due: 100, dropped: 100 - harness.shown.count))
    }

    @Test("A late frame is skipped only if the next one is due as well")
    func dropping() throws {
        let harness = PlaybackHarness(try Clips.film())
        harness.nextFrame()
        harness.run { harness.player.isRunning && harness.player.nextFrameDue != nil }
        let player = harness.player
        let due = try #require(player.nextFrameDue)
        // Half a frame late: it is shown.
        #expect(take(player, due + .milliseconds(20)) == 1)
        #expect(player.counts.dropped == 0)
        // More than a frame late, and the next one waits already: it is passed over.
        #expect(harness.wait { $0.pipeline.frames.head().second != nil })
        let number = try #require(take(player, due + .milliseconds(90)))
        #expect(number > 2)
        #expect(player.counts == .init(due: number + 1, dropped: number - 2))
    }

    @Test("If each draw takes longer than two frames, late frames are skipped", arguments: [true, false])
    func catchesUp(isConverted: Bool) throws {
        var options = PlayerOptions()
        if isConverted { options.pictures = FrameFormat(convertedSize: PixelSize(width: 32, height: 18)) }
        let harness = PlaybackHarness(try Clips.film(), options: options)
        harness.nextFrame()
        harness.run { harness.player.isRunning && harness.player.nextFrameDue != nil }
        let player = harness.player
        let due = try #require(player.nextFrameDue)
        var numbers: [Int] = []
        for draw in 0..<20 {
            numbers.append(try #require(take(player, due + .milliseconds(100) * draw)))
            // What comes while it is drawn: the second draw is late.
            let waiting = draw == 0 ? 1 : 3
            try #require(harness.wait { $0.pipeline.frames.fill.count >= waiting })
            player.feed.didShowFrame()
        }
        // 2.5 frames a draw.
        for (draw, number) in numbers.enumerated() { #expect(abs(number - 1 - draw * 5 / 2) <= 3, "\(numbers)") }
    }

    private func take(_ player: Player, _ visible: HostTime) -> Int? {
        guard let frame = player.takeFrame(visibleAt: visible) else { return nil }
        return Shown(frame).number
    }

    @Test("Pausing keeps frame and position, and playing continues with the next frame")
    func pausing() throws {
        let harness = PlaybackHarness(try Clips.film())
        harness.run { harness.shown.count == 10 }
        let now = harness.now
        harness.player.pause(now: now)
        let position = harness.player.position(at: now)
        #expect(harness.player.position(at: now + .seconds(100)) == position)
        #expect(take(harness.player, now + .seconds(100)) == nil)
        #expect(harness.player.nextWake(now: now) == nil)
        #expect(harness.player.nextFrameDue == nil)
        harness.player.play(now: now + .seconds(100))
        #expect(harness.player.position(at: now + .seconds(100)) == position)
        #expect(harness.runToEnd())
        #expect(harness.numbers == Array(0..<100))
    }

    @Test("Paused from the start, the player shows the first frame and nothing else")
    func startsPaused() throws {
        let harness = PlaybackHarness(try Clips.film(), options: .paused)
        harness.run { harness.player.state == .paused && harness.shown.count == 1 }
        #expect(harness.numbers == [0])
        #expect(harness.player.counts.due == 0)
    }

    @Test("Playback begins at the start position, and no earlier frame is shown")
    func startPosition() throws {
        var options = PlayerOptions()
        options.start = .milliseconds(1210)
        let harness = PlaybackHarness(try Clips.film(), options: options)
        #expect(harness.runToEnd())
        #expect(harness.numbers == Array(30..<100))
    }

    @Test("Playing after the end starts over")
    func again() throws {
        let harness = PlaybackHarness(try Clips.film())
        harness.runToEnd()
        harness.forget()
        harness.player.play(now: harness.now)
        #expect(harness.runToEnd())
        #expect(harness.numbers == Array(0..<100))
    }

    @Test("At twice the speed frames are due in half the time")
    func speed() throws {
        let harness = PlaybackHarness(try Clips.film())
        harness.nextFrame()
        harness.player.setSpeed(2, now: harness.now)
        let began = harness.now
        #expect(harness.runToEnd())
        #expect(harness.numbers == Array(0..<100))
        #expect(abs((harness.now - began).inSeconds - 2) < 0.05)
    }
}
