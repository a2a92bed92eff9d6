import Platform
import Testing
import Time

@testable import Media

@MainActor @Suite("Seeking", .serialized) struct SeekingTests {
    /// Frame numbers 0…99 of the films, 40 ms each.
    private func number(at milliseconds: Int) -> Int { min(99, max(0, milliseconds / 40)) }

    @Test(
        "An exact seek shows the frame that is on show at its target, and continues with the next",
        arguments: ["mp4", "mkv", "ts", "avi"])
    func exact(kind: String) throws {
        let viewing = Viewing(try Clips.film(kind), options: .paused)
        viewing.pauseAtStart()
        // On frames, between frames, beside keyframes (0 and 50), back and forth, at and beyond the ends.
        let targets = [
            1000, 1001, 1999, 2000, 2001, 2039, 2040, 40, 39, 20, 0, 1, 3980, 3960, 3959, 4000, 9999, 500, 1960, 3000,
            2960, 80, 119, 120, 2900, 1220,
        ]
        for target in targets {
            // Matroska and AVI round the times of frames; beside a frame's edge, either is right there.
            let shown = viewing.seek(to: .milliseconds(target) + .microseconds(600))
            #expect(shown?.number == number(at: target), "at \(target) ms")
        }
        viewing.seek(to: .milliseconds(1990))
        viewing.forget()
        viewing.player.play(now: viewing.now)
        #expect(viewing.runToEnd())
        #expect(viewing.numbers == Array(50..<100))
        #expect(viewing.problems.isEmpty)
    }

    @Test(
        "An exact seek into a long interval between keyframes, with sound, shows its frame", arguments: ["mp4", "ts"])
    func longInterval(kind: String) throws {
        let path = try Clips.file(
            "long.\(kind)",
            ffmpeg: FrameCode.source(seconds: 8) + FrameCode.tone + FrameCode.h264
                + ["-g", "300", "-c:a", "aac", "-t", "8"])
        let viewing = Viewing(path, options: .paused, audio: .silent)
        viewing.pauseAtStart()
        // Sound may begin a little earlier, and the media with it.
        let lead = try #require(viewing.last).time - #require(viewing.player.info).startTime
        for target in [7900, 40, 5010, 3000] {
            #expect(viewing.seek(to: lead + .milliseconds(target + 5))?.number == target / 40)
        }
        #expect(viewing.problems.isEmpty)
    }

    @Test("A fast seek shows the keyframe nearest to its target", arguments: ["mp4", "mkv"])
    func fast(kind: String) throws {
        let viewing = Viewing(try Clips.film(kind), options: .paused)
        viewing.pauseAtStart()
        for (target, number) in [(1900, 50), (2100, 50), (900, 0), (100, 0), (3900, 50), (1100, 50)] {
            #expect(viewing.seek(to: .milliseconds(target), mode: .fast)?.number == number, "to \(target) ms")
        }
    }

    @Test("After a fast seek the film continues from the keyframe that was found")
    func fastGoesOn() throws {
        let viewing = Viewing(try Clips.film())
        viewing.nextFrame()
        viewing.forget()
        viewing.player.seek(to: .milliseconds(2300), mode: .fast, now: viewing.now)
        viewing.nextFrame()
        viewing.run { viewing.player.isRunning }
        #expect(abs((viewing.player.position(at: viewing.now) - .seconds(2)).inMilliseconds) < 1)
        #expect(viewing.runToEnd())
        #expect(viewing.numbers == Array(50..<100))
    }

