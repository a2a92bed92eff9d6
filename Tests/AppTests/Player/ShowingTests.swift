import GlissadeGeometry
import Testing

@testable import GlissadeApp

@Suite("What the player's page shows") @MainActor struct ShowingTests {
    @Test("The placeholder is shown for audio and for a file that cannot be played, and never with the sign")
    func placeholder() {
        #expect(PlayerPage.Showing.cover(Rect(x: 0, y: 0, width: 1, height: 1)).hasPlaceholder)
        #expect(PlayerPage.Showing.placeholder.hasPlaceholder)
        for showing in [PlayerPage.Showing.nothing, .film, .floating] { #expect(!showing.hasPlaceholder) }
    }

    @Test("After playback the page shows nothing, but the sign of a floating video stays while the page leaves")
    func afterPlayback() {
        #expect(PlayerPage.Showing.floating.afterPlayback == .floating)
        for showing in [PlayerPage.Showing.nothing, .film, .placeholder, .cover(Rect(origin: .zero, size: .zero))] {
            #expect(showing.afterPlayback == .nothing)
        }
    }
}
