import GlissadeAnimation
import Testing
import GlissadeTime

func at(_ seconds: Double) -> LocalTime { LocalTime(seconds: seconds) }

@Suite("Media timing") struct MediaTimingTests {
    @Test("Active local time is (parentTime - beginTime) * speed + timeOffset")
    func activeTime() {
        let timing = MediaTiming(beginTime: at(10), speed: 2, timeOffset: .seconds(3))
        #expect(timing.activeTime(parent: at(10)) == at(3))
        #expect(timing.activeTime(parent: at(14.5)) == at(12))
        #expect(timing.activeTime(parent: at(9)) == at(1))
        #expect(MediaTiming(speed: -1).activeTime(parent: at(4)) == at(-4))
        #expect(MediaTiming().activeTime(parent: LocalTime(HostTime(nanoseconds: 77))).nanoseconds == 77)
    }

    @Test("Speeds multiply down the layer tree")
    func hierarchy() {
        let root = MediaTiming(beginTime: at(1), speed: 2)
        let child = MediaTiming(beginTime: at(4), speed: 0.5)
        let leaf = MediaTiming(speed: 3)
        func leafTime(_ host: Double) -> LocalTime {
            leaf.activeTime(parent: child.activeTime(parent: root.activeTime(parent: at(host))))
        }
        #expect(leafTime(3) == .zero)
        #expect(leafTime(4) - leafTime(3) == .seconds(3))
    }

    @Test("With a whole-number speed, time is exact to the nanosecond whatever the uptime")
    func exactness() {
        let host = LocalTime(nanoseconds: (1 << 60) + 1)
        #expect(MediaTiming().activeTime(parent: host) == host)
        #expect(MediaTiming(speed: 3).activeTime(parent: host).nanoseconds == 3 * ((1 << 60) + 1))
        #expect(MediaTiming(speed: 0.5).activeTime(parent: LocalTime(nanoseconds: 7)).nanoseconds == 4)
    }

    @Test("An animation runs once by default and shows the model value before and after")
    func once() {
        let timing = MediaTiming(beginTime: at(1), duration: .seconds(5))
        #expect(timing.basicTime(parent: at(0.999)) == nil)
        #expect(timing.basicTime(parent: at(1)) == at(0))
        #expect(timing.basicTime(parent: at(5.5)) == at(4.5))
        #expect(timing.basicTime(parent: at(6)) == nil)
        #expect(!timing.hasEnded(parent: at(5.999)))
        #expect(timing.hasEnded(parent: at(6)))
        #expect(timing.position(parent: at(3.5))?.progress == 0.5)
    }

    @Test("A repeat count may be fractional, and an infinite one never ends", arguments: [2.5, .infinity])
    func repeatCount(count: Double) {
        let timing = MediaTiming(duration: .seconds(2), repeatCount: count, fillMode: .forwards)
        #expect(timing.basicTime(parent: at(1.5)) == at(1.5))
        #expect(timing.basicTime(parent: at(2)) == at(0))
        #expect(timing.basicTime(parent: at(4.25)) == at(0.25))
        #expect(timing.hasEnded(parent: at(5)) == (count == 2.5))
        #expect(timing.basicTime(parent: at(5.5)) == (count == 2.5 ? at(1) : at(1.5)))
        #expect(timing.activeDuration == (count == 2.5 ? .seconds(5) : nil))
    }

    @Test("A repeat duration takes precedence over a repeat count")
    func repeatDuration() {
        let timing = MediaTiming(
            duration: .seconds(2), repeatCount: 9, repeatDuration: .seconds(3), fillMode: .forwards)
        #expect(timing.basicTime(parent: at(2.5)) == at(0.5))
        #expect(timing.basicTime(parent: at(100)) == at(1))
    }

