import GlissadeTestSupport
import Testing
import GlissadeTime

@testable import GlissadePresentation

/// The pacer against models of displays and drivers, with films of all usual rates.
@Suite("Cadence laws")
struct CadenceLawTests {
    struct Film: CustomTestStringConvertible, Sendable {
        var rate: Double
        var testDescription: String { "\(rate) frames/s" }
    }

    static let films = [24 / 1.001, 24, 25, 30 / 1.001, 30, 48, 50, 60 / 1.001, 60, 120 / 1.001]
    /// How long a film is played, in seconds. Where its rate and the display's almost fit, by a whole or half number of
    /// refreshes for each frame, that is longer than 60 frames/s take to slip by a refresh at 59.94 Hz.
    static func length(film: Double, display: Double) -> Double {
        let halves = 2 * max(film, display) / min(film, display)
        let misfit = abs(halves - halves.rounded())
        return misfit > 1e-9 && misfit < 0.02 * halves ? 24 : 8
    }
    static let displays = [50, 60 / 1.001, 60, 75, 120 / 1.001, 143.98, 165]

    /// Plays a film and returns what the display showed.
    ///
    /// - Parameter nominalRate: what the window system says of the display.
    static func play(
        film rate: Double, on model: inout DisplayModel, nominalRate: Double? = 60, isAnimating: Bool = false,
        cost: Duration = .milliseconds(2), slowDraw: Int? = nil, seconds: Double? = nil
    ) -> (first: HostTime, steps: [HostTime]) {
        var pacer = FramePacer(refreshRate: nominalRate)
        let first = DisplayModel.origin + .milliseconds(307)
        func due(_ frame: Int) -> HostTime { first + .seconds(Double(frame) / rate) }
        var now = DisplayModel.origin
        var next = 0
        var reported = 0
        var pinged: Int64 = 0
        var steps: [HostTime] = []
        let end = first + .seconds(seconds ?? length(film: rate, display: model.rate))
        while now < end {
            // The display's reports that have come by now: of each refresh at first, then of shown frames.
            while pinged < 32, model.time(of: pinged) <= now {
                pacer.observe(.init(count: pinged, time: model.time(of: pinged) + model.lateness()))
                pinged += 1
            }
            while reported < model.shown.count, model.time(of: model.shown[reported].refresh) <= now {
                let (count, sent) = (model.shown[reported].refresh, model.shown[reported].sent)
                let refresh = DisplayClock.Refresh(count: count, time: model.time(of: count) + model.lateness())
                if count >= pinged { pacer.observe(refresh) }
                pacer.didShow(at: refresh, sent: sent)
                reported += 1
            }
            let frameDue = due(next)
            switch pacer.plan(now: now, frameDue: frameDue, isAnimating: isAnimating, needsRedraw: false, wake: nil) {
            case .sleep(let until):
                guard let until, until > now else {
                    Issue.record("the loop would not wake, or spins")
                    return (first, steps)
                }
                // Wake-ups come late as well.
                now = until + model.lateness() / 4
            case .draw(let visible, let framesBy):
                let began = now
                let swapTime = pacer.swapTime(frameDue: frameDue, framesBy: framesBy, visibleAt: visible, now: now)
                let before = next
                while due(next) <= framesBy { next += 1 }
                if next > before { pacer.didChoose(due: due(next - 1), visibleAt: visible) }
                now = model.drawBegins(at: now) + cost + model.lateness() / 2
                if steps.count == slowDraw { now = now + .milliseconds(60) }
                let drawn = now
                now = max(now, swapTime ?? now)
                let called = now
                now = model.swap(frame: next - 1, at: now)
                pacer.didSwap(
                    began: began, held: called - drawn, swapCalled: called, returned: now, visibleAt: visible)
                steps.append(visible)
            }
        }
        return (first, steps)
    }

    @Test(
        "On every display each frame stays for its own refreshes, whatever the driver waits for",
        arguments: films, displays)
    func lengths(film: Double, display: Double) {
        for (waits, depth) in [
            (DisplayModel.Waits.inSwap, 1),
            (.inNextDraw, 1), (.inNextDraw, 2), (.forQueue, 1), (.forQueue, 2),
            (.forQueue, 3),
        ] {
            for jitter in [Duration.zero, .milliseconds(2)] {
                var model = DisplayModel(rate: display, waits: waits, depth: depth, jitter: jitter, seed: 3)
                let (first, _) = Self.play(film: film, on: &model)
                let context: Comment = "waits \(waits), depth \(depth), jitter \(jitter)"
                Self.check(model.shown, film: film, display: model, first: first, context)
            }
        }
    }

