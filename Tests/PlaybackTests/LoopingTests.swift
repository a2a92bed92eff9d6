import Platform
import Testing
import Time

@testable import Playback

@MainActor @Suite("Looping", .serialized) struct LoopingTests {
    private var looping: PlayerOptions {
        var options = PlayerOptions()
        options.isLooping = true
        return options
    }

    @Test(
        "A loop repeats the film with no frame lost or doubled, in even time", arguments: ["mp4", "mkv", "ts", "avi"])
    func seamless(kind: String) throws {
        let viewing = Viewing(try Clips.film(kind), options: looping)
        #expect(viewing.run { viewing.shown.count == 450 })
        #expect(viewing.numbers == (0..<450).map { $0 % 100 })
        let steps = zip(viewing.shown, viewing.shown.dropFirst()).map { ($1.time - $0.time).inMilliseconds }
        #expect(steps.allSatisfy { abs($0 - 40) <= 1 })
        #expect(viewing.player.counts.dropped == 0)
        #expect(viewing.player.position(at: viewing.now) < .seconds(4))
    }

    @Test("With sound, too, every frame of every round is shown")
    func withAudio() throws {
        let viewing = Viewing(try Clips.filmWithAudio(), options: looping, audio: .silent)
        #expect(viewing.run { viewing.shown.count == 120 })
        #expect(viewing.numbers == (0..<120).map { $0 % 50 })
    }

    @Test("In a later round, a frame step back and a change of speed stay where they are")
    func transportInLaterRound() throws {
        let viewing = Viewing(try Clips.film(), options: looping)
        viewing.run { viewing.shown.count == 231 }
        #expect(viewing.last?.number == 30)
        viewing.player.stepFrame(forward: false, now: viewing.now)
        #expect(viewing.nextFrame()?.number == 29)
        viewing.player.stepFrame(forward: true, now: viewing.now)
        #expect(viewing.nextFrame()?.number == 30)
        let sounding = Viewing(try Clips.filmWithAudio(), options: looping, audio: .silent)
        sounding.run { sounding.shown.count == 71 }
        sounding.player.setSpeed(2, now: sounding.now)
        let number = try #require(sounding.nextFrame()).number
        #expect((19...24).contains(number))
    }

    @Test("Looping that is turned off ends with the round; the position is then the end")
    func turnedOff() throws {
        let viewing = Viewing(try Clips.film(), options: looping)
        viewing.run { viewing.shown.count == 150 }
        viewing.player.isLooping = false
        #expect(viewing.runToEnd())
        #expect(viewing.last?.number == 99)
        #expect(viewing.numbers == (0..<viewing.numbers.count).map { $0 % 100 })
        #expect(viewing.player.position(at: viewing.now) == .seconds(4))
    }

    @Test("Looping that is turned on at the very end begins again")
    func turnedOn() throws {
        let viewing = Viewing(try Clips.film())
        viewing.run { viewing.shown.count == 99 }
        viewing.player.isLooping = true
        viewing.forget()
        #expect(viewing.run { viewing.shown.count == 50 })
        #expect(viewing.numbers == (0..<50).map { ($0 + 99) % 100 })
    }

    @Test("A seek in a later round goes where it is sent")
    func seekInLaterRound() throws {
        let viewing = Viewing(try Clips.film(), options: looping)
        viewing.run { viewing.shown.count == 250 }
        #expect(viewing.seek(to: .milliseconds(2010))?.number == 50)
        viewing.forget()
        #expect(viewing.run { viewing.shown.count == 100 })
        #expect(viewing.numbers == (0..<100).map { ($0 + 51) % 100 })
    }

    @Test("A media of one picture does not spin in a loop")
    func onePicture() throws {
        let path = try Clips.file(
            "one.png", ffmpeg: FrameCode.source(seconds: 0.04, first: 5, format: "rgb24") + ["-frames:v", "1"])
        let viewing = Viewing(path, options: looping)
        #expect(viewing.nextFrame()?.number == 5)
        let began = viewing.now
        viewing.run { viewing.shown.count >= 20 || viewing.hasEnded || viewing.now - began > .seconds(2) }
        #expect(viewing.shown.count < 60)
    }

    @Test("Many rounds keep the memory flat")
    func memory() throws {
        let viewing = Viewing(try Clips.film(), options: looping)
        viewing.run { viewing.shown.count == 500 }
        let before = try Memory.resident()
        viewing.run { viewing.shown.count == 3000 }
        #expect(viewing.shown.count == 3000)
        #expect(try Memory.resident() < before + 16 << 20)
    }
}
