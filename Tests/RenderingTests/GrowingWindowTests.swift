import CGLES
import Glibc
import Motion
import Picture
import Rendering
import Stage
import Testing
import Witnessing

@testable import Windowing

/// The first frame of a window that has grown to fullscreen, where the CPU draws.
@MainActor @Suite(.serialized) struct GrowingWindowTests {
    private static let size = PixelSize(width: 96, height: 64)
    private static let place = PixelRect(minX: 500, minY: 300, maxX: 596, maxY: 364)
    private static let square = PixelRect(minX: 700, minY: 400, maxX: 710, maxY: 410)

    /// A window that was begun without a context; nil where OpenGL may be a GPU's work.
    private func open() throws -> (Window, DirectPictures)? {
        let corner = Point(x: Double(Self.place.minX), y: Double(Self.place.minY))
        var options = WindowOptions(title: "grows", size: Self.size.size, position: corner)
        options.isBorderless = true
        options.isFloating = true
        options.mayBeginDirect = true
        let window = try Window(options)
        guard let direct = window.direct else { return nil }
        window.show()
        let isThere = SecondWindowTests.wait(window) { window.x11?.isViewable != false && window.area == Self.place }
        try #require(isThere)
        return (window, direct)
    }

    private func film(_ rect: PixelRect) -> DisplayList.Item {
        .surface(SurfacePlacement(surface: SurfaceID(rawValue: 0), destination: rect, clip: rect))
    }

    /// One pixel of the screen.
    private func grey(_ x: Int, _ y: Int) throws -> UInt8? { try XScreen().grey(x: x..<x + 1, y: y..<y + 1)?.first }

    @Test(
        "where it was and the film are drawn first, with the background beside them, and the rest with the next frame",
        .enabled(if: XDoTool.isUsable, "no X display, or no xdotool"), arguments: [false, true],
        [
            nil, PixelRect(minX: 480, minY: 290, maxX: 620, maxY: 380),
            PixelRect(minX: 460, minY: 280, maxX: 540, maxY: 320),
        ])
    func grows(isManaged: Bool, film: PixelRect?) throws { try Openbox.run(isManaged) { try grows(film) } }

    private func grows(_ film: PixelRect?) throws {
        guard let (window, direct) = try open() else { return }
        // What it cannot paint has the driver begun.
        var list = DisplayList(viewport: Self.size)
        let clip = PixelRect(size: Self.size)
        list.items = [.box(BoxPlacement(destination: clip, clip: clip, cornerRadius: 9, gradient: Gradient(.white)))]
        direct.show(list) { _ in nil }
        try #require(SecondWindowTests.wait(window) { (try? window.settle()) == true })
        guard window.showsParts else {
            #expect(try !GLDevice().isSoftware, "where the CPU draws, by GLX, windows show parts")
            return
        }
        let recorder = PartTests.Recorder(window)
        let seat = FrameSeat(pane: nil, surface: recorder, compositor: Compositor(device: try GLDevice()))
        func present(_ items: [DisplayList.Item], on background: Color = .gray) throws {
            let times = try seat.present(
                compose: { $0.items = [.fill(PixelRect(size: $0.viewport), background)] + items },
                texture: { _ in nil }, willPresent: { _ in },
                catchUp: {
                    window.wait(until: .now())
                    return true
                })
            #expect(times != nil)
        }
        func settles(_ area: PixelRect) -> Bool {
            SecondWindowTests.wait(window) {
                window.beginFrame() && window.area == area && window.pixelSize == area.size
                    && (window.formerArea != nil) == (area != Self.place)
            }
        }
        // With a film in it, so that each frame is swapped, and the driver has not looked at the size since.
        for _ in 0..<2 { try present([self.film(PixelRect(minX: 9, minY: 9, maxX: 20, maxY: 20))], on: .white) }
        #expect(window.formerArea == nil && !seat.owesRest)
        let screen = PixelRect(size: XDoTool.screenSize)
        window.setFullscreen(true)
        try #require(settles(screen), "\(window.area) \(window.fullscreen)")
        #expect(window.formerArea == Self.place)
        recorder.shown = []
        let items =
            [.fill(Self.square, Color(red: 0.6, green: 0.6, blue: 0.6))] + (film.map { [self.film($0)] } ?? [])
        // At the film, where the window was, beside it all, and at the square.
        let places = [(505, 305), (Self.place.maxX - 1, Self.place.maxY - 1), (3, 3), (705, 405)]
        func greys() throws -> [UInt8?] { try places.map(grey) }
        func isBlack(_ index: Int) -> Bool {
            let (x, y) = places[index]
            return film?.contains(PixelRect(minX: x, minY: y, maxX: x + 1, maxY: y + 1)) ?? false
        }
        let drawn: [UInt8?] = [isBlack(0) ? 0 : 51, isBlack(1) ? 0 : 51, 51]
        try present(items)
        #expect(recorder.shown == [film?.union(Self.place) ?? Self.place])
        #expect(seat.owesRest && seat.hasNews)
        let first = try greys()
        #expect(first == drawn + [51])
        try present(items)
        #expect(!seat.owesRest && !seat.hasNews)
        #expect(recorder.shown.count == 2 && recorder.shown.last == (film == nil ? screen : .some(nil)))
        let second = try greys()
        #expect(second == drawn + [153])
        // On the way back there is less to draw than there was.
        window.setFullscreen(false)
        try #require(settles(Self.place), "\(window.area) \(window.fullscreen)")
        recorder.shown = []
        try present([])
        #expect(!recorder.shown.isEmpty && recorder.shown.allSatisfy { $0 == nil } && !seat.owesRest)
        #expect(glGetError() == GLenum(GL_NO_ERROR))
    }

