import Testing
import GlissadeTime

@testable import GlissadePlayback

@Suite("Playback clock") struct ClockTests {
    private let start = HostTime(nanoseconds: 5_000_000_000)

    private func running(speed: Double = 1) -> PlaybackClock {
        var clock = PlaybackClock(MediaTime(seconds: 10), speed: speed, at: start)
        clock.run(at: start)
        return clock
    }

    @Test("The clock runs at its speed and stands where it was stopped")
    func runs() {
        var clock = running(speed: 1.5)
        #expect(clock.time(at: start + .seconds(2)) == MediaTime(seconds: 13))
        clock.stop(at: start + .seconds(2))
        #expect(clock.time(at: start + .seconds(50)) == MediaTime(seconds: 13))
        #expect(clock.hostTime(of: .zero) == nil)
        clock.run(at: start + .seconds(50))
        #expect(clock.time(at: start + .seconds(50)) == MediaTime(seconds: 13))
        #expect(clock.time(at: start + .seconds(52)) == MediaTime(seconds: 16))
    }

    @Test("Media time at a host time and host time at a media time are inverse")
    func inverse() throws {
        let clock = running(speed: 0.75)
        for seconds in stride(from: 8.0, to: 14, by: 0.37) {
            let host = try #require(clock.hostTime(of: MediaTime(seconds: seconds)))
            #expect(abs((clock.time(at: host) - MediaTime(seconds: seconds)).nanoseconds) <= 2)
        }
    }

    @Test("Changing the speed causes no jump")
    func speedChange() {
        var clock = running()
        let now = start + .milliseconds(1234)
        let before = clock.time(at: now)
        clock.setSpeed(3, at: now)
        #expect(clock.time(at: now) == before)
        #expect(clock.time(at: now + .seconds(1)) == before + .seconds(3))
    }

    @Test("The clock catches up with the audio at an unnoticeable rate and arrives")
    func slew() {
        for offset in [Duration.milliseconds(80), .milliseconds(60), .milliseconds(-60)] {
            var clock = running()
            var now = start
            var last = clock.time(at: now)
            for _ in 0..<3000 {
                let audio = MediaTime(seconds: 10) + (now - start) + offset
                clock.observe(audio, at: now)
                now = now + .milliseconds(10)
                let time = clock.time(at: now)
                let step = (time - last).inSeconds / 0.01
                #expect(step >= 1 - PlaybackClock.slewLimit - 1e-6 && step <= 1 + PlaybackClock.slewLimit + 1e-6)
                last = time
            }
            let audio = MediaTime(seconds: 10) + (now - start) + offset
            #expect(abs((last - audio).inMilliseconds) < 1)
        }
    }

    @Test("The clock jumps to audio that is far ahead")
    func jump() {
        var clock = running()
        clock.observe(MediaTime(seconds: 10.5), at: start)
        #expect(clock.time(at: start) == MediaTime(seconds: 10.5))
    }

    @Test(
        "The clock waits for audio that is more than 60 ms behind, until it is within 20 ms", arguments: [0.5, 1, 2])
    func hold(speed: Double) {
        // Reported often, or once only.
        for interval in [Duration.milliseconds(10), .seconds(60)] {
            var clock = running(speed: speed)
            let behind = Duration.milliseconds(200) * speed
            let audio = { (now: HostTime) in MediaTime(seconds: 10) + (now - start) * speed - behind }
            var now = start
            var reported: HostTime?
            var standing = Duration.zero
            while now < start + .milliseconds(600) {
                if reported.map({ now - $0 >= interval }) ?? true {
                    clock.observe(audio(now), at: now)
                    reported = now
                }
                #expect(clock.isHeld(at: now) == (clock.time(at: now) - audio(now) > PlaybackClock.holdTolerance))
                let next = now + .milliseconds(1)
                if clock.time(at: next) == clock.time(at: now) { standing = standing + .milliseconds(1) }
                now = next
            }
            let expected = (behind - PlaybackClock.holdTolerance) / speed
            #expect(abs((standing - expected).inMilliseconds) <= 2)
            #expect(clock.time(at: now) - audio(now) <= PlaybackClock.holdTolerance)
        }
        var clock = running()
        clock.observe(MediaTime(seconds: 10) - .milliseconds(60), at: start)
        #expect(!clock.isHeld(at: start) && clock.time(at: start + .seconds(1)) > MediaTime(seconds: 10.9))
    }

