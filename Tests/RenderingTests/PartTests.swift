import CGLES
import Host
import Motion
import Picture
import Rendering
import Stage
import Testing
import Witnessing

@testable import Windowing

/// Frames that are drawn over the last one, only where they differ from it.
@MainActor @Suite struct PartTests {
    private static let size = PixelSize(width: 96, height: 64)

    private static func rect(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> PixelRect {
        PixelRect(minX: x, minY: y, maxX: x + width, maxY: y + height)
    }

    private static func list(_ items: [DisplayList.Item], _ size: PixelSize = Self.size) -> DisplayList {
        var list = DisplayList(viewport: size)
        list.items = [.fill(PixelRect(size: size), .gray)] + items
        return list
    }

    /// Something of each kind, at a place.
    private static func items(at x: Int, _ y: Int, _ image: ImageID) -> [DisplayList.Item] {
        let light = Color(red: 0.9, green: 0.5, blue: 0.1, alpha: 0.7)
        let place = rect(x, y, 30, 22)
        return [
            .shadow(
                ShadowPlacement(
                    caster: place, clip: rect(x - 12, y - 12, 54, 46), blur: 8, cornerRadius: 5, color: light)),
            .box(
                BoxPlacement(
                    destination: place, clip: place, cornerRadius: 5,
                    gradient: Gradient(from: light, to: Color(red: 0, green: 0.4, blue: 0.8)))),
            .fill(rect(x + 8, y + 3, 9, 30), light),
            .image(
                ImagePlacement(
                    source: .image(image), destination: rect(x + 3, y + 4, 13, 9), clip: rect(x + 3, y + 4, 11, 9),
                    opacity: 0.8)),
        ]
    }

    @Test("drawn over what was there, a part looks like the whole", arguments: [(4, 5), (50, 20), (13, 9), (70, 50)])
    func part(x: Int, y: Int) throws {
        let canvas = try Canvas(Self.size.width, Self.size.height)
        let image = canvas.compositor.images.newID()
        let pixels = (0..<13 * 9 * 4).map { UInt8($0 % 251) }
        try canvas.compositor.images.set(image, Bitmap(size: PixelSize(width: 13, height: 9), pixels: pixels))
        func read() -> Pixels { Pixels(size: Self.size, bytes: canvas.device.readPixels(Self.size)) }
        let before = Self.list(Self.items(at: 10, 8, image))
        let after = Self.list(Self.items(at: x, y, image))
        try canvas.compositor.draw(after) { _ in nil }
        let whole = read()
        try canvas.compositor.draw(before) { _ in nil }
        let old = read()
        let part = try #require(after.changes(since: before))
        try canvas.compositor.draw(after, part: part) { _ in nil }
        #expect(read().largestError { whole[$0, $1] } <= 1)
        #expect(old.largestError { whole[$0, $1] } > 20, "there must be something to see")
        // And nothing else is touched.
        try canvas.compositor.draw(before) { _ in nil }
        let corner = Self.rect(0, 0, 9, 6)
        try canvas.compositor.draw(Self.list([.fill(PixelRect(size: Self.size), .white)]), part: corner) { _ in nil }
        let touched = read()
        #expect(
            touched.largestError { x, y in
                corner.contains(Self.rect(x, y, 1, 1)) ? SIMD3(repeating: 255) : old[x, y]
            } == 0)
        #expect(glGetError() == GLenum(GL_NO_ERROR))
    }

