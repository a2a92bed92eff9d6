import GlissadeGeometry
import Testing
import GlissadeTime

@testable import GlissadeApp

@Suite("Pause sign") @MainActor struct PauseSignTests {
    private let sign = PauseSign()

    init() { sign.layout(Size(width: 640, height: 360), bottom: 0) }

    private func at(_ milliseconds: Int64) -> HostTime { HostTime(nanoseconds: milliseconds * 1_000_000) }

    private func show(_ activity: PlayerStatus.Activity, controls: Bool = false, elsewhere: Bool = false, _ time: Int64)
    {
        sign.show(activity, areControlsShown: controls, isElsewhere: elsewhere, now: at(time))
    }

    @Test("Pausing and going on are signed at once, and the sign is gone after 500 ms")
    func flashes() {
        show(.opening, 0)
        show(.playing, 10)
        #expect(sign.flashed == nil && sign.nextWake == nil)
        show(.paused, 1000)
        #expect(sign.flashed == .pause && sign.nextWake == at(1300))
        for time in stride(from: 1000, through: 1520, by: 10) as StrideThrough<Int64> { _ = sign.advance(to: at(time)) }
        #expect(sign.flashed == nil && !sign.isAnimating && sign.nextWake == nil)
        show(.playing, 2000)
        #expect(sign.flashed == .play)
        // Paused again while the sign is there.
        show(.paused, 2100)
        #expect(sign.flashed == .pause && sign.nextWake == at(2400))
    }

    @Test("Controls that say so take the place of the sign, and waiting for data is no pause")
    func controls() {
        show(.playing, 0)
        show(.paused, controls: true, 100)
        #expect(sign.flashed == nil)
        show(.paused, 3000)
        #expect(sign.flashed == nil)
        show(.playing, controls: true, 4000)
        #expect(sign.flashed == .play)
        show(.buffering, 4100)
        show(.reconnecting, 4200)
        #expect(sign.flashed == .play)
        show(.ended, 4300)
        #expect(sign.flashed == nil)
        // Another film that begins paused was not paused by anybody.
        show(.opening, 5000)
        show(.paused, 5100)
        #expect(sign.flashed == nil)
    }

    @Test("Space signs the pause on the page, without the controls")
    func page() throws {
        let program = try SteppedProgram.film(Films.plain(), isPaused: false)
        let page = try program.page
        try program.run("the film") { $0.shown.map { $0 > .zero } == true }
        program.press(.space)
        program.draw()
        #expect(page.pauseSign.flashed == .pause && !page.areControlsShown)
        program.pass(.seconds(1))
        #expect(page.pauseSign.flashed == nil)
        program.move(to: Point(x: 300, y: 150))
        program.move(to: Point(x: 310, y: 150))
        #expect(page.areControlsShown)
        program.pass(.seconds(5))
        #expect(!page.areControlsShown)
        program.press(.space)
        program.draw()
        #expect(page.pauseSign.flashed == .play)
        program.pass(.seconds(5))
        #expect(!page.areControlsShown && page.pauseSign.flashed == nil)
    }

    @Test("A floating video has its own sign")
    func floating() {
        show(.playing, elsewhere: true, 0)
        show(.paused, elsewhere: true, 100)
        #expect(sign.flashed == nil)
    }
}
