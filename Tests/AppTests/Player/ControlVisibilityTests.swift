import GlissadeControls
import GlissadeGeometry
import GlissadeGestures
import GlissadeLayers
import Testing
import GlissadeTime

@testable import GlissadeApp

/// The value under test, which `#expect` may change.
private final class Visibility {
    var value = ControlVisibility()
    var isShown: Bool { value.isShown }
    var deadline: HostTime? { value.deadline }
    func wake(now: HostTime) -> Bool { value.wake(now: now) }
    func advance(to now: HostTime) -> Bool { value.advance(to: now) }
    func set(_ hold: ControlVisibility.Hold, _ isOn: Bool, now: HostTime) { value.set(hold, isOn, now: now) }
}

/// When the controls are to be seen.
@Suite("Control visibility")
struct ControlVisibilityTests {
    private let second = Duration.seconds(1)
    private func at(_ seconds: Int, _ nanoseconds: Int64 = 0) -> HostTime {
        HostTime(nanoseconds: Int64(seconds) * 1_000_000_000 + nanoseconds)
    }

    @Test("Pointer and key input shows the controls and keeps them visible")
    func comes() {
        let visibility = Visibility()
        #expect(!visibility.isShown && visibility.deadline == nil)
        #expect(!visibility.advance(to: at(100)))
        #expect(visibility.wake(now: at(100)))
        for time in 101...110 {
            let goes = visibility.advance(to: at(time))
            let comes = visibility.wake(now: at(time))
            #expect(!goes && !comes, "they were there")
        }
        #expect(visibility.isShown && visibility.deadline == at(113))
    }

    @Test("The controls hide exactly 3 s after the last pointer or key input")
    func goes() {
        let visibility = Visibility()
        _ = visibility.wake(now: at(10))
        #expect(!visibility.advance(to: at(13, -1)) && visibility.isShown)
        #expect(visibility.advance(to: at(13)) && !visibility.isShown)
        #expect(!visibility.advance(to: at(14)), "they go once")
    }

    @Test(
        "The controls never hide during a drag or a page transition, with an open menu, at the end, or under the pointer",
        arguments: [ControlVisibility.Hold.drag, .menu, .page, .end, .pointer])
    func held(hold: ControlVisibility.Hold) {
        let visibility = Visibility()
        _ = visibility.wake(now: at(0))
        visibility.set(hold, true, now: at(1))
        #expect(visibility.deadline == nil)
        #expect(!visibility.advance(to: at(1_000_000)) && visibility.isShown)
        visibility.set(hold, true, now: at(1_000_001))
        visibility.set(hold, false, now: at(1_000_002))
        #expect(visibility.deadline == at(1_000_005), "then they stay as long as after a move of the pointer")
    }

    @Test("Holds keep the controls visible until the last one has ended")
    func twoHolds() {
        let visibility = Visibility()
        _ = visibility.wake(now: at(0))
        visibility.set(.drag, true, now: at(1))
        visibility.set(.menu, true, now: at(2))
        visibility.set(.drag, false, now: at(3))
        #expect(visibility.deadline == nil && !visibility.advance(to: at(60)))
        visibility.set(.menu, false, now: at(61))
        #expect(visibility.deadline == at(64))
    }

    @Test("Neither the start nor the end of a hold shows the controls")
    func holdAlone() {
        let visibility = Visibility()
        visibility.set(.page, true, now: at(1))
        visibility.set(.page, false, now: at(2))
        #expect(!visibility.isShown && visibility.deadline == nil)
    }

    @Test("The time before the controls hide can be set")
    func timeout() {
        let visibility = Visibility()
        visibility.value.timeout = .milliseconds(500)
        _ = visibility.wake(now: at(0))
        #expect(visibility.deadline == at(0, 500_000_000))
    }
}

/// The same on the page, by real input.
@Suite("Controls appearing and hiding")
@MainActor struct ControlsComingAndGoingTests {
    private func standing(_ settings: String? = nil) throws -> SteppedProgram {
        try SteppedProgram.film(Films.plain(), settings: settings)
    }