    @Test(
        "A step always goes somewhere in its direction, and onto a keyframe where one lies there",
        arguments: ["mp4", "mkv", "ts", "avi"])
    func steps(kind: String) throws {
        let path = try Clips.file(
            "steps.\(kind)", ffmpeg: FrameCode.source(seconds: 6) + FrameCode.h264 + ["-g", "75", "-keyint_min", "75"])
        let viewing = Viewing(path, options: .paused)
        viewing.pauseAtStart()
        var before = 0
        // Keyframes at 0, 75 (3 s); a step shorter than the interval, one from a keyframe back, one past the ends.
        for step in [1.0, 1, 2, -1, 1, 0.2, 1, -0.5, -0.04, -2, 4, -4, 100, -100] {
            let from = viewing.last?.number ?? 0
            viewing.player.seek(by: .seconds(step), now: viewing.now)
            let shown = try #require(viewing.nextFrame()).number
            if step > 0 { #expect(shown > from || from == 149, "from \(from) by \(step) s") }
            if step < 0 { #expect(shown < from || from == 0, "from \(from) by \(step) s") }
            before = shown
        }
        #expect(before == 0)
    }

    @Test("In an HEVC film, too, a fast seek finds the nearest keyframe and a step goes somewhere")
    func hevc() throws {
        let path = try Clips.file(
            "hevc.mp4",
            ffmpeg: FrameCode.source(seconds: 4) + [
                "-c:v", "libx265", "-preset", "ultrafast", "-x265-params",
                "keyint=50:min-keyint=50:scenecut=0:log-level=0",
            ])
        let viewing = Viewing(path, options: .paused)
        viewing.pauseAtStart()
        #expect(viewing.seek(to: .milliseconds(2200), mode: .fast)?.number == 50)
        #expect(viewing.seek(to: .milliseconds(3210))?.number == 80)
        viewing.player.seek(by: .seconds(-1), now: viewing.now)
        #expect(viewing.nextFrame()?.number == 50)
        viewing.player.seek(by: .milliseconds(-100), now: viewing.now)
        #expect(try #require(viewing.nextFrame()).number < 50)
    }

    @Test("Of many seeks at once the newest is the one that is arrived at")
    func superseding() throws {
        let viewing = Viewing(try Clips.film(), options: .paused)
        viewing.pauseAtStart()
        viewing.forget()
        for target in stride(from: 100, through: 3500, by: 20) {
            viewing.player.seek(to: .milliseconds(target), now: viewing.now)
            viewing.player.advance(to: viewing.now)
        }
        #expect(viewing.player.position(at: viewing.now) == .milliseconds(3500))
        #expect(viewing.run { viewing.last?.number == 87 })
        #expect(viewing.run { viewing.player.state == .paused && viewing.player.nextWake(now: viewing.now) == nil })
        #expect(viewing.numbers.last == 87)
        #expect(viewing.numbers.count <= 3)
    }

    @Test("A row of quick seeks shows pictures on its way")
    func scrubbing() throws {
        let viewing = Viewing(try Clips.film(), options: .paused)
        viewing.pauseAtStart()
        viewing.forget()
        for target in stride(from: 100, through: 3500, by: 100) {
            viewing.player.seek(to: .milliseconds(target), mode: .exact, now: viewing.now)
            viewing.player.seek(to: .milliseconds(target + 50), mode: .exact, now: viewing.now)
            viewing.nextFrame()
        }
        viewing.run { viewing.last?.number == 88 }
        #expect(viewing.shown.count > 20)
        #expect(viewing.numbers == viewing.numbers.sorted())
    }

    @Test("Frame steps go one frame on and one back, over keyframes and at the ends", arguments: ["mp4", "mkv", "ts"])
    func frameSteps(kind: String) throws {
        let viewing = Viewing(try Clips.film(kind), options: .paused)
        viewing.pauseAtStart()
        viewing.seek(to: .milliseconds(1901))
        func step(_ forward: Bool) -> Int? {
            viewing.player.stepFrame(forward: forward, now: viewing.now)
            return viewing.nextFrame()?.number
        }
        #expect((0..<5).map { _ in step(true) } == [48, 49, 50, 51, 52])
        #expect((0..<5).map { _ in step(false) } == [51, 50, 49, 48, 47])
        #expect(step(true) == 48)
        #expect(viewing.player.state == .paused)
        #expect(abs((viewing.player.position(at: viewing.now) - .milliseconds(1920)).inMilliseconds) <= 1)
        viewing.seek(to: .zero)
        #expect(step(false) == 0)
        #expect(step(true) == 1)
    }

    @Test("A step back from the end shows the frame before the last, and the film can continue")
    func stepBackFromEnd() throws {
        let viewing = Viewing(try Clips.film())
        viewing.runToEnd()
        viewing.forget()
        viewing.player.stepFrame(forward: false, now: viewing.now)
        #expect(viewing.nextFrame()?.number == 98)
        #expect(viewing.run { viewing.player.state == .paused })
        viewing.player.play(now: viewing.now)
        #expect(viewing.runToEnd())
        #expect(viewing.numbers == [98, 99])
    }

    @Test("A step that found no frame is forgotten when the film continues")
    func stepAtEnd() throws {
        let viewing = Viewing(try Clips.film(), options: .paused)
        viewing.pauseAtStart()
        viewing.seek(to: .milliseconds(3990))
        viewing.player.stepFrame(forward: true, now: viewing.now)
        viewing.player.play(now: viewing.now)
        #expect(viewing.runToEnd())
        #expect(viewing.numbers.last == 99)
    }

    @Test("A seek before the media is open is where it begins")
    func seekWhileOpening() throws {
        let viewing = Viewing(try Clips.film())
        viewing.player.seek(to: .milliseconds(2000), now: viewing.now)
        #expect(viewing.nextFrame()?.number == 50)
    }

    @Test("Two hundred seeks, paused and playing, leave no thread behind and the memory flat", .timeLimit(.minutes(10)))
    func manySeeks() throws {
        let viewing = Viewing(try Clips.filmWithAudio(), audio: .silent)
        var memory: [Int] = []
        for index in 0..<200 {
            let target = Duration.milliseconds(index * 7919 % 1950)
            let mode: SeekMode = index % 3 == 0 ? .fast : index % 3 == 1 ? .exact : .step(from: .zero)
            #expect(viewing.seek(to: target, mode: mode) != nil)
            if index % 5 == 0 { viewing.player.togglePause(now: viewing.now) }
            if index % 50 == 49 { memory.append(try Memory.resident()) }
        }
        // From the first 50 on, in which every pool has filled.
        #expect(memory.last ?? 0 < (memory.first ?? 0) + 24 << 20)
    }
}
