import GlissadePlatform
import Testing
import GlissadeTestSupport
import GlissadeTime

@testable import GlissadeMedia

@MainActor @Suite("Seeking", .serialized) struct SeekingTests {
    /// Frame numbers 0…99 of the films, 40 ms each.
    private func number(at milliseconds: Int) -> Int { min(99, max(0, milliseconds / 40)) }

    @Test(
        "An exact seek shows the frame at its target and continues with the next",
        arguments: ["mp4", "mkv", "ts", "avi"])
    func exact(kind: String) throws {
        let harness = PlaybackHarness(try Clips.film(kind), options: .paused)
        harness.pauseAtStart()
        // On frames, between frames, beside keyframes (0 and 50), back and forth, at and beyond the ends.
        let targets = [
            1000, 1001, 1999, 2000, 2001, 2039, 2040, 40, 39, 20, 0, 1, 3980, 3960, 3959, 4000, 9999, 500, 1960, 3000,
            2960, 80, 119, 120, 2900, 1220,
        ]
        for target in targets {
            // Matroska and AVI round the times of frames; beside a frame's edge, either is right there.
            let shown = harness.seek(to: .milliseconds(target) + .microseconds(600))
            #expect(shown?.number == number(at: target), "at \(target) ms")
        }
        harness.seek(to: .milliseconds(1990))
        harness.forget()
        harness.player.play(now: harness.now)
        #expect(harness.runToEnd())
        #expect(harness.numbers == Array(50..<100))
        #expect(harness.problems.isEmpty)
    }

    @Test(
        "An exact seek within a long keyframe interval shows its frame, also with audio", arguments: ["mp4", "ts"])
    func longInterval(kind: String) throws {
        let path = try Clips.file(
            "long.\(kind)",
            ffmpeg: NumberedFrames.source(seconds: 8) + NumberedFrames.tone + NumberedFrames.h264
                + ["-g", "300", "-c:a", "aac", "-t", "8"])
        let harness = PlaybackHarness(path, options: .paused, audio: .silent)
        harness.pauseAtStart()
        // Sound may begin a little earlier, and the media with it.
        let lead = try #require(harness.last).time - #require(harness.player.info).startTime
        for target in [7900, 40, 5010, 3000] {
            #expect(harness.seek(to: lead + .milliseconds(target + 5))?.number == target / 40)
        }
        #expect(harness.problems.isEmpty)
    }

    @Test("A fast seek shows the keyframe nearest to its target", arguments: ["mp4", "mkv"])
    func fast(kind: String) throws {
        let harness = PlaybackHarness(try Clips.film(kind), options: .paused)
        harness.pauseAtStart()
        for (target, number) in [(1900, 50), (2100, 50), (900, 0), (100, 0), (3900, 50), (1100, 50)] {
            #expect(harness.seek(to: .milliseconds(target), mode: .fast)?.number == number, "to \(target) ms")
        }
    }

    @Test("After a fast seek playback continues from the keyframe")
    func fastGoesOn() throws {
        let harness = PlaybackHarness(try Clips.film())
        harness.nextFrame()
        harness.forget()
        harness.player.seek(to: .milliseconds(2300), mode: .fast, now: harness.now)
        harness.nextFrame()
        harness.run { harness.player.isRunning }
        #expect(abs((harness.player.position(at: harness.now) - .seconds(2)).inMilliseconds) < 1)
        #expect(harness.runToEnd())
        #expect(harness.numbers == Array(50..<100))
    }

