import GlissadeControls
import GlissadeGeometry
import GlissadeLayers
import Testing
import GlissadeTime

@testable import GlissadeApp

/// How the bar follows what plays.
@Suite("Position interpolator")
@MainActor struct PositionInterpolatorTests {
    private let bar = ProgressBar()

    init() { bar.layout(Rect(x: 0, y: 0, width: 1000, height: 20), scale: 1) }

    private func at(_ milliseconds: Int) -> HostTime { HostTime(nanoseconds: Int64(milliseconds) * 1_000_000) }

    private func figures(_ milliseconds: Int, isRunning: Bool = true, speed: Double = 1) -> PlayerStatus {
        var figures = PlayerStatus()
        figures.activity = isRunning ? .playing : .paused
        figures.isRunning = isRunning
        figures.position = .milliseconds(milliseconds)
        figures.length = .seconds(100)
        figures.speed = speed
        figures.isSeekable = true
        return figures
    }

    /// What is seen of a film of 100 s, in milliseconds.
    private var seen: Double { bar.shownValue * 100_000 }

    private func isNear(_ value: Double, _ expected: Double) -> Bool { abs(value - expected) < 1e-6 }

    @Test("Between two position reports, 0.25 s apart, the bar moves evenly")
    func even() {
        var position = PositionInterpolator()
        position.report(figures(10_000), to: bar, now: at(0))
        #expect(isNear(seen, 10_000))
        for time in stride(from: 0, through: 1000, by: 5) {
            if position.nextReport.map({ $0 <= at(time) }) == true {
                position.report(figures(10_000 + time), to: bar, now: at(time))
            }
            bar.advance(to: at(time))
            #expect(isNear(seen, Double(10_000 + time)), "at \(time) ms")
        }
        #expect(position.nextReport == at(1250))
    }

    @Test("At another playback speed the bar moves as fast as the video", arguments: [0.5, 2, 8])
    func speed(speed: Double) {
        var position = PositionInterpolator()
        position.report(figures(10_000, speed: speed), to: bar, now: at(0))
        bar.advance(to: at(100))
        #expect(isNear(seen, 10_000 + 100 * speed))
    }

    @Test("After some seconds without reports the bar is where the film is", arguments: [true, false])
    func unseen(isRunning: Bool) {
        var position = PositionInterpolator()
        position.report(figures(10_000), to: bar, now: at(0))
        bar.advance(to: at(100))
        position.report(figures(16_000, isRunning: isRunning), to: bar, now: at(6000))
        #expect(isNear(seen, 16_000))
        bar.advance(to: at(6100))
        #expect(isNear(seen, isRunning ? 16_100 : 16_000))
    }

    @Test("Reports that arrive early do not move the bar")
    func early() {
        var position = PositionInterpolator()
        position.report(figures(10_000), to: bar, now: at(0))
        position.report(figures(10_013), to: bar, now: at(10))
        bar.advance(to: at(20))
        #expect(isNear(seen, 10_020))
        #expect(position.nextReport == at(250))
    }

    @Test("Pausing stops the bar where it is drawn, to the last bit, not at the end of its animation")
    func pause() {
        var position = PositionInterpolator()
        position.report(figures(10_000), to: bar, now: at(0))
        // A frame was composed for a little later than the key came.
        bar.advance(to: at(116))
        let (before, edge) = (bar.shownValue, bar.layer.sublayers.map(\.frame))
        position.report(figures(10_100, isRunning: false), to: bar, now: at(100))
        for time in [116, 133, 250, 5000] {
            bar.advance(to: at(time))
            #expect(bar.shownValue == before)
            #expect(bar.layer.sublayers.map(\.frame) == edge)
        }
        #expect(position.nextReport == nil && bar.nextWake == nil)
        position.report(figures(10_100, isRunning: false), to: bar, now: at(6000))
        #expect(bar.shownValue == before)
    }