    @Test(
        "what is painted without OpenGL is not painted where something else comes",
        .enabled(if: XDoTool.isUsable, "no X display, or no xdotool"))
    func painted() throws {
        guard let (window, direct) = try open() else { return }
        var list = DisplayList(viewport: Self.size)
        list.items = [.fill(PixelRect(size: Self.size), .white)]
        direct.show(list) { _ in nil }
        // A picture of another size waits for the driver: until then there is what there was.
        let texture = SurfaceTexture(device: .direct, direct: direct)
        let picture = TestPicture.noise(PictureFormat(size: PixelSize(width: 8, height: 8), layout: .rgb(.bgra)))
        try picture.withView { view throws(RenderingError) in try texture.upload(view) }
        let place = PixelRect(minX: 20, minY: 10, maxX: 50, maxY: 40)
        list.items = [.fill(PixelRect(size: Self.size), .gray), film(place), .fill(Self.place, .white)]
        direct.show(list) { _ in texture }
        let (left, top) = (Self.place.minX, Self.place.minY)
        #expect(try grey(left + 20, top + 10) == 255 && grey(left + 49, top + 39) == 255)
        #expect(try grey(left + 19, top + 10) == 51 && grey(left + 50, top + 39) == 51)
        #expect(try grey(left + 30, top + 9) == 51 && grey(left + 30, top + 40) == 51)
        withExtendedLifetime(window) {}
    }

    @Test(
        "pictures that were made in what the window lends are shown from there",
        .enabled(if: XDoTool.isUsable, "no X display, or no xdotool"))
    func lent() throws {
        guard let (window, direct) = try open() else { return }
        let texture = SurfaceTexture(device: .direct, direct: direct)
        let lender = try #require(texture.lender(for: Self.size))
        #expect(texture.lender(for: Self.size) === lender)
        let format = PictureFormat(size: Self.size, layout: .rgb(.bgra))
        var list = DisplayList(viewport: Self.size)
        list.items = [film(PixelRect(size: Self.size))]
        let (left, top) = (Self.place.minX, Self.place.minY)
        // More of them than rooms, two being made at any time; the last row differs.
        var waiting = lender.take(Self.size)
        var shown: UnsafeMutableRawPointer?
        for level in 1...9 {
            let room = try #require(waiting)
            memset(room, CInt(level * 20), Self.size.width * Self.size.height * 4)
            memset(room + Self.size.width * 4 * 63, CInt(level * 20 + 10), Self.size.width * 4)
            waiting = lender.take(Self.size)
            #expect(waiting != room && waiting != shown && room != shown)
            shown = room
            try texture.upload(
                PictureView(format: format, .init(base: UnsafeRawPointer(room), stride: Self.size.width * 4)))
            lender.giveBack(room)
            direct.show(list) { _ in texture }
            #expect(direct.isDirect && texture.directMemory?.bytes == room)
            #expect(try grey(left, top) == UInt8(level * 20) && grey(left + 95, top + 62) == UInt8(level * 20))
            #expect(try grey(left, top + 63) == UInt8(level * 20 + 10))
        }
        // One from elsewhere has a place of its own.
        let picture = TestPicture.noise(format)
        try picture.withView { view throws(RenderingError) in try texture.upload(view) }
        let own = try #require(texture.directMemory?.bytes)
        #expect((0..<4).allSatisfy { _ in lender.take(Self.size) != own })
        let samples = picture.planes[0].map { UInt8($0) }
        #expect(memcmp(own, samples, samples.count) == 0)
        withExtendedLifetime(window) {}
    }

    @Test("the rest is drawn though nobody asks for it, and in one frame where it is little", arguments: [true, false])
    func loop(isLarge: Bool) throws {
        let stand = try PaneLoopTests.Stand()
        guard try GLDevice().isSoftware else { return }
        stand.client.panes = []
        let (surface, client) = (stand.surface, stand.client)
        // As the window system has it first; then it is as large as what there is to draw into.
        let whole = surface.pixelSize
        let small = PixelSize(width: isLarge ? whole.width / 2 : whole.width - 1, height: whole.height - 1)
        surface.size = small
        client.needsRedraw = true
        var idleRounds = 0
        try stand.run { client in
            if client.presents == 1, surface.size != nil {
                surface.size = nil
                surface.formerArea = PixelRect(size: small)
                client.needsRedraw = true
            } else if client.presents > 1 {
                idleRounds += 1
            }
            // Long enough for a frame too many.
            return idleRounds > 5
        }
        #expect(client.presents == (isLarge ? 3 : 2))
        #expect(surface.parts == (isLarge ? [small, whole].map { PixelRect(size: $0) } : []))
        #expect(surface.filled == (isLarge ? [PixelRect(size: small)] : []))
        surface.makeCurrent()
    }
}
