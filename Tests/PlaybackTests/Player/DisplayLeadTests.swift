import Testing
import GlissadeTime

@testable import GlissadePlayback

@Suite("A display that leads a film")
struct DisplayLeadTests {
    /// Films, displays, and the factor on the film's speed.
    private static let leading: [(film: Double, display: Double, factor: Double)] = [
        (59.94005994, 60.0, 1.001), (23.976023976, 60.0, 1.001), (24.0, 60.0, 1.0), (25.0, 50.0, 1.0),
        (30.0, 60.0, 1.0), (24.0, 143.98, 143.98 / 144), (50.0, 75.0, 1.0), (23.976023976, 59.94005994, 1.0),
        (29.97002997, 75.0, 1.001), (60.0, 59.94005994, 1 / 1.001),
    ]

    @Test(
        "A display whose rate is almost a whole or half-integer multiple of the film's leads it",
        arguments: leading)
    func leads(film: Double, display: Double, factor: Double) throws {
        let found = try #require(DisplayLead.factor(film: film, display: display))
        #expect(abs(found - factor) < 1e-9)
    }

    @Test(
        "A display that would change the speed by more than half a percent does not lead",
        arguments: [(25.0, 60.0), (50, 60), (24, 50), (60, 50), (120, 60), (24, 75), (30, 50), (50, 165)])
    func doesNotLead(film: Double, display: Double) {
        #expect(DisplayLead.factor(film: film, display: display) == nil)
    }

    @Test(
        "Rates that make no sense lead nothing",
        arguments: [(0.0, 60.0), (60, 0), (-24, 60), (.nan, 60), (24, .infinity), (1e-9, 60), (1e9, 60), (1, 60)])
    func nonsense(film: Double, display: Double) {
        #expect(DisplayLead.factor(film: film, display: display) == nil)
    }

    @Test("A rate near the limit does not switch the lead on and off")
    func hysteresis() {
        let film = 24.0
        let display = 60 * (1 + 0.0049)
        #expect(DisplayLead.factor(film: film, display: display) == nil)
        #expect(DisplayLead.factor(film: film, display: display, isLeading: true) != nil)
        #expect(DisplayLead.factor(film: film, display: 60 * 1.0051, isLeading: true) == nil)
    }

    @Test("Audio follows from a small offset on, and gives up at a large one")
    func offsets() {
        for sign in [-1, 1] {
            #expect(DisplayLead.canFollow(ahead: .milliseconds(15 * sign), isFollowing: false))
            #expect(!DisplayLead.canFollow(ahead: .milliseconds(16 * sign), isFollowing: false))
            #expect(DisplayLead.canFollow(ahead: .milliseconds(45 * sign), isFollowing: true))
            #expect(!DisplayLead.canFollow(ahead: .milliseconds(46 * sign), isFollowing: true))
        }
    }

    @Test("Audio never changes its pitch by more than half a percent")
    func pitch() {
        for ahead in [-10_000, -45, -10, 0, 10, 45, 10_000] {
            for factor in [0.9952, 1, 1.0048] {
                let rate = DisplayLead.audioFactor(factor, ahead: .milliseconds(ahead))
                #expect(abs(rate - 1) <= 0.005 + 1e-12)
            }
        }
    }

    @Test(
        "Audio that follows a display stays within 20 ms of the film, whatever the sound card's clock and its queue",
        arguments: [-300e-6, 0, 300e-6], [0.1, 0.5, 0.8])
    func follows(drift: Double, queue: Double) {
        let start = HostTime(nanoseconds: 1_000_000_000)
        for factor in [1 / 1.001, 1.001, 1.0045] {
            var clock = PlaybackClock(at: start)
            clock.run(at: start)
            clock.setDisplayFactor(factor, at: start)
            // The factors of the audio that is queued, by the time at which it will be heard.
            var queued: [Double] = Array(repeating: 1, count: Int(queue * 1000))
            var heard = 0.012
            var worst = 0.0
            for millisecond in 0..<60_000 {
                let now = start + .milliseconds(millisecond)
                let ahead = clock.time(at: now) - MediaTime.zero - .seconds(heard)
                worst = max(worst, abs(ahead.inSeconds))
                if millisecond >= 10_000 { #expect(abs(ahead.inSeconds) < 0.003) }
                queued.append(DisplayLead.audioFactor(factor, ahead: ahead))
                heard += queued.removeFirst() * (1 + drift) / 1000
            }
            #expect(worst < 0.02)
        }
    }
}