    @Test("Resuming continues without a jump, however long the pause")
    func resume() {
        var position = PositionInterpolator()
        position.report(figures(10_000), to: bar, now: at(0))
        bar.advance(to: at(100))
        position.report(figures(10_100, isRunning: false), to: bar, now: at(100))
        bar.advance(to: at(600_000))
        let before = bar.shownValue
        position.report(figures(10_100), to: bar, now: at(600_000))
        #expect(bar.shownValue == before)
        bar.advance(to: at(600_001))
        #expect(isNear(seen, 10_101))
        bar.advance(to: at(600_250))
        #expect(isNear(seen, 10_350))
    }

    @Test(
        "A seek removes the animation and puts the bar in place at once, playing or paused", arguments: [true, false])
    func seek(isRunning: Bool) {
        var position = PositionInterpolator()
        position.report(figures(10_000, isRunning: isRunning), to: bar, now: at(0))
        bar.advance(to: at(100))
        position.report(figures(70_000, isRunning: isRunning), to: bar, now: at(110))
        #expect(isNear(seen, 70_000))
        bar.advance(to: at(160))
        #expect(isNear(seen, isRunning ? 70_050 : 70_000))
        position.report(figures(5_000, isRunning: isRunning), to: bar, now: at(160))
        #expect(isNear(seen, 5_000))
    }

    @Test("A frame step while paused moves the bar, however little")
    func step() {
        var position = PositionInterpolator()
        position.report(figures(10_000, isRunning: false), to: bar, now: at(0))
        position.report(figures(10_040, isRunning: false), to: bar, now: at(100))
        #expect(isNear(seen, 10_040))
    }

    @Test("A report that is slightly early or late is caught up with evenly")
    func drift() {
        var position = PositionInterpolator()
        position.report(figures(10_000), to: bar, now: at(0))
        bar.advance(to: at(250))
        position.report(figures(10_200), to: bar, now: at(250))
        #expect(isNear(seen, 10_250), "no jump")
        bar.advance(to: at(500))
        #expect(isNear(seen, 10_450))
    }

    @Test("The next video starts with nothing of the one before")
    func reset() {
        var position = PositionInterpolator()
        position.report(figures(10_000), to: bar, now: at(0))
        position.report(figures(10_100, isRunning: false), to: bar, now: at(100))
        position.reset(bar, now: at(200))
        #expect(bar.shownValue == 0 && !bar.isPaused && position.nextReport == nil)
        position.report(figures(0), to: bar, now: at(300))
        bar.advance(to: at(400))
        #expect(isNear(seen, 100))
    }

    @Test("With an unknown or zero length the bar stays at its beginning", arguments: [nil, Duration.zero])
    func noLength(length: Duration?) {
        var figures = figures(10_000)
        figures.length = length
        var position = PositionInterpolator()
        position.report(figures, to: bar, now: at(0))
        bar.advance(to: at(1000))
        #expect(bar.shownValue == 0)
        #expect(figures.fraction(.seconds(1)) == 0)
    }
}

/// The same in the program, where the key comes between two frames.
@Suite("Progress bar while paused")
@MainActor struct PausedBarTests {
    @Test("Pausing stops the bar within the frame of the key press, and no device pixel moves after it")
    func pause() throws {
        let program = try SteppedProgram.film(Films.plain(), isPaused: false)
        try program.showControls()
        try program.run("a second") { try $0.position > .seconds(1) }
        program.draw()
        program.press(.space)
        #expect(try program.player.isPaused)
        let bar = try program.controls.progress
        let value = bar.shownValue
        program.draw()
        let edge = bar.layer.sublayers.map(\.frame)
        for _ in 1...5 {
            program.pass(.milliseconds(16))
            #expect(bar.shownValue == value)
            #expect(bar.layer.sublayers.map(\.frame) == edge)
        }
        program.press(.space)
        #expect(bar.shownValue == value, "resume goes on from there")
        program.draw()
        #expect(bar.shownValue - value < 0.01)
    }

    @Test("While paused, nothing asks for frames once the button has faded in")
    func rest() throws {
        let program = try SteppedProgram.film(Films.plain(), isPaused: false)
        try program.showControls()
        program.press(.space)
        try program.run("rest") { !$0.application.isAnimating && !$0.application.demand.window.needsRedraw }
        #expect(program.application.film?.nextFrameDue == nil)
    }
}
