import Testing
import GlissadeTestSupport
import GlissadeTime

@testable import GlissadeDesktop

/// When the screen is kept from going dark.
@MainActor @Suite("Keeping the screen on", .serialized) struct ScreenSaverTests {
    private let scene: DesktopScene
    private var client: BusClient { scene.client }

    init() throws { scene = try DesktopScene() }

    private func calls(_ expected: [String]) throws -> Bool {
        _ = try client.wait { client.screenSaverCalls.count >= expected.count }
        return client.screenSaverCalls == expected
    }

    @Test("The screen is kept on while a video plays, and not while it is paused")
    func playing() throws {
        try client.becomeScreenSaver()
        #expect(try scene.start())
        #expect(try calls(["Inhibit"]))
        scene.state.status = .paused
        scene.publish()
        #expect(try calls(["Inhibit", "UnInhibit 7"]))
        scene.state.status = .playing
        scene.publish()
        #expect(try calls(["Inhibit", "UnInhibit 7", "Inhibit"]))
        scene.state.volume = 0.2
        scene.publish()
        scene.state = DesktopState()
        scene.publish()
        #expect(try calls(["Inhibit", "UnInhibit 7", "Inhibit", "UnInhibit 8"]))
    }

    @Test("Audio alone does not keep the screen on")
    func audio() throws {
        try client.becomeScreenSaver()
        scene.state.hasVideo = false
        #expect(try scene.start())
        scene.state.hasVideo = true
        scene.publish()
        #expect(try calls(["Inhibit"]))
    }

    @Test("A pause before the service has answered releases the inhibition when the answer comes")
    func quickPause() throws {
        try client.becomeScreenSaver()
        client.isSlow = true
        #expect(try scene.start())
        #expect(try calls(["Inhibit"]))
        scene.state.status = .paused
        scene.publish()
        // An answer to a later call shows that the pause was seen.
        try client.call(DesktopScene.name, "Play")
        try client.answerAtLast()
        #expect(try calls(["Inhibit", "UnInhibit 7"]))
    }

    @Test("Without a screen saver service a video plays as well, and one that appears later is asked then")
    func none() throws {
        #expect(try scene.start())
        try client.call(DesktopScene.name, "Next")
        #expect(scene.commands(1) == [.next])
        try client.becomeScreenSaver()
        #expect(try calls(["Inhibit"]))
        scene.state.status = .paused
        scene.publish()
        #expect(try calls(["Inhibit", "UnInhibit 7"]))
    }

    // MARK: - Another way

    private func portalCalls(_ expected: [String]) throws -> Bool {
        _ = try client.wait { client.portalCalls.count >= expected.count }
        return client.portalCalls == expected
    }

    private func inhibition(_ expected: ScreenInhibition) throws -> Bool {
        try client.wait { scene.session.screenInhibition == expected }
    }

    private static let asked = "Inhibit 8 plays a film"

    @Test("Without a screen saver service the portal is asked to prevent idling until a pause")
    func portal() throws {
        try client.becomePortal()
        #expect(try scene.start())
        #expect(try portalCalls([Self.asked]))
        #expect(try inhibition(.granted))
        scene.state.status = .paused
        scene.publish()
        #expect(try portalCalls([Self.asked, "Close 1"]))
        #expect(try inhibition(.undecided))
        scene.state.status = .playing
        scene.publish()
        #expect(try portalCalls([Self.asked, "Close 1", Self.asked]))
    }

    @Test("If there is a screen saver service the portal is not asked")
    func both() throws {
        try client.becomePortal()
        try client.becomeScreenSaver()
        #expect(try scene.start())
        #expect(try inhibition(.granted))
        scene.state.status = .paused
        scene.publish()
        #expect(try calls(["Inhibit", "UnInhibit 7"]))
        #expect(client.portalCalls == [])
    }

    @Test("If the screen saver service refuses, the portal is asked, and the service again after a pause")
    func refused() throws {
        try client.becomePortal()
        try client.becomeScreenSaver()
        client.refuses = true
        #expect(try scene.start())
        #expect(try inhibition(.unavailable))
        #expect(client.screenSaverCalls == ["Inhibit"])
        #expect(client.portalCalls == [Self.asked])
        scene.state.status = .paused
        scene.publish()
        #expect(try inhibition(.undecided))
        client.refuses = false
        scene.state.status = .playing
        scene.publish()
        #expect(try inhibition(.granted))
        #expect(client.screenSaverCalls == ["Inhibit", "Inhibit"])
        #expect(client.portalCalls == [Self.asked])
    }

