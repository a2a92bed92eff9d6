import GlissadeAnimation
import GlissadeTestSupport
import Testing
import GlissadeTime

@Suite("Pausing") struct PausingTests {
    @Test(
        "Pausing sets timeOffset = t(now) and speed = 0; resuming sets speed = 1, timeOffset = 0 and beginTime = now - t"
    )
    func literal() {
        var timing = MediaTiming(beginTime: at(2))
        timing.pause(at: at(7))
        #expect(timing.isPaused)
        #expect(timing.timeOffset == .seconds(5))
        #expect(timing.speed == 0)
        timing.resume(at: at(100))
        #expect(!timing.isPaused)
        #expect(timing.speed == 1)
        #expect(timing.timeOffset == .zero)
        #expect(timing.beginTime == at(95))
    }

    @Test(
        "However often and long time is paused, it stays exact to the last bit and continues without a jump",
        arguments: [1.0, 2, 0.5, 0.1, 1.0 / 3, 16, -1])
    func exact(speed: Double) {
        var timing = MediaTiming(beginTime: LocalTime(nanoseconds: 123_456_789), speed: speed)
        let untouched = timing
        var now = LocalTime(nanoseconds: 987_654_321_012_345)
        var pauses: Int64 = 0
        var random = SeededGenerator(seed: 20)
        var drift: Int64 = 0
        for _ in 0..<1000 {
            let before = timing.activeTime(parent: now)
            timing.pause(at: now)
            #expect(timing.activeTime(parent: now) == before)
            let pause = Int64.random(in: 0...10_000_000_000_000, using: &random)
            now.nanoseconds += pause
            pauses += pause
            #expect(timing.activeTime(parent: now) == before)
            timing.pause(at: now)  // A second one changes nothing.
            timing.resume(at: now)
            #expect(timing.activeTime(parent: now) == before)
            timing.resume(at: now)
            now.nanoseconds += Int64.random(in: 0...1_000_000_000, using: &random)
            let expected = untouched.activeTime(parent: LocalTime(nanoseconds: now.nanoseconds - pauses))
            drift = max(drift, abs(expected.nanoseconds - timing.activeTime(parent: now).nanoseconds))
        }
        // At whole speeds nothing is lost. At others each resumed stretch is rounded to a nanosecond by itself.
        #expect(speed == speed.rounded() ? drift == 0 : drift <= 1000)
    }

    @Test("A paused animation keeps its value to the last bit and continues from there when resumed")
    func animation() {
        let animation = Animation(
            from: 0.1, to: 977.3, timing: MediaTiming(beginTime: at(1), duration: .seconds(3)), curve: .easeInOut)
        var layer = MediaTiming(beginTime: at(0.3), speed: 0.7)
        let now = LocalTime(nanoseconds: 3_333_333_333)
        let value = animation.value(at: layer.activeTime(parent: now))
        let velocity = animation.velocity(at: layer.activeTime(parent: now))
        #expect(value != nil)
        layer.pause(at: now)
        for later in [0.0, 0.1, 1, 1e6] {
            #expect(animation.value(at: layer.activeTime(parent: now + .seconds(later))) == value)
        }
        layer.resume(at: now + .seconds(1e6))
        #expect(animation.value(at: layer.activeTime(parent: now + .seconds(1e6))) == value)
        #expect(animation.velocity(at: layer.activeTime(parent: now + .seconds(1e6))) == velocity)
        let next = animation.value(at: layer.activeTime(parent: now + .seconds(1e6) + .milliseconds(1)))
        #expect(abs(next! - value! - velocity * 0.0007) < 0.001)
    }

    @Test("Pausing a layer pauses its sublayers")
    func children() {
        var parent = MediaTiming()
        let child = MediaTiming(beginTime: at(1), speed: 2)
        parent.pause(at: at(5))
        #expect(child.activeTime(parent: parent.activeTime(parent: at(5000))) == at(8))
        parent.resume(at: at(5000))
        #expect(child.activeTime(parent: parent.activeTime(parent: at(5001))) == at(10))
    }

    @Test("Pausing an animation's own timing keeps its phase, end and direction")
    func ownTiming() {
        var timing = MediaTiming(duration: .seconds(5), timeOffset: .seconds(2))
        timing.pause(at: at(4))
        #expect(timing.basicTime(parent: at(50)) == at(1))
        #expect(!timing.hasEnded(parent: at(50)))
        timing.resume(at: at(50))
        #expect(timing.basicTime(parent: at(50.5)) == at(1.5))
        #expect(timing.hasEnded(parent: at(51)))

        var ended = MediaTiming(duration: .seconds(5), fillMode: .forwards)
        ended.pause(at: at(6))
        #expect(ended.basicTime(parent: at(9)) == at(5))
        #expect(ended.hasEnded(parent: at(9)))

        var early = MediaTiming(beginTime: at(5), duration: .seconds(5))
        early.pause(at: at(4))
        #expect(early.basicTime(parent: at(6)) == nil)
        early.resume(at: at(10))
        #expect(early.basicTime(parent: at(11.5)) == at(0.5))
    }

    @Test("While paused, timeOffset scrubs the animation, and setting a speed ends the pause")
    func scrubbing() {
        var timing = MediaTiming()
        timing.pause(at: at(5))
        timing.timeOffset = .seconds(2)
        #expect(timing.activeTime(parent: at(9)) == at(2))
        timing.resume(at: at(10))
        #expect(timing.activeTime(parent: at(11)) == at(3))
        timing.pause(at: at(11))
        timing.speed = 1
        #expect(!timing.isPaused)
    }
}