    @Test(
        "If a compositor takes frames long before their refresh, each frame still has its own refreshes",
        arguments: films, [60, 143.98])
    func latches(film: Double, display: Double) {
        for latch in [0.3, 0.5, 0.6, 1, 1.2] {
            for jitter in [Duration.zero, .milliseconds(1)] {
                var model = DisplayModel(
                    rate: display, waits: .forQueue, depth: 3, jitter: jitter, latch: latch, seed: 3)
                let (first, _) = Self.play(film: film, on: &model, cost: .milliseconds(1))
                // It takes some frames to learn it.
                Self.check(
                    model.shown, film: film, display: model, first: first, settled: .seconds(3),
                    shifts: jitter == .zero ? 0 : 1,
                    "latch \(latch), jitter \(jitter)")
            }
        }
    }

    @Test(
        "What moves is sent at most 0.8 of a period before the compositor takes it",
        arguments: [0, 0.3, 0.5, 0.7])
    func latency(latch: Double) {
        var model = DisplayModel(
            rate: 60, waits: .forQueue, depth: 3, jitter: .milliseconds(1), latch: latch, seed: 3)
        _ = Self.play(film: 60, on: &model, isAnimating: true, cost: .milliseconds(1), seconds: 10)
        let settled = model.shown.dropFirst(120)
        let times = settled.map { model.time(of: $0.refresh) - $0.sent }
        #expect(times.max()! < .seconds((latch + 0.8) / 60))
    }

    @Test(
        "What moves does not stop, however early the compositor takes frames and however slow they are drawn",
        arguments: [50, 60, 143.98], [0, 0.3, 0.6, 1])
    func slow(display: Double, latch: Double) {
        for share in [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.2] {
            var model = DisplayModel(
                rate: display, waits: .forQueue, depth: 3, jitter: .milliseconds(0.5), latch: latch, seed: 3)
            _ = Self.play(
                film: 24, on: &model, isAnimating: true, cost: .seconds(share / display), slowDraw: 200, seconds: 10)
            let times = [DisplayModel.origin] + model.shown.map { model.time(of: $0.refresh) }
            let gaps = zip(times, times.dropFirst()).map { ($1 - $0).inSeconds * display }
            // The slow draw takes up to 9 refreshes.
            #expect(gaps.max()! < 13, "a draw takes \(share) of a refresh")
            let expected = 10 * display / max(1, share.rounded(.up))
            #expect(Double(model.shown.count) > expected * 0.85, "a draw takes \(share) of a refresh")
        }
    }

    /// Checks that each frame is seen within 0.6 of a refresh of its time, in order; that none is left out that has a
    /// refresh of its own; and that lengths change only where the rates' difference demands it.
    ///
    /// - Parameters:
    ///   - settled: How long after the first frame the law begins to hold.
    ///   - shifts: How often all further frames may move by a refresh, for a film that lies between two.
    static func check(
        _ shown: [DisplayModel.Shown], film: Double, display: DisplayModel, first: HostTime,
        settled: Duration = .seconds(1), shifts: Int = 0,
        _ context: Comment
    ) {
        let start = first + settled
        var frames: [DisplayModel.Shown] = []
        for entry in shown where entry.frame >= 0 && frames.last?.frame != entry.frame { frames.append(entry) }
        frames.removeAll { display.time(of: $0.refresh) < start }
        let played = length(film: film, display: display.rate)
        #expect(Double(frames.count) > (played - 1 - settled.inSeconds) * min(film, display.rate), context)
        let ratio = display.rate / film
        // The jitter of reports is seen as a constant shift of at most half of it, and a wandering of a quarter.
        let tolerance = FrameCadence.limit / display.rate + display.jitter.inSeconds * 0.75 + 1e-5
        var (worst, skipped, wrong) = (0.0, 0, 0)
        var odd: [Int] = []
        for (index, entry) in frames.enumerated() {
            let due = first + .seconds(Double(entry.frame) / film)
            worst = max(worst, abs((display.time(of: entry.refresh) - due).inSeconds))
            guard index > 0 else { continue }
            let before = frames[index - 1]
            skipped += entry.frame - before.frame - 1
            let length = Double(entry.refresh - before.refresh)
            let due2 = Double(entry.frame - before.frame)
            if abs(length - ratio * due2) >= 1 { wrong += 1 }
            // Near a whole ratio only the slip changes the length.
            if film <= display.rate * 1.001, abs(ratio - ratio.rounded()) < 0.02 * ratio, length != ratio.rounded() {
                odd.append(index)
            }
        }
        #expect(worst <= tolerance, context)
        #expect(wrong <= shifts, context)
        let span = Double(frames[frames.count - 1].refresh - frames[0].refresh) / display.rate
        #expect(abs(Double(skipped) - max(0, film - display.rate) * span) <= (film > display.rate ? 1.5 : 0), context)
        let slips = abs(ratio - ratio.rounded()) * film * span
        if film <= display.rate * 1.001, abs(ratio - ratio.rounded()) < 0.02 * ratio {
            #expect(Double(odd.count) <= slips.rounded(.up) + (slips > 0.01 ? 1 : 0) + Double(shifts), context)
        }
    }
}