    @Test("The controls appear when the pointer moves and hide 3 s after it rests")
    func pointer() throws {
        let program = try standing()
        #expect(try !program.page.areControlsShown)
        try program.showControls()
        let deadline = try #require(try program.page.visibility.deadline)
        let page = try program.page
        #expect(!page.advance(to: deadline - .nanoseconds(1), isMoving: false) || page.areControlsShown)
        #expect(page.areControlsShown)
        #expect(page.advance(to: deadline, isMoving: false))
        #expect(!page.areControlsShown)
        program.pass(.seconds(4))
        #expect(page.controls.layer.isHidden, "they have faded")
        #expect(!program.icons.contains(.pause) && !program.icons.contains(.back))
    }

    @Test("A key keeps visible controls visible, and Tab shows them")
    func keys() throws {
        let program = try standing()
        program.type("m")
        #expect(try !program.page.areControlsShown, "a key that is a command shows what it did, not all controls")
        program.press(.tab)
        #expect(try program.page.areControlsShown)
        program.pass(.seconds(2))
        program.type("m")
        program.pass(.seconds(2))
        #expect(try program.page.areControlsShown)
        program.pass(.seconds(2))
        #expect(try !program.page.areControlsShown)
    }

    @Test("The controls stay while the progress bar is dragged, however long")
    func scrubbing() throws {
        let program = try standing()
        try program.showControls()
        program.press(at: try program.place(onBar: 0.4))
        program.pass(.seconds(30))
        #expect(try program.page.areControlsShown)
        program.release(at: try program.place(onBar: 0.4))
        program.move(to: Point(x: 300, y: 100))
        program.pass(.seconds(2))
        #expect(try program.page.areControlsShown)
        program.pass(.seconds(2))
        #expect(try !program.page.areControlsShown)
    }

    @Test("The controls stay while the volume is dragged, however long")
    func volume() throws {
        let program = try SteppedProgram.film()
        try program.showControls()
        let place = program.place(of: try program.controls.volume.layer)
        program.press(at: place)
        #expect(try program.controls.volume.isDragged)
        program.pass(.seconds(30))
        #expect(try program.page.areControlsShown)
        program.release(at: place)
        program.move(to: Point(x: 300, y: 100))
        program.pass(.zero)
        program.pass(.seconds(4))
        #expect(try !program.page.areControlsShown)
    }

    @Test("The controls stay while a menu is open and hide 3 s after it closes")
    func menu() throws {
        let program = try standing()
        try program.showControls()
        program.click(program.place(of: try program.controls.speed.layer))
        try program.run("the menu") { $0.texts.contains("Normal") }
        program.pass(.seconds(30))
        #expect(try program.page.areControlsShown)
        program.press(.escape)
        program.move(to: Point(x: 300, y: 100))
        program.pass(.milliseconds(2900))
        #expect(try program.page.areControlsShown)
        program.pass(.milliseconds(200))
        #expect(try !program.page.areControlsShown)
    }

    @Test("The controls stay while the page is dragged aside")
    func aside() throws {
        let program = try standing()
        try program.showControls()
        program.drag(from: Point(x: 200, y: 200), to: Point(x: 400, y: 200))
        #expect(program.application.stack.isHeld)
        program.pass(.seconds(30))
        #expect(try program.page.areControlsShown)
    }

    @Test("The controls and the preview stay while the pointer is over a control, and hide 3 s after it leaves")
    func overControl() throws {
        let program = try standing()
        try program.showControls()
        program.move(to: try program.place(onBar: 0.5))
        program.pass(.seconds(30))
        #expect(try program.page.areControlsShown && program.page.preview.isShown)
        program.move(to: program.place(of: try program.controls.fullscreen.layer))
        program.pass(.seconds(30))
        #expect(try program.page.areControlsShown && !program.page.preview.isShown)
        program.move(to: Point(x: 300, y: 100))
        program.pass(.milliseconds(2900))
        #expect(try program.page.areControlsShown)
        program.pass(.milliseconds(200))
        #expect(try !program.page.areControlsShown)
    }

