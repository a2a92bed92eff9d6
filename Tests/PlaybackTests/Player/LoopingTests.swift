import GlissadePlatform
import Testing
import GlissadeTestSupport
import GlissadeTime

@testable import GlissadePlayback

@MainActor @Suite("Looping a file", .serialized) struct LoopingTests {
    private var looping: PlayerOptions {
        var options = PlayerOptions()
        options.isLooping = true
        return options
    }

    @Test(
        "A loop repeats the video without losing or repeating a frame, at even intervals",
        arguments: ["mp4", "mkv", "ts", "avi"])
    func seamless(kind: String) throws {
        let harness = PlaybackHarness(try Clips.film(kind), options: looping)
        #expect(harness.run { harness.shown.count == 450 })
        #expect(harness.numbers == (0..<450).map { $0 % 100 })
        let steps = zip(harness.shown, harness.shown.dropFirst()).map { ($1.time - $0.time).inMilliseconds }
        #expect(steps.allSatisfy { abs($0 - 40) <= 1 })
        #expect(harness.player.counts.dropped == 0)
        #expect(harness.player.position(at: harness.now) < .seconds(4))
    }

    @Test("With audio, too, every frame of every round is shown")
    func withAudio() throws {
        let film = try Clips.filmWithAudio()
        func play() -> PlaybackHarness {
            let harness = PlaybackHarness(film, options: looping, audio: .silent)
            #expect(harness.run { harness.shown.count == 120 })
            return harness
        }
        var harness = play()
        // A busy machine drops frames: not in each run.
        for _ in 1...2 where harness.player.counts.dropped > 0 { harness = play() }
        #expect(harness.numbers == (0..<120).map { $0 % 50 })
    }

    @Test("In later rounds a step back and a change of speed keep the position")
    func transportInLaterRound() throws {
        let harness = PlaybackHarness(try Clips.film(), options: looping)
        harness.run { harness.shown.count == 231 }
        #expect(harness.last?.number == 30)
        harness.player.stepFrame(forward: false, now: harness.now)
        #expect(harness.nextFrame()?.number == 29)
        harness.player.stepFrame(forward: true, now: harness.now)
        #expect(harness.nextFrame()?.number == 30)
        let sounding = PlaybackHarness(try Clips.filmWithAudio(), options: looping, audio: .silent)
        sounding.run { sounding.shown.count == 71 }
        sounding.player.setSpeed(2, now: sounding.now)
        let number = try #require(sounding.nextFrame()).number
        #expect((19...24).contains(number))
    }

    @Test("Turning looping off ends playback with the current round, at the media's end")
    func turnedOff() throws {
        let harness = PlaybackHarness(try Clips.film(), options: looping)
        harness.run { harness.shown.count == 150 }
        harness.player.isLooping = false
        #expect(harness.runToEnd())
        #expect(harness.last?.number == 99)
        #expect(harness.numbers == (0..<harness.numbers.count).map { $0 % 100 })
        #expect(harness.player.position(at: harness.now) == .seconds(4))
    }

    @Test("Turning looping on at the very end starts over")
    func turnedOn() throws {
        let harness = PlaybackHarness(try Clips.film())
        harness.run { harness.shown.count == 99 }
        harness.player.isLooping = true
        harness.forget()
        #expect(harness.run { harness.shown.count == 50 })
        #expect(harness.numbers == (0..<50).map { ($0 + 99) % 100 })
    }

    @Test("A seek in a later round goes to its target")
    func seekInLaterRound() throws {
        let harness = PlaybackHarness(try Clips.film(), options: looping)
        harness.run { harness.shown.count == 250 }
        #expect(harness.seek(to: .milliseconds(2010))?.number == 50)
        harness.forget()
        #expect(harness.run { harness.shown.count == 100 })
        #expect(harness.numbers == (0..<100).map { ($0 + 51) % 100 })
    }

    @Test("Media with a single frame do not loop endlessly without pause")
    func onePicture() throws {
        let path = try Clips.file(
            "one.png", ffmpeg: NumberedFrames.source(seconds: 0.04, first: 5, format: "rgb24") + ["-frames:v", "1"])
        let harness = PlaybackHarness(path, options: looping)
        #expect(harness.nextFrame()?.number == 5)
        let began = harness.now
        harness.run { harness.shown.count >= 20 || harness.hasEnded || harness.now - began > .seconds(2) }
        #expect(harness.shown.count < 60)
    }

    @Test("Many rounds do not grow memory")
    func memory() throws {
        let harness = PlaybackHarness(try Clips.film(), options: looping)
        harness.run { harness.shown.count == 500 }
        let before = try ProcessStatus.resident()
        harness.run { harness.shown.count == 3000 }
        #expect(harness.shown.count == 3000)
        #expect(try ProcessStatus.resident() < before + 16 << 20)
    }
}
