import Platform
import Testing
import Time

@testable import Playback

@MainActor @Suite("Scrubbing", .serialized) struct ScrubbingTests {
    /// Frames 0…99, 40 ms each, keyframes at 0 and 50.
    private func paused(_ kind: String = "mp4") throws -> Viewing {
        let viewing = Viewing(try Clips.film(kind), options: .paused)
        viewing.pauseAtStart()
        viewing.forget()
        return viewing
    }

    private func scrub(_ viewing: Viewing, to milliseconds: Int) {
        #expect(viewing.player.scrub(to: .milliseconds(milliseconds), now: viewing.now))
    }

    /// Goes round until nothing is under way.
    private func rest(_ viewing: Viewing) {
        #expect(viewing.run { viewing.player.nextWake(now: viewing.now) == nil && viewing.player.nextFrameDue == nil })
    }

    @Test(
        "While it moves the nearest keyframe is shown, at rest the exact frame", arguments: ["mp4", "mkv", "ts", "avi"])
    func follows(kind: String) throws {
        let viewing = try paused(kind)
        #expect(viewing.player.beginScrub(now: viewing.now))
        scrub(viewing, to: 2205)
        let first = try #require(viewing.nextFrame()).number
        // A broadcast has no index: it lands on any keyframe.
        if kind != "ts" { #expect(first == 50) }
        #expect(viewing.player.position(at: viewing.now) == .milliseconds(2205))
        #expect(viewing.run { viewing.last?.number == 55 })
        rest(viewing)
        #expect(viewing.numbers.last == 55)
        #expect(viewing.player.isScrubbing && viewing.player.state == .paused)
        #expect(viewing.player.endScrub(now: viewing.now))
        rest(viewing)
        #expect(viewing.last?.number == 55 && !viewing.player.isScrubbing)
        #expect(viewing.player.state == .paused)
        #expect(viewing.problems.isEmpty)
    }

    @Test("Where the user continues slowly from the picture on show, the frames on its way are shown, each once")
    func keeps() throws {
        let viewing = try paused()
        viewing.seek(to: .milliseconds(2200))
        viewing.forget()
        viewing.player.beginScrub(now: viewing.now)
        for target in [2210, 2250, 2300] {
            scrub(viewing, to: target)
            viewing.run { viewing.player.scrub?.since == nil }
        }
        rest(viewing)
        #expect(viewing.numbers == [56, 57])
    }

    @Test(
        "A hand that continues slowly sees the frames between the keyframes, in their order; one that turns round, too")
    func slowly() throws {
        let viewing = try paused()
        viewing.player.beginScrub(now: viewing.now)
        for target in stride(from: 2040, through: 2920, by: 40) {
            scrub(viewing, to: target)
            viewing.run { viewing.player.scrub?.since == nil && viewing.player.nextFrameDue == nil }
        }
        rest(viewing)
        #expect(viewing.last?.number == 73)
        #expect(viewing.numbers == viewing.numbers.sorted())
        #expect(viewing.numbers.count >= 15, "\(viewing.numbers)")
        viewing.forget()
        for target in stride(from: 2880, through: 2120, by: -40) {
            scrub(viewing, to: target)
            viewing.run { viewing.player.scrub?.since == nil && viewing.player.nextFrameDue == nil }
        }
        rest(viewing)
        #expect(viewing.last?.number == 53)
        #expect(viewing.numbers.count >= 2, "\(viewing.numbers)")
    }

    @Test("A request that was not begun is replaced: there is never a queue, and the last one wins")
    func superseding() throws {
        let viewing = try paused()
        viewing.player.beginScrub(now: viewing.now)
        for target in stride(from: 3900, through: 100, by: -20) { scrub(viewing, to: target) }
        scrub(viewing, to: 3010)
        rest(viewing)
        #expect(viewing.last?.number == 75)
        #expect(viewing.shown.count <= 3)
    }

    @Test("It continues playing from exactly where it was let go", arguments: [true, false])
    func playsOn(atRest: Bool) throws {
        let viewing = Viewing(try Clips.film())
        viewing.run { viewing.shown.count == 5 }
        viewing.player.beginScrub(now: viewing.now)
        #expect(viewing.player.state == .playing && !viewing.player.isRunning)
        scrub(viewing, to: 2205)
        if atRest { rest(viewing) } else { viewing.nextFrame() }
        viewing.forget()
        viewing.player.endScrub(to: .milliseconds(2205), now: viewing.now)
        #expect(viewing.player.position(at: viewing.now) == .milliseconds(2205))
        #expect(viewing.runToEnd())
        #expect(viewing.numbers == Array((atRest ? 56 : 55)..<100))
    }

    @Test("While it is held no time passes, and with sound it continues in sound and picture")
    func withAudio() throws {
        let viewing = Viewing(try Clips.filmWithAudio(), audio: .silent)
        viewing.run { viewing.shown.count == 5 }
        viewing.player.beginScrub(now: viewing.now)
        scrub(viewing, to: 1005)
        rest(viewing)
        #expect(viewing.player.audioOffset(of: .zero, at: viewing.now) == nil)
        #expect(viewing.player.position(at: viewing.now + .seconds(9)) == .milliseconds(1005))
        viewing.forget()
        viewing.player.endScrub(now: viewing.now)
        #expect(viewing.runToEnd())
        let numbers = viewing.numbers
        #expect(numbers.last == 49 && numbers == numbers.sorted() && numbers.allSatisfy { $0 > 24 })
    }

    @Test("Taken hold of and let go without a move, it continues as if nothing had been", arguments: [true, false])
    func unmoved(plays: Bool) throws {
        let viewing = Viewing(try Clips.film(), options: plays ? PlayerOptions() : .paused)
        viewing.run { viewing.shown.count == (plays ? 10 : 1) && viewing.player.phase == (plays ? .running : .paused) }
        viewing.player.beginScrub(now: viewing.now)
        viewing.player.endScrub(now: viewing.now)
        #expect(viewing.player.phase == (plays ? .running : .paused))
        if plays {
            #expect(viewing.runToEnd())
            #expect(viewing.numbers == Array(0..<100))
        }
    }

    @Test("Cancelled, it goes back to the frame where it began")
    func cancels() throws {
        let viewing = try paused()
        viewing.seek(to: .milliseconds(1010))
        viewing.player.beginScrub(now: viewing.now)
        scrub(viewing, to: 3300)
        viewing.nextFrame()
        #expect(viewing.player.cancelScrub(now: viewing.now))
        #expect(viewing.run { viewing.last?.number == 25 })
        #expect(viewing.player.position(at: viewing.now) == .milliseconds(1010))
        #expect(!viewing.player.cancelScrub(now: viewing.now))
    }

    @Test("Beyond the ends is at the ends, from the end it continues playing, and a cancel leads back to the end")
    func ends() throws {
        let viewing = Viewing(try Clips.film())
        viewing.runToEnd()
        viewing.player.beginScrub(now: viewing.now)
        viewing.player.endScrub(now: viewing.now)
        #expect(viewing.player.state == .ended)
        viewing.player.beginScrub(now: viewing.now)
        scrub(viewing, to: -5000)
        #expect(viewing.player.position(at: viewing.now) == .zero)
        #expect(viewing.nextFrame()?.number == 0)
        scrub(viewing, to: 99_000)
        #expect(viewing.player.position(at: viewing.now) == .seconds(4))
        rest(viewing)
        #expect(viewing.last?.number == 99)
        viewing.player.cancelScrub(now: viewing.now)
        #expect(viewing.runToEnd())
        viewing.player.beginScrub(now: viewing.now)
        scrub(viewing, to: 3810)
        viewing.forget()
        viewing.player.endScrub(now: viewing.now)
        #expect(viewing.runToEnd())
        #expect(Array(viewing.numbers.suffix(5)) == Array(95..<100))
    }

    @Test("A second begin changes nothing; without a begin nothing is held")
    func nesting() throws {
        let viewing = try paused()
        #expect(!viewing.player.scrub(to: .seconds(1), now: viewing.now))
        #expect(!viewing.player.endScrub(to: .seconds(1), now: viewing.now))
        #expect(viewing.player.beginScrub(now: viewing.now))
        scrub(viewing, to: 2000)
        #expect(viewing.player.beginScrub(now: viewing.now))
        #expect(viewing.player.position(at: viewing.now) == .seconds(2))
        #expect(viewing.player.cancelScrub(now: viewing.now))
        rest(viewing)
        #expect(viewing.player.position(at: viewing.now) == .zero)
    }

    @Test("Before it is open, after it failed, and where it cannot seek, there is nothing to hold")
    func impossible() throws {
        let opening = Viewing(try Clips.film())
        #expect(!opening.player.beginScrub(now: opening.now))
        let failed = Viewing("/nowhere")
        failed.open()
        #expect(!failed.player.beginScrub(now: failed.now))
        let fixed = Viewing(try Clips.film())
        fixed.open()
        fixed.player.info?.isSeekable = false
        #expect(!fixed.player.beginScrub(now: fixed.now))
        #expect(fixed.runToEnd() && fixed.numbers == Array(0..<100))
    }

    @Test("Without a picture, or with a cover alone, the position follows and the sound continues from there")
    func audioAlone() throws {
        let viewing = Viewing(try Clips.audio(), audio: .silent)
        #expect(viewing.run { viewing.player.isRunning })
        viewing.player.beginScrub(now: viewing.now)
        scrub(viewing, to: 700)
        #expect(viewing.player.nextWake(now: viewing.now) == nil)
        #expect(viewing.player.position(at: viewing.now) == .milliseconds(700))
        viewing.player.endScrub(now: viewing.now)
        #expect(viewing.run { viewing.player.isRunning })
        #expect(viewing.player.position(at: viewing.now) >= .milliseconds(700))
        #expect(viewing.runToEnd())
    }

    @Test("What is asked for during a scrub: play and pause are obeyed when it ends, a seek and a step end it")
    func others() throws {
        let viewing = try paused()
        let player = viewing.player
        player.beginScrub(now: viewing.now)
        scrub(viewing, to: 3005)
        player.togglePause(now: viewing.now)
        #expect(player.state == .playing && player.isScrubbing && !player.isRunning)
        player.setSpeed(2, now: viewing.now)
        player.endScrub(now: viewing.now)
        #expect(viewing.runToEnd() && player.speed == 2)
        #expect(viewing.last?.number == 99)

        player.beginScrub(now: viewing.now)
        scrub(viewing, to: 3005)
        player.pause(now: viewing.now)
        player.seek(to: .milliseconds(1001), now: viewing.now)
        #expect(!player.isScrubbing && !player.endScrub(now: viewing.now))
        #expect(viewing.run { viewing.last?.number == 25 })

        for (forward, number) in [(true, 31), (false, 29)] {
            player.beginScrub(now: viewing.now)
            scrub(viewing, to: 1205)
            player.stepFrame(forward: forward, now: viewing.now)
            #expect(!player.isScrubbing)
            #expect(viewing.run { viewing.last?.number == number })
        }
        player.beginScrub(now: viewing.now)
        player.play(now: viewing.now)
        player.endScrub(now: viewing.now)
        viewing.forget()
        #expect(viewing.runToEnd() && viewing.numbers.first == 30)
    }

    @Test("An exact seek skips what no picture needs, and shows the very same frames", arguments: ["mp4", "mkv", "ts"])
    func skipping(kind: String) throws {
        let path = try Clips.file(
            "skipping.\(kind)",
            ffmpeg: FrameCode.source(seconds: 8) + FrameCode.h264 + ["-g", "200", "-keyint_min", "200"])
        let viewing = Viewing(path, options: .paused)
        viewing.pauseAtStart()
        for number in [199, 150, 151, 152, 153, 154, 100, 30, 8, 9, 10, 11] {
            #expect(viewing.seek(to: .milliseconds(number * 40 + 5))?.number == number)
        }
        #expect(viewing.player.counts.dropped == 0)
    }
}

@MainActor @Suite("Frames that stay long", .serialized) struct LongFrameTests {
    @Test("An exact seek into a frame that stays far longer than those around it shows that frame, whichever it is")
    func long() throws {
        // Every seventh frame stays 0.8 s longer: seven and the pattern of pictures have no common factor.
        var source = FrameCode.source(seconds: 4)
        source[source.count - 1] += ",setpts=PTS+floor(N/7)*0.8/TB"
        let path = try Clips.file(
            "stays.mkv", ffmpeg: source + FrameCode.h264 + ["-g", "100", "-fps_mode", "passthrough"])
        var misses = 0
        for index in 0..<14 {
            // A fresh player each, whose generations count its misses.
            let viewing = Viewing(path, options: .paused)
            viewing.pauseAtStart()
            let number = index * 7 + 6
            let target = Duration.milliseconds(number * 40 + index * 800 + 700)
            #expect(viewing.seek(to: target)?.number == number)
            misses += viewing.player.generation - 1
            let scrubbing = Viewing(path, options: .paused)
            scrubbing.pauseAtStart()
            scrubbing.player.beginScrub(now: scrubbing.now)
            scrubbing.player.scrub(to: target, now: scrubbing.now)
            #expect(scrubbing.run { scrubbing.last?.number == number })
        }
        #expect(misses > 0)
    }
    @Test("A seek that had to be repeated leaves the next ones as quick as they were, and each finds its frame")
    func again() throws {
        var source = FrameCode.source(seconds: 4)
        source[source.count - 1] += ",setpts=PTS+floor(N/7)*0.8/TB"
        let path = try Clips.file(
            "stays.mkv", ffmpeg: source + FrameCode.h264 + ["-g", "100", "-fps_mode", "passthrough"])
        let viewing = Viewing(path, options: .paused)
        viewing.pauseAtStart()
        /// How often it took another try.
        func misses(_ index: Int) -> Int {
            let before = viewing.player.generation
            let number = index * 7 + 6
            #expect(viewing.seek(to: .milliseconds(number * 40 + index * 800 + 700))?.number == number)
            return viewing.player.generation - before - 1
        }
        let first = (0..<14).map(misses)
        #expect(first.contains(1))
        #expect((0..<14).map(misses) == first)
    }
}