    @Test("A button that moves away from under a resting pointer no longer keeps the controls visible")
    func movedButton() throws {
        let program = try standing()
        try program.showControls()
        program.move(to: program.place(of: try program.controls.fullscreen.layer))
        program.pass(.seconds(30))
        #expect(try program.page.areControlsShown)
        try program.resize(to: PixelSize(width: 1280, height: 960))
        program.draw()
        program.pass(.milliseconds(3200))
        #expect(try !program.page.areControlsShown)
    }

    @Test("A button that vanishes under the pointer no longer keeps the controls visible")
    func vanishedButton() throws {
        let program = try standing()
        try program.showControls()
        let button = program.place(of: try program.controls.centre.layer)
        program.move(to: button)
        program.pass(.seconds(30))
        #expect(try program.page.areControlsShown)
        program.click(button)
        try program.run("it plays") { try $0.controls.centre.layer.isHidden }
        program.pass(.zero)
        program.pass(.seconds(4))
        #expect(try !program.page.areControlsShown)
    }

    @Test("At the end of a film the controls appear and stay, and hide when it plays again")
    func end() throws {
        let program = try SteppedProgram.film(Films.plain(), isPaused: false)
        try program.player.seek(to: .seconds(59), now: program.now)
        try program.run("the end") { try $0.player.state == .ended }
        #expect(try program.page.areControlsShown)
        program.pass(.seconds(60))
        #expect(try program.page.areControlsShown && program.controls.isShown && program.icons.contains(.play))
        program.type("p")
        try program.run("it plays") { try $0.player.isRunning && $0.player.state == .playing }
        program.pass(.seconds(4))
        #expect(try !program.page.areControlsShown)
    }

    @Test("The page of a film that has ended shows the controls when it is opened again", arguments: [false, true])
    func openedAtEnd(isSeenEnding: Bool) throws {
        let program = try SteppedProgram.film(Films.plain(), isPaused: false)
        func goBack() throws {
            program.press(.escape)
            try program.settle()
            try program.run("the mini player") { $0.application.miniPlayers.count == 1 }
        }
        if !isSeenEnding { try goBack() }
        try program.player.seek(to: .seconds(59), now: program.now)
        try program.run("the end") { try $0.player.state == .ended }
        if isSeenEnding { try goBack() }
        program.application.pageControllers.navigator.bringPlayer(animated: true, now: program.now)
        try program.settle()
        program.pass(.seconds(60))
        #expect(try program.page.areControlsShown && program.controls.isShown && program.icons.contains(.play))
    }

    @Test("The progress bar goes on while the page is dragged aside")
    func progressAside() throws {
        let program = try SteppedProgram.film(Films.plain(), isPaused: false)
        try program.showControls()
        program.drag(from: Point(x: 200, y: 200), to: Point(x: 400, y: 200))
        let first = try program.controls.progress.shownValue
        // The film is a minute long.
        try program.run("two seconds have passed") { try $0.controls.progress.shownValue > first + 2.0 / 60 }
        #expect(program.application.stack.isHeld)
    }

    @Test("A changed hide delay in the settings file takes effect at once")
    func timeout() throws {
        let scene = try Scene()
        let settings = try scene.write("[interface]\ncontrols-timeout = 7\n", to: "config.toml")
        let program = try standing(settings)
        try program.run("the settings") { try $0.page.visibility.timeout == .seconds(7) }
        try program.showControls()
        program.pass(.seconds(6))
        #expect(try program.page.areControlsShown)
        program.pass(.seconds(2))
        #expect(try !program.page.areControlsShown)
        try scene.write("[interface]\ncontrols-timeout = 0.5\n", to: "config.toml")
        try program.run("the new settings") { try $0.page.visibility.timeout == .milliseconds(500) }
    }
}
