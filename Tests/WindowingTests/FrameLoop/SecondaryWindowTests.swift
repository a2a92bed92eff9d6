import Foundation
import GlissadeGeometry
import GlissadeLayers
import GlissadePlatform
import GlissadeRendering
import Testing
import GlissadeTestSupport
import GlissadeTime

@testable import GlissadePresentation
@testable import GlissadeWindowing

/// The frame loop with a window beside its own, on real surfaces.
@MainActor @Suite("Secondary windows") struct SecondaryWindowTests {
    @Test("A secondary window's own clock draws it and not the main window")
    func clock() throws {
        let stand = try Stand()
        stand.pane.wake = .now()
        try stand.run { _ in stand.pane.presents >= 5 }
        #expect(stand.pane.presents >= 5)
        #expect(stand.client.composes == 0 && stand.surface.swaps == 0)
        #expect(stand.log.presentCount == 0 && stand.log.floatingCount == stand.pane.presents)
    }

    @Test("A video frame is taken once and drawn in each window that shows it", arguments: [true, false])
    func film(paneShows: Bool) throws {
        let stand = try Stand()
        stand.pane.showsFilm = paneShows
        stand.client.shown.play(6)
        try stand.run { $0.shown.framesLeft == 0 && $0.shown.nextFrameDue == nil }
        #expect(stand.client.presents == 6)
        #expect(stand.pane.presents == (paneShows ? 6 : 0), "a pane that says no is left alone")
        #expect(stand.client.shown.takeWasCurrent)
    }

    @Test("A video shown only in a secondary window does not draw the main window")
    func elsewhere() throws {
        let stand = try Stand()
        stand.client.showsFilm = false
        stand.pane.showsFilm = true
        stand.client.shown.play(6)
        try stand.run { $0.shown.framesLeft == 0 }
        #expect(stand.client.composes == 0 && stand.pane.presents == 6)
    }

    @Test("The display of the window that shows the video decides when frames are taken", arguments: [true, false])
    func displays(paneShows: Bool) throws {
        let stand = try Stand()
        (stand.surface.displayRate, stand.pane.screen.displayRate) = (60, 100)
        stand.pane.hasSurface = paneShows
        stand.pane.showsFilm = true
        stand.client.isAnimating = true
        let rate = paneShows ? 100.0 : 60
        stand.client.shown.play(.max)
        try stand.run { abs(($0.displayRate ?? 0) - rate) < 1 && stand.pane.presents > 20 }
        #expect(abs(try #require(stand.client.displayRate) - rate) < 1)
        #expect(stand.pane.presents > 20 && stand.client.presents > 0)
    }

    @Test("With the main window hidden a visible secondary window continues and gets its frames")
    func putAway() throws {
        let stand = try Stand()
        stand.surface.isShown = false
        stand.pane.showsFilm = true
        stand.client.needsRedraw = true
        stand.client.isAnimating = true
        stand.client.shown.play(6)
        try stand.run { $0.shown.framesLeft == 0 }
        #expect(stand.client.shown.drops == 0 && stand.client.composes == 0 && stand.surface.swaps == 0)
        #expect(stand.pane.presents == 6 && stand.client.shown.takeWasCurrent)
    }

    @Test("Frames are dropped only when no window is visible")
    func nobody() throws {
        let stand = try Stand()
        stand.surface.isShown = false
        stand.pane.screen.isShown = false
        stand.pane.needsRedraw = true
        stand.client.shown.play(6)
        try stand.run { $0.shown.drops > 0 }
        #expect(stand.client.presents == 0 && stand.pane.presents == 0)
        #expect(stand.client.shown.counted == 0, "nobody misses them")
    }

    @Test("An animating window with nothing to draw does not make the loop spin")
    func contradiction() throws {
        let stand = try Stand()
        stand.surface.isShown = false
        stand.pane.isAnimating = true
        try stand.run { _ in stand.pane.presents >= 3 }
        let began = HostTime.now()
        let before = stand.client.rounds
        stand.pane.isAnimating = false
        stand.pane.wake = nil
        try stand.run { $0.rounds > before + 8 }
        // A round each 50 ms, by the client's wake; spinning, eight take microseconds.
        #expect(HostTime.now() - began > .milliseconds(100))
    }

    @Test("A secondary window may appear and disappear within the loop and its own handler")
    func comesAndGoes() throws {
        let stand = try Stand()
        let (pane, client) = (stand.pane, stand.client)
        pane.screen.events = [.focusChanged(true), .closeRequested, .focusChanged(false)]
        pane.onEvent = { if pane.events.last == .closeRequested { client.secondaryWindows = [] } }
        client.shown.play(3)
        try stand.run { $0.shown.framesLeft == 0 }
        #expect(pane.events == [.focusChanged(true), .closeRequested], "what comes after its end is nobody's")
        #expect(pane.presents == 0)
        client.secondaryWindows = [pane]
        pane.needsRedraw = true
        try stand.run { _ in pane.presents == 1 }
        #expect(pane.presents == 1)
    }

    @Test("A frame drawn for an outdated geometry is not shown but drawn again")
    func outdated() throws {
        let stand = try Stand()
        stand.surface.answers = [false, false, true]
        stand.client.needsRedraw = true
        try stand.run { $0.presents == 1 }
        #expect(stand.client.composes == 3 && stand.surface.swaps == 1)
        // One that never stays is shown as it was found at last.
        stand.surface.answers = [Bool](repeating: false, count: 20)
        stand.client.needsRedraw = true
        try stand.run { $0.presents == 2 }
        #expect(stand.surface.swaps == 2)
    }

