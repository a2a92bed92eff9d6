import GlissadeTime
import Testing

@testable import GlissadePlayback

@Suite("What a scrub asks the decoder for") struct ScrubTests {
    private func at(_ milliseconds: Int) -> HostTime { HostTime(nanoseconds: Int64(milliseconds) * 1_000_000) }

    /// Nothing on screen yet, and nothing queued.
    private static let nothing = Scrub.Sight(onShow: nil, hasShown: false, hasEnded: false, next: nil)

    /// A frame of the last request is on screen.
    private func showing(_ position: Double, next: Double? = nil) -> Scrub.Sight {
        Scrub.Sight(
            onShow: .seconds(position), hasShown: true, hasEnded: false, next: next.map { Duration.seconds($0) })
    }

    /// A frame from before the last request is on screen.
    private func waiting(_ position: Double) -> Scrub.Sight {
        Scrub.Sight(onShow: .seconds(position), hasShown: false, hasEnded: false, next: nil)
    }

    private func scrub(from origin: Double = 5, in phase: Player.Phase = .paused) -> Scrub {
        Scrub(from: .seconds(origin), in: phase)
    }

    /// Carries out what `advance` decides.
    private func step(_ scrub: inout Scrub, _ sight: Scrub.Sight, _ now: Int) -> Scrub.Step {
        let step = scrub.advance(sight, now: at(now))
        if case .request(let kind) = step { scrub.didRequest(kind, now: at(now)) }
        return step
    }

    @Test("A thumb that has not moved asks for nothing and wakes nobody")
    func resting() {
        var scrub = scrub()
        scrub.move(to: .seconds(5), now: at(0))
        #expect(step(&scrub, showing(5), 10_000) == .wait && scrub.wake(showing(5)) == nil)
        #expect(scrub.isUntouched(at: .seconds(5)) && !scrub.isUntouched(at: .seconds(6)))
        scrub.audioIsStale = true
        #expect(!scrub.isUntouched(at: .seconds(5)))
    }

    @Test("A jump asks for a keyframe, and moves wait until that has come; then only the last one counts")
    func previews() {
        var scrub = scrub()
        scrub.move(to: .seconds(50), now: at(0))
        #expect(step(&scrub, showing(5), 0) == .request(.preview) && scrub.since == at(0))
        for (position, now) in [(60.0, 10), (70, 20), (80, 30)] {
            scrub.move(to: .seconds(position), now: at(now))
            #expect(step(&scrub, waiting(5), now) == .wait)
        }
        #expect(step(&scrub, showing(48), 40) == .request(.preview))
        #expect(scrub.since == at(40) && scrub.target == .seconds(80))
    }

    @Test("A keyframe that does not come is waited for half a second if the thumb has moved on, otherwise two seconds")
    func timeouts() {
        for (moves, timeout) in [(true, 500), (false, 2000)] {
            var scrub = scrub()
            scrub.move(to: .seconds(50), now: at(0))
            _ = step(&scrub, showing(5), 0)
            if moves { scrub.move(to: .seconds(90), now: at(10)) }
            #expect(scrub.wake(waiting(5)) == at(timeout))
            #expect(step(&scrub, waiting(5), timeout - 1) == .wait)
            #expect(step(&scrub, waiting(5), timeout) == .request(moves ? .preview : .exact))
        }
    }

    @Test("A thumb that rests for 80 ms asks for the exact frame, once")
    func exact() {
        var scrub = scrub()
        scrub.move(to: .seconds(50), now: at(0))
        _ = step(&scrub, showing(5), 0)
        #expect(step(&scrub, showing(48), 79) == .wait && scrub.wake(showing(48)) == at(80))
        #expect(!scrub.isExact(at: .seconds(50)))
        #expect(step(&scrub, showing(48), 80) == .request(.exact))
        #expect(scrub.isExact(at: .seconds(50)) && !scrub.isExact(at: .seconds(51)))
        #expect(step(&scrub, showing(50), 200) == .wait)
        #expect(step(&scrub, showing(50), 9000) == .wait && scrub.wake(showing(50)) == nil)
        scrub.audioIsStale = true
        #expect(!scrub.isExact(at: .seconds(50)))
    }

    @Test("An exact frame is given up when the thumb has moved away, but not for a small move forward")
    func abandoning() {
        for (position, step) in [
            (50.9, Scrub.Step.wait), (51.1, .request(.preview)), (49.7, .wait), (49.5, .request(.preview)),
        ] {
            var scrub = scrub()
            scrub.move(to: .seconds(50), now: at(0))
            scrub.didRequest(.exact, now: at(0))
            scrub.move(to: .seconds(position), now: at(10))
            #expect(scrub.advance(waiting(5), now: at(10)) == step, "\(position)")
        }
    }

