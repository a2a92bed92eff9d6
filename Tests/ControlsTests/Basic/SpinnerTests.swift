import GlissadeGeometry
import GlissadeLayers
import Testing
import GlissadeTime

@testable import GlissadeControls

@Suite("Spinner") @MainActor struct SpinnerTests {
    private let spinner = Spinner()
    private let start = HostTime(nanoseconds: 1_000_000_000)

    init() { spinner.layout(Rect(x: 100, y: 50, width: 80, height: 40)) }

    private func after(_ milliseconds: Int) -> HostTime { start + .milliseconds(milliseconds) }

    /// The number of the brightest dot.
    private var brightest: Int? { spinner.dots.indices.max { spinner.dots[$0].opacity < spinner.dots[$1].opacity } }

    @Test("The spinner appears after a wait of 300 ms")
    func delay() {
        spinner.setWanted(true, now: start)
        #expect(spinner.nextWake == after(300) && !spinner.isAnimating)
        #expect(!spinner.advance(to: after(299)))
        #expect(spinner.layer.isHidden)
        #expect(spinner.advance(to: after(300)))
        #expect(!spinner.layer.isHidden && spinner.isAnimating)
        spinner.advance(to: after(450))
        #expect(spinner.layer.seen(at: after(450)) == 1 && !spinner.isAnimating)
    }

    @Test("A shorter wait shows nothing, and each wait has its own delay")
    func shortWait() {
        spinner.setWanted(true, now: start)
        spinner.setWanted(false, now: after(250))
        #expect(spinner.nextWake == nil)
        spinner.advance(to: after(400))
        spinner.setWanted(true, now: after(400))
        spinner.setWanted(true, now: after(600))
        #expect(spinner.nextWake == after(700))
        #expect(spinner.layer.isHidden)
    }

    @Test("The bright dot moves clockwise one step each 83 ms, without frames in between")
    func turning() {
        spinner.setWanted(true, now: start)
        spinner.advance(to: after(300))
        #expect(brightest == 0)
        spinner.advance(to: after(460))
        var seen: [Int?] = []
        var now = after(460)
        for _ in 0..<12 {
            #expect(!spinner.isAnimating && !spinner.advance(to: now))
            guard let wake = spinner.nextWake else { break }
            #expect(wake > now && wake - now <= .milliseconds(83))
            now = wake
            #expect(spinner.advance(to: now))
            seen.append(brightest)
        }
        #expect(seen == [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0, 1])
        #expect(Set(spinner.dots.map(\.opacity)).count == 12)
    }

    @Test("When the wait is over the spinner fades and hides, and a new wait meanwhile shows it without delay")
    func going() {
        spinner.setWanted(true, now: start)
        spinner.advance(to: after(300))
        spinner.advance(to: after(500))
        spinner.setWanted(false, now: after(500))
        let half = spinner.layer.seen(at: after(575))
        #expect(spinner.isAnimating && half > 0 && half < 1)
        spinner.setWanted(true, now: after(575))
        #expect(spinner.layer.seen(at: after(575)) == half)
        spinner.advance(to: after(800))
        #expect(spinner.layer.seen(at: after(800)) == 1)
        spinner.setWanted(false, now: after(800))
        #expect(spinner.advance(to: after(950)))
        #expect(spinner.layer.isHidden && spinner.nextWake == nil && !spinner.isAnimating)
        #expect(!spinner.advance(to: after(960)))
    }

    @Test("The dots lie on a centered circle on whole points, and the spinner takes no input")
    func layout() {
        #expect(spinner.dots[0].frame == Rect(x: 37, y: 0, width: 6, height: 6))
        #expect(spinner.dots[3].frame == Rect(x: 54, y: 17, width: 6, height: 6))
        #expect(spinner.dots[6].frame == Rect(x: 37, y: 34, width: 6, height: 6))
        #expect(spinner.dots[9].frame == Rect(x: 20, y: 17, width: 6, height: 6))
        for dot in spinner.dots {
            let (dx, dy) = (dot.frame.minX + 3 - 40, dot.frame.minY + 3 - 20)
            #expect(abs((dx * dx + dy * dy).squareRoot() - 17) < 1)
        }
        #expect(spinner.layer.hitTest(Point(x: 140, y: 70), at: .zero) == nil)
    }

    @Test("Empty frames and revolutions of no time do not trap")
    func nonsense() {
        for value in [Double.nan, .infinity, 0, -4] {
            spinner.layout(Rect(x: 0, y: 0, width: value, height: value))
        }
        var style = Spinner.Style()
        style.turn = .seconds(-1)
        style.delay = .seconds(-1)
        let hasty = Spinner(style: style)
        hasty.setWanted(true, now: start)
        hasty.advance(to: start)
        hasty.advance(to: after(-500))
        #expect(hasty.nextWake.map { $0 > start } == true)
    }
}