    @Test("what was drawn in the last whole frame stays, however many parts are drawn without it")
    func kept() throws {
        let canvas = try Canvas(Self.size.width, Self.size.height) { device in
            ImageTextures(device: device, byteLimit: 2 << 10)
        }
        let images = canvas.compositor.images
        let (seen, other) = (images.newID(), images.newID())
        func bitmap(_ grey: UInt8) -> Bitmap {
            Bitmap(size: PixelSize(width: 16, height: 16), pixels: [UInt8](repeating: grey, count: 16 * 16 * 4))
        }
        try images.set(seen, bitmap(200))
        func still(_ id: ImageID, _ place: PixelRect) -> DisplayList.Item {
            .image(ImagePlacement(source: .image(id), destination: place, clip: place))
        }
        let list = Self.list([still(seen, Self.rect(0, 0, 16, 16)), still(other, Self.rect(40, 30, 16, 16))])
        try canvas.compositor.draw(list) { _ in nil }
        for grey in 0..<20 {
            try images.set(other, bitmap(UInt8(grey)))
            try canvas.compositor.draw(list, part: Self.rect(40, 30, 16, 16)) { _ in nil }
        }
        #expect(images.has(seen) && images.has(other))
        // Past its limit, a frame without it lets it go.
        try canvas.compositor.draw(Self.list([still(other, Self.rect(40, 30, 16, 16))])) { _ in nil }
        try images.set(images.newID(), bitmap(1))
        try canvas.compositor.draw(Self.list([still(other, Self.rect(40, 30, 16, 16))])) { _ in nil }
        #expect(!images.has(seen) && images.has(other))
    }

    // MARK: - Windows

    /// A window that takes note of what it is told to show.
    final class Recorder: FrameSurface {
        let window: Window
        /// Nil for a swap.
        var shown: [PixelRect?] = []

        init(_ window: Window) { self.window = window }
        var pixelSize: PixelSize { window.pixelSize }
        var scale: Double { window.scale }
        var isVisible: Bool { window.isVisible }
        var swapBlocks: Bool? { window.swapBlocks }
        var refreshRate: Double? { window.refreshRate }
        var context: GLContext? { window.context }
        func makeCurrent() { window.makeCurrent() }
        func takeEvents(into taken: inout [WindowEvent]) { window.takeEvents(into: &taken) }
        func wait(until deadline: HostTime?) { window.wait(until: deadline) }
        func beginFrame() -> Bool { window.beginFrame() }
        var isCurrent: Bool { window.isCurrent }
        var showsParts: Bool { window.showsParts }
        var formerArea: PixelRect? { window.formerArea }
        func fill(around part: PixelRect, of size: PixelSize, _ color: Color) {
            window.fill(around: part, of: size, color)
        }
        func swap() {
            shown.append(nil)
            window.swap()
        }
        func show(_ part: PixelRect, of size: PixelSize) {
            shown.append(part)
            window.show(part, of: size)
        }
    }

    /// A window without a frame around it at a known place, above another.
    private struct Stand {
        let main: Window
        let mainSeat: FrameSeat
        let window: Window
        let recorder: Recorder
        let seat: FrameSeat
        let eyes: XScreen
        static let place = Point(x: 500, y: 300)

        @MainActor init() throws {
            main = try SecondWindowTests.main()
            let compositor = Compositor(device: try GLDevice())
            var options = WindowOptions(
                title: "parts", size: Size(width: Double(size.width), height: Double(size.height)),
                position: Self.place)
            options.isBorderless = true
            options.isFloating = true
            window = try Window(options, sharing: main)
            recorder = Recorder(window)
            mainSeat = FrameSeat(pane: nil, surface: main, compositor: compositor)
            window.makeCurrent()
            seat = FrameSeat(pane: nil, surface: recorder, compositor: Compositor(sharing: compositor))
            main.show()
            window.show()
            eyes = try XScreen()
            let (first, second) = (main, window)
            #expect(
                SecondWindowTests.wait(first) { first.x11?.isViewable != false && second.x11?.isViewable != false })
            settle()
        }

        /// Takes in what the window system says of both windows.
        @MainActor func settle() {
            var taken: [WindowEvent] = []
            for surface in [main, window] {
                surface.wait(until: .now() + .milliseconds(1))
                surface.takeEvents(into: &taken)
            }
        }

        @MainActor func present(_ items: [DisplayList.Item], on seat: FrameSeat) throws {
            let times = try seat.present(
                compose: { $0.items = [.fill(PixelRect(size: $0.viewport), .gray)] + items }, texture: { _ in nil },
                willPresent: { _ in },
                catchUp: {
                    settle()
                    return true
                })
            #expect(times != nil)
        }