    @Test("After a frame has come, the decoder follows a slow thumb frame by frame, and is done when it has caught up")
    func following() {
        var scrub = scrub()
        scrub.move(to: .seconds(50), now: at(0))
        scrub.didRequest(.exact, now: at(0))
        _ = step(&scrub, showing(50), 10)
        #expect(!scrub.follows)
        scrub.move(to: .seconds(50.5), now: at(20))
        #expect(step(&scrub, showing(50), 20) == .goOn)
        #expect(scrub.follows && scrub.since == nil && scrub.wake(showing(50, next: 50.04)) == at(100))
        #expect(step(&scrub, showing(50.48, next: 50.52), 200) == .wait, "it shows the exact frame")
        #expect(scrub.wake(showing(50.48, next: 50.52)) == nil)
        #expect(step(&scrub, showing(50.2, next: 50.24), 200) == .request(.exact), "decoding is too slow")
        // Backwards, or far ahead, there is nothing to follow.
        scrub.move(to: .seconds(40), now: at(210))
        #expect(step(&scrub, showing(50.5), 300) == .request(.preview))
    }

    @Test("A thumb between two keyframes asks for the exact frame at once")
    func betweenKeyframes() {
        var scrub = scrub()
        scrub.move(to: .seconds(50), now: at(0))
        _ = step(&scrub, showing(5), 0)
        scrub.move(to: .seconds(50.3), now: at(10))
        #expect(step(&scrub, showing(50), 20) == .request(.exact))
    }

    @Test("A request takes the place of the seek that was pending before the scrub")
    func pendingSeek() {
        var preroll = Player.Preroll(since: at(0), target: .zero)
        preroll.pending = Player.PendingSeek(target: MediaTime(seconds: 7), mode: .fast)
        var scrub = scrub(in: .preroll(preroll))
        #expect(scrub.pendingSeek?.target == MediaTime(seconds: 7))
        scrub.didRequest(.exact, now: at(10))
        #expect(scrub.pendingSeek == nil && scrub.phase == .preroll(Player.Preroll(since: at(0), target: .zero)))
    }
}

@Suite("What an A–B loop repeats") struct LoopRangeTests {
    @Test("An empty part is none, and an end past the media's is the media's end")
    func limits() {
        let minute = Duration.seconds(60)
        #expect(LoopRange(from: .seconds(20), to: .seconds(20), duration: minute) == nil)
        #expect(LoopRange(from: .seconds(60), to: nil, duration: minute) == nil)
        #expect(LoopRange(from: .seconds(61), to: .seconds(70), duration: nil) != nil)
        let all = LoopRange(from: .seconds(-3), to: .seconds(60), duration: minute)
        #expect(all?.start == .zero && all?.end == nil && all?.isOver(at: .seconds(90)) == false)
    }

    @Test("A seek to the end or later disarms a loop, and one before the end arms it again")
    func arming() throws {
        var loop = try #require(LoopRange(from: .seconds(10), to: .seconds(20), duration: .seconds(60)))
        for (position, isArmed) in [(5, true), (20, false), (15, true), (40, false), (0, true)] {
            loop.arm(for: .seconds(position))
            #expect(loop.isArmed == isArmed, "\(position)")
        }
        var open = try #require(LoopRange(from: .seconds(10), to: nil, duration: .seconds(60)))
        open.arm(for: .seconds(59))
        #expect(open.isArmed)
    }
}

@Suite("Which variant is ordered") struct VariantSelectionTests {
    private func at(_ seconds: Int) -> HostTime { HostTime(nanoseconds: Int64(seconds) * 1_000_000_000) }

    @Test("An automatic change to a better variant waits ten seconds, to a worse one three")
    func intervals() {
        for (best, interval) in [(0, 10), (2, 3)] {
            var selection = VariantSelection()
            selection.begin(now: at(0))
            #expect(selection.prefer(1, to: 1, now: at(100)) == nil)
            #expect(selection.prefer(best, to: 1, now: at(interval - 1)) == nil && selection.isFree)
            #expect(selection.prefer(best, to: 1, now: at(interval)) == best && !selection.isFree)
        }
    }

    @Test("A variant that cannot be played is not offered again, and the choice before it returns")
    func refusal() {
        var selection = VariantSelection()
        #expect(selection.choose(.variant(2), playing: 1, now: at(0)) == 2)
        #expect(selection.choose(.variant(0), playing: 1, now: at(1)) == 0)
        #expect(selection.take(VariantChange(variant: 0, result: .refused)) == false)
        #expect(selection.quality == .automatic && selection.refused == [0] && selection.isFree)
        #expect(selection.choose(.variant(0), playing: 1, now: at(2)) == 0 && selection.refused.isEmpty)
        #expect(selection.take(VariantChange(variant: 0, result: .tooSlow)) == false)
        #expect(selection.quality == .automatic && selection.refused.isEmpty)
    }

    @Test("The variant that plays, or that was ordered already, is not ordered again")
    func once() {
        var selection = VariantSelection()
        #expect(selection.choose(.variant(1), playing: 1, now: at(0)) == nil)
        #expect(selection.choose(.variant(2), playing: 1, now: at(0)) == 2)
        #expect(selection.choose(.variant(2), playing: 1, now: at(0)) == nil)
        #expect(selection.take(VariantChange(variant: 2, result: .joined)) == true)
        #expect(selection.quality == .variant(2) && !selection.isFree)
        // The user's wish for the best one needs no pause.
        #expect(selection.choose(.automatic, playing: 2, now: at(1)) == nil)
        #expect(selection.prefer(0, to: 2, now: at(1)) == 0)
    }
}
