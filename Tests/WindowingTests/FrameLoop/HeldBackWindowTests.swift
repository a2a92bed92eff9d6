import GlissadePlatform
import Testing
import GlissadeTime

@testable import GlissadePresentation

/// Windows whose frames the display holds back, as it does where they are covered, on another workspace or on a screen
/// that is off.
@MainActor @Suite("Windows that are not seen") struct HeldBackWindowTests {
    @Test("Nothing is drawn in a window that is held back, and its film's frames pass")
    func passes() throws {
        let stand = try SecondaryWindowTests.Stand()
        stand.client.secondaryWindows = []
        stand.client.wakes = false
        stand.surface.isHeldBack = true
        stand.client.isAnimating = true
        stand.client.shown.play(100)
        let began = HostTime.now()
        try stand.run { $0.shown.drops > 0 }
        #expect(stand.surface.swaps == 0 && stand.client.composes == 0)
        #expect(stand.client.shown.counted == stand.client.shown.drops, "the display did not take them")
        // It counts as unseen after a moment, not at the first frame that comes late.
        #expect(HostTime.now() - began >= .milliseconds(60))
    }

    @Test("A paused window that is held back is looked at a few times a second, and no more")
    func rests() throws {
        let stand = try SecondaryWindowTests.Stand()
        stand.client.secondaryWindows = []
        stand.client.wakes = false
        stand.surface.isHeldBack = true
        stand.client.needsRedraw = true
        let end = HostTime.now() + .seconds(1)
        try stand.run { _ in HostTime.now() >= end }
        #expect(stand.surface.swaps == 0)
        #expect((5...60).contains(stand.client.rounds))
    }

    @Test("Nothing is drawn while the window is about to change, and no frame of the film passes meanwhile")
    func changing() throws {
        let stand = try SecondaryWindowTests.Stand()
        stand.client.secondaryWindows = []
        stand.client.isAnimating = true
        stand.client.shown.play(100)
        var (left, rounds) = (0, 0)
        stand.surface.onShown = {
            guard stand.surface.swaps == 3 else { return }
            stand.surface.isChanging = true
            (left, rounds) = (stand.client.shown.framesLeft, stand.client.rounds)
        }
        try stand.run { client in
            if stand.surface.isChanging, client.rounds >= rounds + 10 {
                #expect(stand.surface.swaps == 3 && client.shown.framesLeft == left)
                stand.surface.isChanging = false
            }
            return stand.surface.swaps >= 6
        }
        #expect(left > 0 && stand.surface.swaps >= 6 && stand.client.shown.drops == 0)
    }

    @Test("When the display shows frames again, the window is drawn at once")
    func returns() throws {
        let stand = try SecondaryWindowTests.Stand()
        stand.client.secondaryWindows = []
        stand.client.wakes = false
        stand.surface.isHeldBack = true
        stand.client.needsRedraw = true
        let shown = HostTime.now() + .milliseconds(500)
        try stand.run { client in
            if HostTime.now() >= shown { stand.surface.isHeldBack = false }
            return client.presents > 0
        }
        // The loop looks ten times a second at least.
        #expect(stand.surface.swaps == 1)
        #expect(stand.client.presents == 1)
    }

    @Test("A window that is held back does not hold up another")
    func others() throws {
        let stand = try SecondaryWindowTests.Stand()
        stand.surface.isHeldBack = true
        stand.pane.showsFilm = true
        stand.client.isAnimating = true
        stand.client.wakes = false
        let began = HostTime.now()
        // Until the main window counts as unseen it takes the frames; from then on the other does.
        try stand.run { client in
            if client.shown.framesLeft == 0, stand.pane.presents == 0, HostTime.now() - began > .milliseconds(100) {
                client.shown.play(6)
            }
            return stand.pane.presents >= 6
        }
        #expect(stand.pane.presents == 6 && stand.client.shown.drops == 0)
        #expect(stand.surface.swaps == 0 && stand.client.composes == 0)
    }

    @Test("A window that is not seen stays so though the display takes a frame from it now and then")
    func staysUnseen() throws {
        let stand = try SecondaryWindowTests.Stand()
        let presenter = WindowPresenter(
            content: nil, surface: stand.surface, renderer: stand.pane.renderer)
        func isSeen(at milliseconds: Int) -> Bool {
            presenter.isSeen(at: HostTime(nanoseconds: 1_000_000_000 + Int64(milliseconds) * 1_000_000))
        }
        stand.surface.isHeldBack = true
        #expect(isSeen(at: 0) && isSeen(at: 59) && !isSeen(at: 60) && !isSeen(at: 990))
        // A server that makes up refreshes takes one frame.
        stand.surface.isHeldBack = false
        #expect(isSeen(at: 1000))
        stand.surface.isHeldBack = true
        #expect(!isSeen(at: 1001) && !isSeen(at: 1990))
        stand.surface.isHeldBack = false
        #expect(isSeen(at: 2000))
        // Seen again, the display takes each frame soon.
        stand.surface.isHeldBack = true
        #expect(!isSeen(at: 2001))
        stand.surface.isHeldBack = false
        #expect(isSeen(at: 2017))
        stand.surface.isHeldBack = true
        #expect(isSeen(at: 2018) && isSeen(at: 2077) && !isSeen(at: 2078))
    }

    @Test("A second window that is held back is left out, and the main window continues")
    func second() throws {
        let stand = try SecondaryWindowTests.Stand()
        stand.pane.screen.isHeldBack = true
        stand.pane.needsRedraw = true
        stand.pane.showsFilm = true
        stand.client.shown.play(6)
        try stand.run { $0.shown.framesLeft == 0 }
        #expect(stand.client.presents == 6)
        #expect(stand.pane.presents == 0 && stand.pane.screen.swaps == 0)
    }
}