        /// What is on the screen where the window is.
        @MainActor func grey(_ size: PixelSize) -> [UInt8] {
            let (x, y) = (Int(Self.place.x), Int(Self.place.y))
            return eyes.grey(x: x..<x + size.width, y: y..<y + size.height) ?? []
        }
    }

    private static func square(_ x: Int, _ y: Int, _ grey: Int) -> DisplayList.Item {
        let part = Double(grey) / 255
        return .fill(rect(x, y, 10, 10), Color(red: part, green: part, blue: part))
    }

    private static func expected(_ squares: [(Int, Int, Int)], _ size: PixelSize) -> [UInt8] {
        var pixels = [UInt8](repeating: 51, count: size.width * size.height)
        for (left, top, grey) in squares {
            for y in top..<top + 10 { for x in left..<left + 10 { pixels[y * size.width + x] = UInt8(grey) } }
        }
        return pixels
    }

    @Test(
        "in a window, only what has changed is shown, and the screen has all of it, whatever is drawn elsewhere meanwhile",
        .enabled(if: XDoTool.isUsable, "no X display, or no xdotool"))
    func window() throws {
        let stand = try Stand()
        guard stand.window.showsParts else {
            #expect(try !GLDevice().isSoftware, "where the CPU draws, by GLX, windows show parts")
            return
        }
        var squares = (0..<12).map { (4 + $0 % 4 * 22, 3 + $0 / 4 * 20, 100 + $0) }
        func show() throws {
            try stand.present(squares.map { Self.square($0.0, $0.1, $0.2) }, on: stand.seat)
            #expect(stand.grey(Self.size) == Self.expected(squares, Self.size))
        }
        let whole = PixelRect(size: Self.size)
        // What was swapped is not there any more, by the letter; from then on it is.
        try show()
        try show()
        #expect(stand.recorder.shown == [nil, whole])
        stand.recorder.shown = []
        for step in 0..<24 {
            let index = step * 5 % 12
            squares[index].2 = (40 + step * 37) % 256
            if step % 3 == 0 { try stand.present([Self.square(step, step, step)], on: stand.mainSeat) }
            try show()
            let place = Self.rect(squares[index].0, squares[index].1, 10, 10)
            #expect(stand.recorder.shown == [place])
            stand.recorder.shown = []
        }
        // Nothing new is nothing to show.
        try show()
        #expect(stand.recorder.shown == [])
        // Who was damaged is drawn whole.
        stand.seat.setDamaged()
        try show()
        try show()
        #expect(stand.recorder.shown == [nil, whole])
        #expect(glGetError() == GLenum(GL_NO_ERROR))
        stand.main.makeCurrent()
    }

    @Test(
        "a window of another size is drawn whole, and goes on in parts",
        .enabled(if: XDoTool.isUsable, "no X display, or no xdotool"))
    func resized() throws {
        let stand = try Stand()
        guard stand.window.showsParts else { return }
        var grey = 10
        func show(_ size: PixelSize) throws {
            grey += 13
            try stand.present([Self.square(20, 20, grey)], on: stand.seat)
            #expect(stand.grey(size) == Self.expected([(20, 20, grey)], size))
        }
        for size in [Self.size, PixelSize(width: 140, height: 90), PixelSize(width: 70, height: 50)] {
            let (x, y) = (Int(Stand.place.x), Int(Stand.place.y))
            stand.window.setArea(PixelRect(minX: x, minY: y, maxX: x + size.width, maxY: y + size.height))
            #expect(SecondWindowTests.wait(stand.window) { stand.window.pixelSize == size })
            for _ in 0..<3 { try show(size) }
            stand.recorder.shown = []
            try show(size)
            #expect(stand.recorder.shown == [Self.rect(20, 20, 10, 10)])
            // Another window has the context meanwhile.
            try stand.present([], on: stand.mainSeat)
        }
        stand.main.makeCurrent()
    }

    @Test(
        "a window that is taken up again in another size is right from its first frame on",
        .enabled(if: XDoTool.isUsable, "no X display, or no xdotool"))
    func takenUp() throws {
        let stand = try Stand()
        guard stand.window.showsParts else { return }
        for grey in [50, 60, 70] { try stand.present([Self.square(20, 20, grey)], on: stand.seat) }
        stand.seat.leave()
        let size = PixelSize(width: 120, height: 100)
        let (x, y) = (Int(Stand.place.x), Int(Stand.place.y))
        stand.window.setArea(PixelRect(minX: x, minY: y, maxX: x + size.width, maxY: y + size.height))
        #expect(SecondWindowTests.wait(stand.window) { stand.window.pixelSize == size })
        stand.window.makeCurrent()
        let seat = FrameSeat(
            pane: nil, surface: stand.recorder, compositor: Compositor(sharing: stand.mainSeat.compositor))
        try stand.present([Self.square(30, 40, 90)], on: seat)
        #expect(stand.grey(size) == Self.expected([(30, 40, 90)], size))
        stand.main.makeCurrent()
    }

    @Test(
        "a window that has grown since the driver looked at it, after another one was drawn, is right at once",
        .enabled(if: XDoTool.isUsable, "no X display, or no xdotool"))
    func lookedAt() throws {
        let stand = try Stand()
        guard stand.window.showsParts else { return }
        let (x, y) = (Int(Stand.place.x), Int(Stand.place.y))
        var grey = 20
        for size in [PixelSize(width: 140, height: 90), PixelSize(width: 80, height: 100), Self.size] {
            // One that is swapped: the driver looks anew, and does so when the window is current again.
            stand.seat.setDamaged()
            try stand.present([Self.square(20, 20, grey)], on: stand.seat)
            try stand.present([], on: stand.mainSeat)
            stand.window.makeCurrent()
            stand.window.setArea(PixelRect(minX: x, minY: y, maxX: x + size.width, maxY: y + size.height))
            #expect(SecondWindowTests.wait(stand.window) { stand.window.pixelSize == size })
            grey += 50
            try stand.present([Self.square(30, 30, grey)], on: stand.seat)
            #expect(stand.grey(size) == Self.expected([(30, 30, grey)], size))
        }
        stand.main.makeCurrent()
    }

    @Test(
        "what was drawn in parts is drawn whole now and then, and what nobody sees any more can go",
        .enabled(if: XDoTool.isUsable, "no X display, or no xdotool"))
    func whole() throws {
        let stand = try Stand()
        guard stand.window.showsParts else { return }
        for step in 0..<FrameSeat.mostParts + 5 { try stand.present([Self.square(20, 20, step % 256)], on: stand.seat) }
        let wholes = stand.recorder.shown.dropFirst(2).filter { $0 == PixelRect(size: Self.size) }
        #expect(wholes.count == 1)
        stand.main.makeCurrent()
    }

    @Test(
        "a window whose context another has stays for as long as that one",
        .enabled(if: XDoTool.isUsable, "no X display, or no xdotool"))
    func lender() throws {
        weak var lender: Window?
        func open(_ options: WindowOptions) throws -> Window {
            let main = try SecondWindowTests.main()
            lender = main
            return try Window(options, sharing: main)
        }
        var options = WindowOptions(title: "lent", size: Size(width: 96, height: 64), position: Stand.place)
        options.isBorderless = true
        let window = try open(options)
        #expect((lender != nil) == window.showsParts, "kept for its context")
        window.show()
        #expect(SecondWindowTests.wait(window) { window.x11?.isViewable != false })
        window.makeCurrent()
        let device = try GLDevice()
        let compositor = Compositor(device: device)
        try compositor.draw(Self.list([Self.square(3, 4, 200)])) { _ in nil }
        let pixels = Pixels(size: Self.size, bytes: device.readPixels(Self.size))
        #expect(pixels[5, 6] == SIMD3(repeating: 200))
        window.swap()
        #expect(glGetError() == GLenum(GL_NO_ERROR))
        // What others are made with is current once it is gone too.
        _ = try SecondWindowTests.main()
    }
}