    @Test("A handler called between two attempts at a frame finds the loop's context current")
    func meanwhile() throws {
        let stand = try Stand()
        let (pane, client) = (stand.pane, stand.client)
        pane.needsRedraw = true
        pane.screen.answers = [false]
        var composes = 0
        pane.onCompose = {
            #expect(GLContext.current !== client.shown.context)
            composes += 1
            if composes == 1 { pane.screen.events = [.focusChanged(true)] }
        }
        var wasCurrent: Bool?
        pane.onEvent = { wasCurrent = GLContext.current === client.shown.context }
        try stand.run { _ in pane.presents == 1 }
        #expect(composes == 2 && wasCurrent == true)
    }

    @Test("A secondary window closed between two attempts at its frame is neither drawn nor logged")
    func closedMeanwhile() throws {
        let stand = try Stand()
        let (pane, client) = (stand.pane, stand.client)
        pane.needsRedraw = true
        pane.screen.answers = [false]
        pane.onCompose = { pane.screen.events = [.closeRequested] }
        pane.onEvent = { client.secondaryWindows = [] }
        try stand.run { $0.secondaryWindows.isEmpty }
        #expect(pane.events == [.closeRequested] && pane.presents == 0 && pane.screen.swaps == 0)
        #expect(stand.log.floatingCount == 0)
    }

    @Test("A window that fails to present ends the loop, be it the main or a secondary one", arguments: [true, false])
    func notShown(isMain: Bool) throws {
        var stand = try Stand()
        stand.pane.needsRedraw = true
        stand.client.needsRedraw = true
        let broken = SoftwareRenderer(output: BrokenOutput(), images: ImageCache())
        if isMain { stand.renderer = broken } else { stand.pane.renderer = broken }
        #expect(throws: RenderingError.presentation("it is gone")) { try stand.run { _ in false } }
        stand.surface.makeCurrent()
        #expect(stand.surface.swaps == (isMain ? 0 : 1) && stand.pane.screen.swaps == 0)
    }

    @Test("A client that cannot upload its frame ends the loop after drawing")
    func notBrought() throws {
        let stand = try Stand()
        let failure = RenderingError.allocation(PixelSize(width: 1, height: 1), code: 0x0505)
        stand.client.failure = failure
        stand.client.needsRedraw = true
        #expect(throws: failure) { try stand.run { _ in false } }
        #expect(stand.surface.swaps == 1)
    }

    @Test("A secondary window that always needs drawing is drawn once per tick")
    func restless() throws {
        let stand = try Stand()
        stand.pane.isRestless = true
        stand.pane.needsRedraw = true
        let began = HostTime.now()
        try stand.run { _ in stand.pane.presents == 13 }
        // Twelve ticks of 17 ms, less what drawing takes; without ticks they take a millisecond.
        #expect(HostTime.now() - began > .milliseconds(60))
    }

    @Test(
        "A hidden secondary window is woken at its requested time while another window is visible",
        arguments: [true, false])
    func unseen(mainIsSeen: Bool) throws {
        let stand = try Stand()
        stand.client.wakes = false
        stand.surface.isShown = mainIsSeen
        stand.pane.screen.isShown = false
        stand.pane.wake = .now()
        try stand.run { _ in stand.pane.wakings >= 3 }
        #expect(stand.pane.wakings == 3 && stand.pane.presents == 0)
    }

    @Test("A window may poll its geometry without drawing", arguments: [true, false])
    func looks(mainIsSeen: Bool) throws {
        let stand = try Stand()
        stand.client.wakes = false
        stand.surface.isShown = mainIsSeen
        stand.surface.nextGeometryPoll = .now() + .milliseconds(3)
        stand.pane.screen.nextGeometryPoll = .now() + .milliseconds(6)
        try stand.run { _ in stand.surface.looks + stand.pane.screen.looks == 2 }
        #expect(stand.surface.looks == 1 && stand.pane.screen.looks == 1)
    }

    @Test("The report counts secondary windows separately, and has null without any")
    func report() throws {
        func report(_ log: FrameLog) throws -> [String: Any] {
            let report = FrameReport(
                log,
                of: FrameReport.Run(
                    file: "film", renderer: "", window: PixelSize(width: 1, height: 1), scenario: "play",
                    started: .now()),
                film: FrameReport.Film())
            let json = try JSONSerialization.jsonObject(with: JSONEncoder().encode(report))
            return try #require(json as? [String: Any])
        }
        let log = FrameLog()
        log.recordUpload(.milliseconds(1))
        let before = try report(log)
        #expect(before["floating"] is NSNull)
        #expect((before["video"] as? [String: Any])?["uploaded"] as? Int == 1)
        log.recordFloatingPresent(draw: .milliseconds(2), swap: .milliseconds(1), interval: nil)
        var floating = try #require(try report(log)["floating"] as? [String: Any])
        #expect(Set(floating.keys) == ["present", "draw", "swap"])
        #expect((floating["present"] as? [String: Any])?["interval_ms"] is NSNull)
        log.recordFloatingPresent(draw: .milliseconds(2), swap: .milliseconds(1), interval: .milliseconds(40))
        floating = try #require(try report(log)["floating"] as? [String: Any])
        #expect((floating["present"] as? [String: Any])?["count"] as? Int == 2)
        let after = try report(log)
        #expect((after["present"] as? [String: Any])?["count"] as? Int == 0)
    }
}
