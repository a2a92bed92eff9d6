import Motion
import TestSupport
import Testing

@testable import Desktop

/// When the screen is kept from going dark.
@MainActor @Suite(.serialized) struct ScreenSaverTests {
    private let scene: DesktopScene
    private var client: BusClient { scene.client }

    init() throws { scene = try DesktopScene() }

    private func calls(_ expected: [String]) throws -> Bool {
        _ = try client.wait { client.screenSaverCalls.count >= expected.count }
        return client.screenSaverCalls == expected
    }

    @Test("the screen stays on while a film plays, and not while it is paused")
    func playing() throws {
        try client.becomeScreenSaver()
        #expect(try scene.start())
        #expect(try calls(["Inhibit"]))
        scene.state.status = .paused
        scene.tell()
        #expect(try calls(["Inhibit", "UnInhibit 7"]))
        scene.state.status = .playing
        scene.tell()
        #expect(try calls(["Inhibit", "UnInhibit 7", "Inhibit"]))
        scene.state.volume = 0.2
        scene.tell()
        scene.state = DesktopState()
        scene.tell()
        #expect(try calls(["Inhibit", "UnInhibit 7", "Inhibit", "UnInhibit 8"]))
    }

    @Test("sound alone does not keep the screen on")
    func sound() throws {
        try client.becomeScreenSaver()
        scene.state.isFilm = false
        #expect(try scene.start())
        scene.state.isFilm = true
        scene.tell()
        #expect(try calls(["Inhibit"]))
    }

    @Test("a pause that comes before the answer gives back what comes with it")
    func quickPause() throws {
        try client.becomeScreenSaver()
        client.isSlow = true
        #expect(try scene.start())
        #expect(try calls(["Inhibit"]))
        scene.state.status = .paused
        scene.tell()
        // An answer to a later call shows that the pause was seen.
        try client.call(DesktopScene.name, "Play")
        try client.answerAtLast()
        #expect(try calls(["Inhibit", "UnInhibit 7"]))
    }

    @Test("without a screen saver a film plays as well, and one that comes later is asked then")
    func none() throws {
        #expect(try scene.start())
        try client.call(DesktopScene.name, "Next")
        #expect(scene.commands(1) == [.next])
        try client.becomeScreenSaver()
        #expect(try calls(["Inhibit"]))
        scene.state.status = .paused
        scene.tell()
        #expect(try calls(["Inhibit", "UnInhibit 7"]))
    }
}
