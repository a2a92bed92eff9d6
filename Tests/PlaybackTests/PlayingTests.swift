import Geometry
import Picture
import Platform
import Testing
import Time

@testable import Playback

@MainActor @Suite("Playing from the beginning to the end", .serialized) struct PlayingTests {
    @Test("Every frame of a film is shown once, in order, at its own time", arguments: ["mp4", "mkv", "ts", "avi"])
    func everyFrameOnce(kind: String) throws {
        let viewing = Viewing(try Clips.film(kind))
        #expect(viewing.runToEnd())
        #expect(viewing.numbers == Array(0..<100))
        #expect(viewing.player.state == .ended)
        #expect(viewing.player.counts.dropped == 0)
        #expect(viewing.player.counts.due == 100)
        #expect(viewing.problems.isEmpty)
        let start = try #require(viewing.player.info).startTime
        // Matroska counts in milliseconds.
        let times = viewing.shown.map { ($0.time - start).inMilliseconds.rounded() }
        #expect(times == (0..<100).map { Double($0) * 40 })
        #expect(viewing.shown.allSatisfy { abs($0.duration.inMilliseconds - 40) <= 1 })
    }

    @Test("After the end the position is the media's length")
    func endPosition() throws {
        let viewing = Viewing(try Clips.film())
        viewing.runToEnd()
        let position = viewing.player.position(at: viewing.now)
        #expect(position == viewing.player.info?.duration)
        #expect(position == .seconds(4))
    }

    @Test("Untimed, every frame comes as fast as it is asked for, also where there is sound")
    func untimed() throws {
        var options = PlayerOptions()
        options.isUntimed = true
        for audio in [PlayerOptions.Audio.none, .silent] {
            let viewing = Viewing(try Clips.filmWithAudio(), options: options, audio: audio)
            #expect(viewing.runToEnd())
            #expect(viewing.numbers == Array(0..<50))
        }
    }

    @Test("Frames that a late decoder skips count as due and as dropped", arguments: ["mp4", "mkv", "ts"])
    func skipped(kind: String) throws {
        var options = PlayerOptions()
        options.isUntimed = true  // Nothing else is dropped, and nobody says how late it is.
        let viewing = Viewing(try Clips.film(kind), options: options)
        viewing.open()
        viewing.player.pipeline.video?.setLateness(.seconds(1))
        #expect(viewing.runToEnd())
        // Frames that others need are decoded all the same.
        #expect((25...70).contains(viewing.shown.count))
        #expect(viewing.player.counts == .init(due: 100, dropped: 100 - viewing.shown.count))
    }

    @Test("A late picture is passed over only where the next one is due as well")
    func dropping() throws {
        let viewing = Viewing(try Clips.film())
        viewing.nextFrame()
        viewing.run { viewing.player.isRunning && viewing.player.nextFrameDue != nil }
        let player = viewing.player
        let due = try #require(player.nextFrameDue)
        // Half a frame late: it is shown.
        #expect(take(player, due + .milliseconds(20)) == 1)
        #expect(player.counts.dropped == 0)
        // More than a frame late, and the next one waits already: it is passed over.
        let deadline = HostTime.now() + Viewing.patience
        while player.pipeline.frames.head().second == nil, HostTime.now() < deadline {}
        let number = try #require(take(player, due + .milliseconds(90)))
        #expect(number > 2)
        #expect(player.counts == .init(due: number + 1, dropped: number - 2))
    }

    @Test("Where each draw takes longer than two frames, late ones are passed over", arguments: [true, false])
    func catchesUp(isConverted: Bool) throws {
        var options = PlayerOptions()
        if isConverted { options.pictures = FrameFormat(convertedSize: PixelSize(width: 32, height: 18)) }
        let viewing = Viewing(try Clips.film(), options: options)
        viewing.nextFrame()
        viewing.run { viewing.player.isRunning && viewing.player.nextFrameDue != nil }
        let player = viewing.player
        let due = try #require(player.nextFrameDue)
        var numbers: [Int] = []
        for draw in 0..<20 {
            numbers.append(try #require(take(player, due + .milliseconds(100) * draw)))
            // What comes while it is drawn: the second draw is late.
            let deadline = HostTime.now() + Viewing.patience
            let waiting = draw == 0 ? 1 : 3
            while player.pipeline.frames.fill.count < waiting, HostTime.now() < deadline {}
            try #require(player.pipeline.frames.fill.count >= waiting)
            player.didShowFrame()
        }
        // 2.5 frames a draw.
        for (draw, number) in numbers.enumerated() { #expect(abs(number - 1 - draw * 5 / 2) <= 3, "\(numbers)") }
    }

    private func take(_ player: Player, _ visible: HostTime) -> Int? {
        guard let frame = player.takeFrame(visibleAt: visible) else { return nil }
        return Shown(frame).number
    }

    @Test("Pause keeps the frame and the position; play continues with the next frame")
    func pausing() throws {
        let viewing = Viewing(try Clips.film())
        viewing.run { viewing.shown.count == 10 }
        let now = viewing.now
        viewing.player.pause(now: now)
        let position = viewing.player.position(at: now)
        #expect(viewing.player.position(at: now + .seconds(100)) == position)
        #expect(take(viewing.player, now + .seconds(100)) == nil)
        #expect(viewing.player.nextWake(now: now) == nil)
        #expect(viewing.player.nextFrameDue == nil)
        viewing.player.play(now: now + .seconds(100))
        #expect(viewing.player.position(at: now + .seconds(100)) == position)
        #expect(viewing.runToEnd())
        #expect(viewing.numbers == Array(0..<100))
    }

    @Test("Paused from the beginning, it shows the first frame and nothing else")
    func startsPaused() throws {
        let viewing = Viewing(try Clips.film(), options: .paused)
        viewing.run { viewing.player.state == .paused && viewing.shown.count == 1 }
        #expect(viewing.numbers == [0])
        #expect(viewing.player.counts.due == 0)
    }

    @Test("A start position is where it begins: no frame from before it is shown")
    func startPosition() throws {
        var options = PlayerOptions()
        options.start = .milliseconds(1210)
        let viewing = Viewing(try Clips.film(), options: options)
        #expect(viewing.runToEnd())
        #expect(viewing.numbers == Array(30..<100))
    }

    @Test("After the end, play begins again")
    func again() throws {
        let viewing = Viewing(try Clips.film())
        viewing.runToEnd()
        viewing.forget()
        viewing.player.play(now: viewing.now)
        #expect(viewing.runToEnd())
        #expect(viewing.numbers == Array(0..<100))
    }

    @Test("At twice the speed a frame is due in half the time")
    func speed() throws {
        let viewing = Viewing(try Clips.film())
        viewing.nextFrame()
        viewing.player.setSpeed(2, now: viewing.now)
        let began = viewing.now
        #expect(viewing.runToEnd())
        #expect(viewing.numbers == Array(0..<100))
        #expect(abs((viewing.now - began).inSeconds - 2) < 0.05)
    }
}