    @Test("The clock reports for how long it has waited for stalled audio")
    func standingAudio() {
        var clock = running()
        for step in 0..<300 { clock.observe(MediaTime(seconds: 10), at: start + .milliseconds(10 * step)) }
        let now = start + .milliseconds(2990)
        #expect(clock.wait(at: now) > .milliseconds(2900) && clock.time(at: now) < MediaTime(seconds: 10.1))
        clock.observeSilence(at: now)
        #expect(clock.wait(at: now) == .zero)
        #expect(clock.time(at: now + .seconds(1)) > MediaTime(seconds: 11))
    }

    @Test("While the clock is held, the next frame is due when it continues")
    func heldDueTimes() throws {
        var clock = running()
        clock.observe(MediaTime(seconds: 9.88), at: start)
        let due = try #require(clock.hostTime(of: MediaTime(seconds: 10.5)))
        #expect(abs((due - start - .milliseconds(600)).nanoseconds) <= 1)
        #expect(clock.time(at: due) == MediaTime(seconds: 10.5))
    }

    @Test("A clock started for a later time stands until then")
    func startsLater() {
        var clock = PlaybackClock(MediaTime(seconds: 10), at: start)
        clock.run(at: start, from: start + .milliseconds(300))
        #expect(clock.isRunning && clock.isHeld(at: start + .milliseconds(299)))
        #expect(clock.time(at: start + .milliseconds(300)) == MediaTime(seconds: 10))
        #expect(clock.time(at: start + .milliseconds(800)) == MediaTime(seconds: 10.5))
        #expect(clock.hostTime(of: MediaTime(seconds: 10.5)) == start + .milliseconds(800))
        clock.stop(at: start + .milliseconds(100))
        clock.run(at: start + .milliseconds(200))
        #expect(clock.time(at: start + .milliseconds(300)) == MediaTime(seconds: 10.1))
    }

    @Test("The correction ends when audio ends, and ten seconds take ten seconds")
    func silenceEndsCorrection() {
        for offset in [Duration.milliseconds(-50), .milliseconds(50), .milliseconds(-100)] {
            var clock = running()
            clock.observe(MediaTime(seconds: 10) + offset, at: start)
            clock.observeSilence(at: start)
            clock.setSpeed(1, at: start)
            #expect(clock.correction == 0)
            #expect(clock.time(at: start + .seconds(10)) == MediaTime(seconds: 20))
        }
    }

    @Test("Whatever the audio does, the clock never runs backwards")
    func monotonic() {
        var clock = running()
        var now = start
        var last = clock.time(at: now)
        var state: UInt64 = 1
        for _ in 0..<2000 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let heard = last + .milliseconds(Int(state >> 40) % 400 - 300)
            clock.observe(heard, at: now)
            #expect(clock.time(at: now) >= last)
            now = now + .milliseconds(Int(state >> 33) % 20)
            #expect(clock.time(at: now) >= last)
            last = clock.time(at: now)
        }
    }

    @Test("A stopped clock ignores the audio")
    func standing() {
        var clock = PlaybackClock(MediaTime(seconds: 3), at: start)
        clock.observe(MediaTime(seconds: 9), at: start)
        #expect(clock.time(at: start) == MediaTime(seconds: 3))
    }

    @Test("A time beyond all times is due at the end of time, not at once")
    func farAway() throws {
        let clock = running(speed: 0.1)
        #expect(try #require(clock.hostTime(of: MediaTime(nanoseconds: .max / 2))) > start)
        #expect(try #require(clock.hostTime(of: MediaTime(nanoseconds: .min / 2))) < start)
    }
}