    @Test("With autoreverses, forward and back count as one repetition")
    func autoreverses() {
        let timing = MediaTiming(duration: .seconds(2), repeatCount: 2, autoreverses: true, fillMode: .forwards)
        #expect(timing.basicTime(parent: at(1.5)) == at(1.5))
        #expect(timing.basicTime(parent: at(2)) == at(2))
        #expect(timing.basicTime(parent: at(2.5)) == at(1.5))
        #expect(timing.basicTime(parent: at(4.5)) == at(0.5))
        #expect(timing.position(parent: at(0.5))?.rate == 1)
        #expect(timing.position(parent: at(2.5))?.rate == -1)
        #expect(timing.hasEnded(parent: at(8)))
        #expect(timing.basicTime(parent: at(9)) == at(0))
    }

    @Test("A 5 s animation with a time offset of 2 s or 7 s plays 2…5 and then 0…2", arguments: [2, 7])
    func phase(offset: Int) {
        let timing = MediaTiming(
            beginTime: at(10), duration: .seconds(5), timeOffset: .seconds(offset), fillMode: .forwards)
        #expect(timing.basicTime(parent: at(10)) == at(2))
        #expect(timing.basicTime(parent: at(12.5)) == at(4.5))
        #expect(timing.basicTime(parent: at(13)) == at(0))
        #expect(timing.basicTime(parent: at(14.5)) == at(1.5))
        #expect(timing.basicTime(parent: at(15)) == at(2))
        #expect(timing.hasEnded(parent: at(15)))
        #expect(!timing.hasEnded(parent: at(14.999)))
    }

    @Test("Before the start and after the end, the fill mode chooses between first, last and model value")
    func fillModes() {
        func ends(_ mode: MediaTiming.FillMode) -> [LocalTime?] {
            let timing = MediaTiming(beginTime: at(1), duration: .seconds(2), fillMode: mode)
            return [timing.basicTime(parent: at(0)), timing.basicTime(parent: at(9))]
        }
        #expect(ends(.removed) == [nil, nil])
        #expect(ends(.forwards) == [nil, at(2)])
        #expect(ends(.backwards) == [at(0), nil])
        #expect(ends(.both) == [at(0), at(2)])
    }

    @Test("An animation with zero duration is at its end at once")
    func noLength() {
        let timing = MediaTiming(beginTime: at(1), fillMode: .both)
        #expect(timing.position(parent: at(0))?.progress == 0)
        #expect(timing.position(parent: at(1))?.progress == 1)
        #expect(timing.hasEnded(parent: at(1)))
        let repeated = MediaTiming(repeatCount: .infinity, autoreverses: true, fillMode: .both)
        #expect(repeated.position(parent: at(1))?.progress == 1)
    }

    @Test("Absurd timings neither trap nor leave the range 0…duration")
    func absurd() {
        let numbers = [0, -1, 1, 0.3, .nan, .infinity, -.infinity, 1e300, -1e-300]
        let lengths = [Duration.zero, .seconds(-5), .seconds(3), .seconds(1e12), .seconds(-1e12), .nanoseconds(1)]
        let times = [Int64.min, -1, 0, 1, 3_000_000_000, .max].map(LocalTime.init(nanoseconds:))
        for speed in numbers {
            for count in numbers {
                for length in lengths {
                    for offset in lengths {
                        var timing = MediaTiming(
                            beginTime: times[count > 0 ? 5 : 1], duration: length, speed: speed,
                            timeOffset: offset, repeatCount: count, repeatDuration: count == 0.3 ? length : .zero,
                            autoreverses: speed == 0.3, fillMode: .both)
                        for time in times {
                            _ = timing.activeTime(parent: time)
                            _ = timing.hasEnded(parent: time)
                            guard let position = timing.position(parent: time) else {
                                Issue.record("filled on both sides, yet nothing shows")
                                continue
                            }
                            let isInside = (0...1).contains(position.progress) && position.rate.isFinite
                            let isLong = position.time < .zero || position.time > .zero + max(length, .zero)
                            if !isInside || isLong { Issue.record("\(timing) at \(time): \(position)") }
                        }
                        timing.pause(at: times[0])
                        timing.resume(at: times[5])
                    }
                }
            }
        }
    }
}
