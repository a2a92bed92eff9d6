import GlissadeGeometry
import GlissadeGestures
import GlissadeInput
import Testing
import GlissadeTime

@testable import GlissadeApp

/// What the lock keeps from happening.
@Suite("Lock on the player page") @MainActor struct LockTests {
    private static let message = "Locked: press Ctrl+l to unlock"
    private static let middle = Point(x: 320, y: 200)

    private func lock(_ program: SteppedProgram) throws {
        program.press(.character("l"), .control)
        #expect(try program.page.gestures.isLocked)
        try hide(program)
    }

    /// Waits until the message and the lock button are gone.
    private func hide(_ program: SteppedProgram) throws {
        program.pass(.seconds(5))
        try program.run("nothing over the picture") { try $0.told == nil && !$0.page.areControlsShown }
    }

    @Test(
        "While the player is locked, keys that leave the page or fullscreen only show the lock and how to unlock it",
        arguments: [false, true])
    func keys(isFullscreen: Bool) throws {
        let program = try SteppedProgram.film()
        if isFullscreen {
            program.type("f")
            try program.run("it is fullscreen") { $0.application.fullscreen.state == .fullscreen }
        }
        try lock(program)
        let keys: [(Key, Modifiers)] = [
            (.escape, []), (.left, .alt), (.home, .alt), (.right, .alt), (.character("f"), []), (.character("?"), []),
            (.character("o"), []),
        ]
        for (key, modifiers) in keys {
            program.press(key, modifiers)
            #expect(program.told == Self.message, "\(key)")
            #expect(try program.page.areControlsShown, "\(key)")
            try hide(program)
            #expect(program.application.stack.top === (try program.page) && !program.application.stack.isTransitioning)
            #expect(program.application.fullscreen.state == (isFullscreen ? .fullscreen : .inline), "\(key)")
        }
        program.press(.character("l"), .control)
        #expect(program.told == "Unlocked")
        program.press(.escape)
        try program.run("Escape leaves") {
            isFullscreen
                ? $0.application.fullscreen.state == .inline : $0.application.stack.top !== $0.application.playerPage
        }
    }

    @Test("Clicks on a locked video show the lock and how to unlock it, and a double click does nothing more")
    func clicks() throws {
        let program = try SteppedProgram.film()
        try lock(program)
        for _ in 0..<2 { program.click(Self.middle) }
        #expect(program.told == "Locked: click the lock to unlock")
        #expect(try program.page.areControlsShown)
        program.pass(.seconds(1))
        #expect(program.application.fullscreen.state == .inline)
    }

    @Test("The message names the key that is set, or the lock button if there is none")
    func otherKey() throws {
        let scene = try Scene()
        let settings = try scene.write("[keys]\n\"Ctrl+l\" = \"none\"\n\"F7\" = \"lock\"\n", to: "config.toml")
        let program = try SteppedProgram.film(settings: settings)
        program.press(.function(7))
        program.press(.escape)
        #expect(program.told == "Locked: press F7 to unlock")
        _ = try scene.write("[keys]\n\"Ctrl+l\" = \"none\"\n", to: "config.toml")
        try program.run("no key") { $0.application.settings.keys.count == 1 }
        program.press(.escape)
        #expect(program.told == "Locked: click the lock to unlock")
    }

    @Test("Keys for playback, volume and quitting work while the player is locked")
    func others() throws {
        let program = try SteppedProgram.film()
        try lock(program)
        program.type("m")
        #expect(try program.player.isMuted)
        program.press(.space)
        #expect(try !program.player.isPaused)
        program.type("q")
        #expect(program.application.isFinished)
    }
}
