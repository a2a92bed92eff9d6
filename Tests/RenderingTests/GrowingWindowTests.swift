import CGLES
import Motion
import Rendering
import Stage
import Testing
import Witnessing

@testable import Windowing

/// The first frame of a window that has grown around what it shows, to fullscreen, where the CPU draws.
@MainActor @Suite(.serialized) struct GrowingWindowTests {
    private static let square = (x: 700, y: 400, grey: 153)

    /// A square, and perhaps a film, which has no picture: black.
    private func items(_ film: PixelRect?) -> [DisplayList.Item] {
        let (x, y) = (Self.square.x, Self.square.y)
        let square = PixelRect(minX: x, minY: y, maxX: x + 10, maxY: y + 10)
        var items: [DisplayList.Item] = [.fill(square, Color(red: 0.6, green: 0.6, blue: 0.6))]
        if let film {
            items.append(
                .surface(SurfacePlacement(surface: SurfaceID(rawValue: 0), destination: film, clip: film)))
        }
        return items
    }

    @Test(
        "what it showed and the film come first, the rest with the next frame; managed or not",
        arguments: [false, true],
        [nil, PixelRect(minX: 480, minY: 290, maxX: 620, maxY: 380)])
    func window(isManaged: Bool, film: PixelRect?) throws {
        guard XDoTool.isUsable else { return }
        try Openbox.run(isManaged) { try window(film) }
    }

    private func window(_ film: PixelRect?) throws {
        let stand = try PartTests.Stand()
        let (window, seat, recorder) = (stand.window, stand.seat, stand.recorder)
        guard window.showsParts else {
            #expect(try !GLDevice().isSoftware, "where the CPU draws, by GLX, windows show parts")
            return
        }
        let home = window.area
        // With a film in it, so that each frame is swapped, and the driver has not looked at the size since.
        for _ in 0..<2 { try stand.present(items(PixelRect(minX: 9, minY: 9, maxX: 20, maxY: 20)), on: seat) }
        #expect(window.shownArea == nil && !seat.owesRest)
        window.setFullscreen(true)
        let screen = PixelRect(size: XDoTool.screenSize)
        func settles(_ area: PixelRect) -> Bool {
            SecondWindowTests.wait(window) {
                window.beginFrame() && window.area == area && window.pixelSize == area.size
                    && (window.shownArea != nil) == (area == screen)
            }
        }
        try #require(settles(screen), "\(window.area) \(window.fullscreen)")
        #expect(window.shownArea == home)
        recorder.shown = []
        let items = items(film)
        /// The greys at the film, the square, at what the window showed, and in the screen's corner.
        func greys() -> [UInt8] {
            [(500, 310), (Self.square.x + 5, Self.square.y + 5), (home.maxX - 1, home.maxY - 1), (3, 3)].map { x, y in
                stand.eyes.grey(x: x..<x + 1, y: y..<y + 1)?.first ?? 1
            }
        }
        let before = greys()
        try stand.present(items, on: seat)
        #expect(recorder.shown == [film?.union(home) ?? home])
        #expect(seat.owesRest && seat.hasNews)
        let black: UInt8 = film == nil ? 51 : 0
        #expect(greys() == [black, before[1], black, before[3]])
        try stand.present(items, on: seat)
        #expect(!seat.owesRest && !seat.hasNews)
        #expect(recorder.shown.count == 2 && recorder.shown.last == (film == nil ? screen : .some(nil)))
        #expect(greys() == [black, UInt8(Self.square.grey), black, 51])
        // On the way back there is less to draw than there was.
        window.setFullscreen(false)
        try #require(settles(home), "\(window.area) \(window.fullscreen)")
        recorder.shown = []
        try stand.present([], on: seat)
        #expect(!recorder.shown.isEmpty && recorder.shown.allSatisfy { $0 == nil } && !seat.owesRest)
        #expect(glGetError() == GLenum(GL_NO_ERROR))
        stand.main.makeCurrent()
    }

    @Test("the rest is drawn though nobody asks for it, and in one frame where it is little", arguments: [true, false])
    func loop(isLarge: Bool) throws {
        let stand = try PaneLoopTests.Stand()
        guard try GLDevice().isSoftware else { return }
        stand.client.panes = []
        let (surface, client) = (stand.surface, stand.client)
        let small = surface.pixelSize
        client.needsRedraw = true
        try stand.run { client in
            if client.presents == 1, surface.size == nil {
                surface.size = PixelSize(width: small.width * (isLarge ? 2 : 1) + 1, height: small.height + 1)
                surface.shownArea = PixelRect(size: small)
                client.needsRedraw = true
            }
            return client.presents == (isLarge ? 3 : 2)
        }
        #expect(client.presents == (isLarge ? 3 : 2) && client.composes == client.presents)
        #expect(surface.parts.first == (isLarge ? PixelRect(size: small) : nil))
        surface.makeCurrent()
    }
}