    @Test(
        "A relative seek always moves in its direction, and to a keyframe where there is one",
        arguments: ["mp4", "mkv", "ts", "avi"])
    func steps(kind: String) throws {
        let path = try Clips.file(
            "steps.\(kind)",
            ffmpeg: NumberedFrames.source(seconds: 6) + NumberedFrames.h264 + ["-g", "75", "-keyint_min", "75"])
        let harness = PlaybackHarness(path, options: .paused)
        harness.pauseAtStart()
        var before = 0
        // Keyframes at 0, 75 (3 s); a step shorter than the interval, one from a keyframe back, one past the ends.
        for step in [1.0, 1, 2, -1, 1, 0.2, 1, -0.5, -0.04, -2, 4, -4, 100, -100] {
            let from = harness.last?.number ?? 0
            harness.player.seek(by: .seconds(step), now: harness.now)
            let shown = try #require(harness.nextFrame()).number
            if step > 0 { #expect(shown > from || from == 149, "from \(from) by \(step) s") }
            if step < 0 { #expect(shown < from || from == 0, "from \(from) by \(step) s") }
            before = shown
        }
        #expect(before == 0)
    }

    @Test("In HEVC, too, a fast seek finds the nearest keyframe and a relative one moves")
    func hevc() throws {
        let path = try Clips.file(
            "hevc.mp4",
            ffmpeg: NumberedFrames.source(seconds: 4) + [
                "-c:v", "libx265", "-preset", "ultrafast", "-x265-params",
                "keyint=50:min-keyint=50:scenecut=0:log-level=0",
            ])
        let harness = PlaybackHarness(path, options: .paused)
        harness.pauseAtStart()
        #expect(harness.seek(to: .milliseconds(2200), mode: .fast)?.number == 50)
        #expect(harness.seek(to: .milliseconds(3210))?.number == 80)
        harness.player.seek(by: .seconds(-1), now: harness.now)
        #expect(harness.nextFrame()?.number == 50)
        harness.player.seek(by: .milliseconds(-100), now: harness.now)
        #expect(try #require(harness.nextFrame()).number < 50)
    }

    @Test("Of many seeks at once the newest is carried out")
    func superseding() throws {
        let harness = PlaybackHarness(try Clips.film(), options: .paused)
        harness.pauseAtStart()
        harness.forget()
        for target in stride(from: 100, through: 3500, by: 20) {
            harness.player.seek(to: .milliseconds(target), now: harness.now)
            harness.player.advance(to: harness.now)
        }
        #expect(harness.player.position(at: harness.now) == .milliseconds(3500))
        #expect(harness.run { harness.last?.number == 87 })
        #expect(harness.run { harness.player.state == .paused && harness.player.nextWake(now: harness.now) == nil })
        #expect(harness.numbers.last == 87)
        #expect(harness.numbers.count <= 3)
    }

    @Test("A series of quick seeks shows frames along the way")
    func scrubbing() throws {
        let harness = PlaybackHarness(try Clips.film(), options: .paused)
        harness.pauseAtStart()
        harness.forget()
        for target in stride(from: 100, through: 3500, by: 100) {
            harness.player.seek(to: .milliseconds(target), mode: .exact, now: harness.now)
            harness.player.seek(to: .milliseconds(target + 50), mode: .exact, now: harness.now)
            harness.nextFrame()
        }
        harness.run { harness.last?.number == 88 }
        #expect(harness.shown.count > 20)
        #expect(harness.numbers == harness.numbers.sorted())
    }

    @Test(
        "Frame steps move one frame forward and one back, across keyframes and at the ends",
        arguments: ["mp4", "mkv", "ts"])
    func frameSteps(kind: String) throws {
        let harness = PlaybackHarness(try Clips.film(kind), options: .paused)
        harness.pauseAtStart()
        harness.seek(to: .milliseconds(1901))
        func step(_ forward: Bool) -> Int? {
            harness.player.stepFrame(forward: forward, now: harness.now)
            return harness.nextFrame()?.number
        }
        #expect((0..<5).map { _ in step(true) } == [48, 49, 50, 51, 52])
        #expect((0..<5).map { _ in step(false) } == [51, 50, 49, 48, 47])
        #expect(step(true) == 48)
        #expect(harness.player.state == .paused)
        #expect(abs((harness.player.position(at: harness.now) - .milliseconds(1920)).inMilliseconds) <= 1)
        harness.seek(to: .zero)
        #expect(step(false) == 0)
        #expect(step(true) == 1)
    }

    @Test("A step back from the end shows the frame before the last, and playback can continue")
    func stepBackFromEnd() throws {
        let harness = PlaybackHarness(try Clips.film())
        harness.runToEnd()
        harness.forget()
        harness.player.stepFrame(forward: false, now: harness.now)
        #expect(harness.nextFrame()?.number == 98)
        #expect(harness.run { harness.player.state == .paused })
        harness.player.play(now: harness.now)
        #expect(harness.runToEnd())
        #expect(harness.numbers == [98, 99])
    }

    @Test("A step that found no frame is forgotten when playback continues")
    func stepAtEnd() throws {
        let harness = PlaybackHarness(try Clips.film(), options: .paused)
        harness.pauseAtStart()
        harness.seek(to: .milliseconds(3990))
        harness.player.stepFrame(forward: true, now: harness.now)
        harness.player.play(now: harness.now)
        #expect(harness.runToEnd())
        #expect(harness.numbers.last == 99)
    }

    @Test("A seek before the media is open sets its start position")
    func seekWhileOpening() throws {
        let harness = PlaybackHarness(try Clips.film())
        harness.player.seek(to: .milliseconds(2000), now: harness.now)
        #expect(harness.nextFrame()?.number == 50)
    }

    @Test(
        "Two hundred seeks, paused and playing, leave no thread behind and do not grow memory", .timeLimit(.minutes(10))
    )
    func manySeeks() throws {
        let harness = PlaybackHarness(try Clips.filmWithAudio(), audio: .silent)
        var memory: [Int] = []
        for index in 0..<200 {
            let target = Duration.milliseconds(index * 7919 % 1950)
            let mode: SeekMode = index % 3 == 0 ? .fast : index % 3 == 1 ? .exact : .step(from: .zero)
            #expect(harness.seek(to: target, mode: mode) != nil)
            if index % 5 == 0 { harness.player.togglePause(now: harness.now) }
            if index % 50 == 49 { memory.append(try ProcessStatus.resident()) }
        }
        // From the first 50 on, in which every pool has filled.
        #expect(memory.last ?? 0 < (memory.first ?? 0) + 24 << 20)
    }
}
