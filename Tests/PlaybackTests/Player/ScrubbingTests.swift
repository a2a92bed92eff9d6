import GlissadePlatform
import Testing
import GlissadeTestSupport
import GlissadeTime

@testable import GlissadePlayback

@MainActor @Suite("Scrubbing", .serialized) struct ScrubbingTests {
    /// Frames 0…99, 40 ms each, keyframes at 0 and 50.
    private func paused(_ kind: String = "mp4") throws -> PlaybackHarness {
        let harness = PlaybackHarness(try Clips.film(kind), options: .paused)
        harness.pauseAtStart()
        harness.forget()
        return harness
    }

    private func scrub(_ harness: PlaybackHarness, to milliseconds: Int) {
        #expect(harness.player.scrub(to: .milliseconds(milliseconds), now: harness.now))
    }

    /// Goes round until nothing is under way.
    private func rest(_ harness: PlaybackHarness) {
        #expect(harness.run { harness.player.nextWake(now: harness.now) == nil && harness.player.nextFrameDue == nil })
    }

    @Test(
        "While scrubbing moves the nearest keyframe is shown, and at rest the exact frame",
        arguments: ["mp4", "mkv", "ts", "avi"])
    func follows(kind: String) throws {
        let harness = try paused(kind)
        #expect(harness.player.beginScrub(now: harness.now))
        scrub(harness, to: 2205)
        let first = try #require(harness.nextFrame()).number
        // A broadcast has no index: it lands on any keyframe.
        if kind != "ts" { #expect(first == 50) }
        #expect(harness.player.position(at: harness.now) == .milliseconds(2205))
        #expect(harness.run { harness.last?.number == 55 })
        rest(harness)
        #expect(harness.numbers.last == 55)
        #expect(harness.player.isScrubbing && harness.player.state == .paused)
        #expect(harness.player.endScrub(now: harness.now))
        rest(harness)
        #expect(harness.last?.number == 55 && !harness.player.isScrubbing)
        #expect(harness.player.state == .paused)
        #expect(harness.problems.isEmpty)
    }

    @Test("Scrubbing slowly forward from the current frame shows each frame on the way once")
    func keeps() throws {
        let harness = try paused()
        harness.seek(to: .milliseconds(2200))
        harness.forget()
        harness.player.beginScrub(now: harness.now)
        for target in [2210, 2250, 2300] {
            scrub(harness, to: target)
            harness.run { harness.player.scrub?.since == nil }
        }
        rest(harness)
        #expect(harness.numbers == [56, 57])
    }

    @Test(
        "Scrubbing slowly shows the frames between keyframes in order, also after turning around")
    func slowly() throws {
        let harness = try paused()
        harness.player.beginScrub(now: harness.now)
        for target in stride(from: 2040, through: 2920, by: 40) {
            scrub(harness, to: target)
            harness.run { harness.player.scrub?.since == nil && harness.player.nextFrameDue == nil }
        }
        rest(harness)
        #expect(harness.last?.number == 73)
        #expect(harness.numbers == harness.numbers.sorted())
        // A busy machine skips targets. With keyframes alone, there would be two: the keyframe and the last frame.
        #expect(harness.numbers.count >= 5, "\(harness.numbers)")
        harness.forget()
        for target in stride(from: 2880, through: 2120, by: -40) {
            scrub(harness, to: target)
            harness.run { harness.player.scrub?.since == nil && harness.player.nextFrameDue == nil }
        }
        rest(harness)
        #expect(harness.last?.number == 53)
        #expect(harness.numbers.count >= 2, "\(harness.numbers)")
    }

    @Test("A scrub request that has not started is replaced, so that the last one wins and none queue up")
    func superseding() throws {
        let harness = try paused()
        harness.player.beginScrub(now: harness.now)
        for target in stride(from: 3900, through: 100, by: -20) { scrub(harness, to: target) }
        scrub(harness, to: 3010)
        rest(harness)
        #expect(harness.last?.number == 75)
        #expect(harness.shown.count <= 3)
    }

    @Test("After scrubbing playback continues from exactly the released position", arguments: [true, false])
    func playsOn(atRest: Bool) throws {
        let harness = PlaybackHarness(try Clips.film())
        harness.run { harness.shown.count == 5 }
        harness.player.beginScrub(now: harness.now)
        #expect(harness.player.state == .playing && !harness.player.isRunning)
        scrub(harness, to: 2205)
        if atRest { rest(harness) } else { harness.nextFrame() }
        harness.forget()
        harness.player.endScrub(to: .milliseconds(2205), now: harness.now)
        #expect(harness.player.position(at: harness.now) == .milliseconds(2205))
        #expect(harness.runToEnd())
        #expect(harness.numbers == Array((atRest ? 56 : 55)..<100))
    }

    @Test("While scrubbing is held no time passes, and then audio and video continue")
    func withAudio() throws {
        let harness = PlaybackHarness(try Clips.filmWithAudio(), audio: .silent)
        harness.run { harness.shown.count == 5 }
        harness.player.beginScrub(now: harness.now)
        scrub(harness, to: 1005)
        rest(harness)
        #expect(harness.player.audioOffset(of: .zero, at: harness.now) == nil)
        #expect(harness.player.position(at: harness.now + .seconds(9)) == .milliseconds(1005))
        harness.forget()
        harness.player.endScrub(now: harness.now)
        #expect(harness.runToEnd())
        let numbers = harness.numbers
        #expect(numbers.last == 49 && numbers == numbers.sorted() && numbers.allSatisfy { $0 > 24 })
    }

    @Test("Scrubbing without a move continues as if nothing had happened", arguments: [true, false])
    func unmoved(plays: Bool) throws {
        let harness = PlaybackHarness(try Clips.film(), options: plays ? PlayerOptions() : .paused)
        harness.run { harness.shown.count == (plays ? 10 : 1) && harness.player.phase == (plays ? .running : .paused) }
        harness.player.beginScrub(now: harness.now)
        harness.player.endScrub(now: harness.now)
        #expect(harness.player.phase == (plays ? .running : .paused))
        if plays {
            #expect(harness.runToEnd())
            #expect(harness.numbers == Array(0..<100))
        }
    }

    @Test("Cancelled scrubbing returns to the frame where it started")
    func cancels() throws {
        let harness = try paused()
        harness.seek(to: .milliseconds(1010))
        harness.player.beginScrub(now: harness.now)
        scrub(harness, to: 3300)
        harness.nextFrame()
        #expect(harness.player.cancelScrub(now: harness.now))
        #expect(harness.run { harness.last?.number == 25 })
        #expect(harness.player.position(at: harness.now) == .milliseconds(1010))
        #expect(!harness.player.cancelScrub(now: harness.now))
    }

    @Test("Scrubbing is clamped to the ends, can resume from the end, and cancelling returns there")
    func ends() throws {
        let harness = PlaybackHarness(try Clips.film())
        harness.runToEnd()
        harness.player.beginScrub(now: harness.now)
        harness.player.endScrub(now: harness.now)
        #expect(harness.player.state == .ended)
        harness.player.beginScrub(now: harness.now)
        scrub(harness, to: -5000)
        #expect(harness.player.position(at: harness.now) == .zero)
        #expect(harness.nextFrame()?.number == 0)
        scrub(harness, to: 99_000)
        #expect(harness.player.position(at: harness.now) == .seconds(4))
        rest(harness)
        #expect(harness.last?.number == 99)
        harness.player.cancelScrub(now: harness.now)
        #expect(harness.runToEnd())
        harness.player.beginScrub(now: harness.now)
        scrub(harness, to: 3810)
        harness.forget()
        harness.player.endScrub(now: harness.now)
        #expect(harness.runToEnd())
        #expect(Array(harness.numbers.suffix(5)) == Array(95..<100))
    }

    @Test("Beginning to scrub twice changes nothing, and without beginning nothing is held")
    func nesting() throws {
        let harness = try paused()
        #expect(!harness.player.scrub(to: .seconds(1), now: harness.now))
        #expect(!harness.player.endScrub(to: .seconds(1), now: harness.now))
        #expect(harness.player.beginScrub(now: harness.now))
        scrub(harness, to: 2000)
        #expect(harness.player.beginScrub(now: harness.now))
        #expect(harness.player.position(at: harness.now) == .seconds(2))
        #expect(harness.player.cancelScrub(now: harness.now))
        rest(harness)
        #expect(harness.player.position(at: harness.now) == .zero)
    }

    @Test("Before opening, after a failure and in media that cannot seek, scrubbing does nothing")
    func impossible() throws {
        let opening = PlaybackHarness(try Clips.film())
        #expect(!opening.player.beginScrub(now: opening.now))
        let failed = PlaybackHarness("/nowhere")
        failed.open()
        #expect(!failed.player.beginScrub(now: failed.now))
        let fixed = PlaybackHarness(try Clips.film())
        fixed.open()
        fixed.player.info?.isSeekable = false
        #expect(!fixed.player.beginScrub(now: fixed.now))
        #expect(fixed.runToEnd() && fixed.numbers == Array(0..<100))
    }

    @Test("With audio alone, or a cover, scrubbing moves the position and audio continues from there")
    func audioAlone() throws {
        let harness = PlaybackHarness(try Clips.audio(), audio: .silent)
        #expect(harness.run { harness.player.isRunning })
        harness.player.beginScrub(now: harness.now)
        scrub(harness, to: 700)
        #expect(harness.player.nextWake(now: harness.now) == nil)
        #expect(harness.player.position(at: harness.now) == .milliseconds(700))
        harness.player.endScrub(now: harness.now)
        #expect(harness.run { harness.player.isRunning })
        #expect(harness.player.position(at: harness.now) >= .milliseconds(700))
        #expect(harness.runToEnd())
    }

    @Test("During scrubbing play and pause take effect at its end, while a seek or step ends it")
    func others() throws {
        let harness = try paused()
        let player = harness.player
        player.beginScrub(now: harness.now)
        scrub(harness, to: 3005)
        player.togglePause(now: harness.now)
        #expect(player.state == .playing && player.isScrubbing && !player.isRunning)
        player.setSpeed(2, now: harness.now)
        player.endScrub(now: harness.now)
        #expect(harness.runToEnd() && player.speed == 2)
        #expect(harness.last?.number == 99)

        player.beginScrub(now: harness.now)
        scrub(harness, to: 3005)
        player.pause(now: harness.now)
        player.seek(to: .milliseconds(1001), now: harness.now)
        #expect(!player.isScrubbing && !player.endScrub(now: harness.now))
        #expect(harness.run { harness.last?.number == 25 })

        for (forward, number) in [(true, 31), (false, 29)] {
            player.beginScrub(now: harness.now)
            scrub(harness, to: 1205)
            player.stepFrame(forward: forward, now: harness.now)
            #expect(!player.isScrubbing)
            #expect(harness.run { harness.last?.number == number })
        }
        player.beginScrub(now: harness.now)
        player.play(now: harness.now)
        player.endScrub(now: harness.now)
        harness.forget()
        #expect(harness.runToEnd() && harness.numbers.first == 30)
    }

    @Test(
        "An exact seek skips packets that no shown frame needs and shows the same frames",
        arguments: ["mp4", "mkv", "ts"])
    func skipping(kind: String) throws {
        let path = try Clips.file(
            "skipping.\(kind)",
            ffmpeg: NumberedFrames.source(seconds: 8) + NumberedFrames.h264 + ["-g", "200", "-keyint_min", "200"])
        let harness = PlaybackHarness(path, options: .paused)
        harness.pauseAtStart()
        for number in [199, 150, 151, 152, 153, 154, 100, 30, 8, 9, 10, 11] {
            #expect(harness.seek(to: .milliseconds(number * 40 + 5))?.number == number)
        }
        #expect(harness.player.counts.dropped == 0)
    }
}

@MainActor @Suite("Frames of long duration", .serialized) struct LongFrameTests {
    @Test("An exact seek into a frame much longer than its neighbors shows that frame")
    func long() throws {
        // Every seventh frame stays 0.8 s longer: seven and the pattern of pictures have no common factor.
        var source = NumberedFrames.source(seconds: 4)
        source[source.count - 1] += ",setpts=PTS+floor(N/7)*0.8/TB"
        let path = try Clips.file(
            "stays.mkv", ffmpeg: source + NumberedFrames.h264 + ["-g", "100", "-fps_mode", "passthrough"])
        var misses = 0
        for index in 0..<14 {
            // A fresh player each, whose generations count its misses.
            let harness = PlaybackHarness(path, options: .paused)
            harness.pauseAtStart()
            let number = index * 7 + 6
            let target = Duration.milliseconds(number * 40 + index * 800 + 700)
            #expect(harness.seek(to: target)?.number == number)
            misses += harness.player.generation - 1
            let scrubbing = PlaybackHarness(path, options: .paused)
            scrubbing.pauseAtStart()
            scrubbing.player.beginScrub(now: scrubbing.now)
            scrubbing.player.scrub(to: target, now: scrubbing.now)
            #expect(scrubbing.run { scrubbing.last?.number == number })
        }
        #expect(misses > 0)
    }
    @Test("A seek that had to be repeated does not slow down later seeks, and each finds its frame")
    func again() throws {
        var source = NumberedFrames.source(seconds: 4)
        source[source.count - 1] += ",setpts=PTS+floor(N/7)*0.8/TB"
        let path = try Clips.file(
            "stays.mkv", ffmpeg: source + NumberedFrames.h264 + ["-g", "100", "-fps_mode", "passthrough"])
        let harness = PlaybackHarness(path, options: .paused)
        harness.pauseAtStart()
        /// How often it took another try.
        func misses(_ index: Int) -> Int {
            let before = harness.player.generation
            let number = index * 7 + 6
            #expect(harness.seek(to: .milliseconds(number * 40 + index * 800 + 700))?.number == number)
            return harness.player.generation - before - 1
        }
        let first = (0..<14).map(misses)
        #expect(first.contains(1))
        #expect((0..<14).map(misses) == first)
    }
}