    @Test("A screen saver service that appears takes over from the portal without a gap")
    func takesOver() throws {
        try client.becomePortal()
        #expect(try scene.start())
        #expect(try portalCalls([Self.asked]))
        client.isSlow = true
        try client.becomeScreenSaver()
        #expect(try calls(["Inhibit"]))
        // An answer to a later call shows that nothing was closed before.
        try client.call(DesktopScene.name, "Play")
        #expect(client.portalCalls == [Self.asked])
        try client.answerAtLast()
        #expect(try portalCalls([Self.asked, "Close 1"]))
        #expect(scene.session.screenInhibition == .granted)
    }

    @Test("The portal takes over from a screen saver service that disappears, and nobody takes over from the portal")
    func goes() throws {
        try client.becomePortal()
        try client.becomeScreenSaver()
        #expect(try scene.start())
        #expect(try inhibition(.granted))
        try client.leave("org.freedesktop.ScreenSaver")
        #expect(try portalCalls([Self.asked]))
        #expect(try inhibition(.granted))
        try client.leave("org.freedesktop.portal.Desktop")
        #expect(try inhibition(.unavailable))
        #expect(try client.connection.take("org.freedesktop.ScreenSaver"))
        #expect(try inhibition(.granted))
        #expect(client.screenSaverCalls == ["Inhibit", "Inhibit"])
    }

    @Test("An inhibition granted after the service lost its name is released, and its successor is asked")
    func successor() throws {
        try client.becomeScreenSaver()
        client.isSlow = true
        #expect(try scene.start())
        #expect(try calls(["Inhibit"]))
        try client.leave("org.freedesktop.ScreenSaver")
        let other = try BusClient(scene.server.address)
        try other.becomeScreenSaver()
        #expect(other.screenSaverCalls == [], "one call at a time")
        try client.answerAtLast()
        #expect(try other.wait { other.screenSaverCalls == ["Inhibit"] })
        #expect(try calls(["Inhibit", "UnInhibit 7"]))
        #expect(try other.wait { scene.session.screenInhibition == .granted })
    }

    @Test("A portal that reports a failure later on counts as unable")
    func failsLater() throws {
        try client.becomePortal()
        #expect(try scene.start())
        #expect(try inhibition(.granted))
        let program = try client.owner(of: DesktopScene.name)
        try client.failLastRequest(of: program)
        #expect(try inhibition(.unavailable))
        scene.state.status = .paused
        scene.publish()
        #expect(try inhibition(.undecided))
        #expect(client.portalCalls == [Self.asked])
    }

    // MARK: - Nobody

    @Test("If no service can keep the screen on, the main thread is woken to learn that while a video plays")
    func unavailable() throws {
        scene.state.status = .paused
        #expect(try scene.start())
        #expect(scene.session.screenInhibition == .undecided)
        scene.state.status = .playing
        scene.publish()
        #expect(woken { scene.session.screenInhibition == .unavailable })
        scene.state.status = .paused
        scene.publish()
        #expect(woken { scene.session.screenInhibition == .undecided })
    }

    /// Whether it becomes so, with nothing but the session's signal to wake this thread.
    private func woken(_ isSo: () -> Bool) -> Bool {
        let deadline = HostTime.now() + .seconds(20)
        while !isSo() {
            guard HostTime.now() < deadline else { return false }
            scene.signal.wait(until: deadline)
        }
        return true
    }

    @Test("Without a bus nobody keeps the screen on")
    func noBus() {
        let session = DesktopScene.session("unix:path=/nonexistent/bus", scene.signal)
        session.publish(scene.state, now: .now())
        #expect(session.screenInhibition == .undecided)
        session.start()
        #expect(woken { session.screenInhibition == .unavailable })
    }

    @Test("When the bus dies, nobody keeps the screen on any more")
    func busDies() throws {
        try client.becomeScreenSaver()
        #expect(try scene.start())
        #expect(try inhibition(.granted))
        scene.server.stop()
        #expect(woken { scene.session.screenInhibition == .unavailable })
    }

    @Test("A program that ends while a video plays leaves the bus, which releases its inhibitions")
    func ends() throws {
        try client.becomeScreenSaver()
        #expect(try scene.start())
        #expect(try inhibition(.granted))
        let program = try client.owner(of: DesktopScene.name)
        scene.session.stop()
        // The bus notices a closed connection some time after.
        #expect(eventually { (try? client.owner(of: program)) == nil })
        #expect(throws: BusClient.Refused.self) { try client.owner(of: program) }
    }
}
