import GlissadeCXCB
import GlissadeGeometry
import GlissadeLayers
import GlissadePlatform
import GlissadeRendering
import Testing
import GlissadeTime

@testable import GlissadeWindowing

/// What the screen shows while a window grows or shrinks, before it has drawn anything at its new size.
@MainActor @Suite("Held content", .serialized, .enabled(if: XDoTool.isUsable, "no X display, or no xdotool"))
struct HeldContentTests {
    private static let home = PixelRect(minX: 200, minY: 150, maxX: 520, maxY: 390)
    private static let (red, blue): (UInt32, UInt32) = (0xFF3300, 0x0066FF)

    /// Draws red in the left half of `area`, in the window's pixels, blue in its right half, and black around it.
    ///
    /// - Parameter isOfFilmThread: Whether the window is not told, as by the film thread.
    private func draw(
        in area: PixelRect, of window: Window, _ renderer: any Renderer, byFilmThread isOfFilmThread: Bool = false
    ) throws {
        window.makeCurrent()
        var (list, left, right) = (DisplayList(viewport: window.pixelSize), area, area)
        left.maxX = area.minX + area.width / 2
        right.minX = left.maxX
        list.items = [
            .fill(PixelRect(size: window.pixelSize), .black), .fill(left, Color(red: 1, green: 0.2, blue: 0)),
            .fill(right, Color(red: 0, green: 0.4, blue: 1)),
        ]
        try renderer.draw(list) { _ in nil }
        try renderer.present()
        if !isOfFilmThread { window.frameWasShown() }
    }

    /// Waits until the server has handled the requests of the connection that shows frames. Those of GLFW's connection
    /// may overtake them.
    private func waitForFrames(of window: UInt32) throws { _ = try XPixelFormat(of: window, on: .shared()) }

    /// Returns a visible window at `home`.
    private func windowAtHome() throws -> Window {
        let window = try Window(WindowOptions(size: Self.home.size.size, position: Point(x: 200, y: 150)))
        window.show()
        #expect(isIn(Self.home, window))
        return window
    }

    private func isIn(_ area: PixelRect, _ window: Window) -> Bool {
        SecondWindowTests.wait(window) {
            _ = window.beginFrame()
            return window.isMapped && window.area == area && window.pixelSize == area.size
                && !window.fullscreen.isPending
        }
    }

    /// The time at which the window makes a request even without another frame; nil if no request waits for a frame.
    private func frameDeadline(of window: Window) -> HostTime? {
        guard case .waiting(.frame(let deadline), _) = window.fullscreen.request else { return nil }
        return deadline
    }

    /// Whether a request waits for a frame or for the display.
    private func isWaiting(_ window: Window) -> Bool {
        frameDeadline(of: window) != nil || window.fullscreen.displayDeadline != nil
    }

    private func heldContent(
        of window: UInt32, from start: PixelRect, to end: PixelRect, framesUntil deadline: HostTime? = nil
    ) throws -> Window.HeldContent? {
        try XHeldContent(of: window, on: .shared(), from: start, to: end).map {
            Window.HeldContent(content: $0, framesUntil: deadline)
        }
    }

    /// Whether the halves are at `home` on the screen.
    private func isHome(on screen: ObservedWindow) -> Bool {
        func color(_ x: Int, _ y: Int) -> UInt32? {
            screen.pixels(PixelRect(minX: x, minY: y, maxX: x + 1, maxY: y + 1))?.first.map { $0 & screen.mask }
        }
        let home = Self.home
        let (first, last) = ((home.minX + 3, home.minY + 3), (home.maxX - 4, home.maxY - 4))
        return color(first.0, first.1) == Self.red && color(home.minX + 157, last.1) == Self.red
            && color(home.minX + 162, first.1) == Self.blue && color(last.0, last.1) == Self.blue
    }

    @Test(
        "The content stays where it is on the screen when a window enters and leaves fullscreen, before it is drawn",
        arguments: [(true, true), (true, false), (false, true), (false, false)])
    func stays(isManaged: Bool, isDrawnByCPU: Bool) throws {
        try Openbox.run(isManaged) {
            let home = Self.home
            var options = WindowOptions(
                size: home.size.size, position: Point(x: Double(home.minX), y: Double(home.minY)))
            options.isDrawnByCPU = isDrawnByCPU
            let window = try Window(options)
            let renderer = try window.makeRenderer()
            let screen = try ObservedWindow(screenOf: nil)
            window.show()
            #expect(isIn(home, window))
            try draw(in: PixelRect(size: home.size), of: window, renderer)
            #expect(SecondWindowTests.wait(window) { isHome(on: screen) })
            let whole = PixelRect(size: XDoTool.screenSize)
            for _ in 0..<2 {
                window.setFullscreen(true)
                #expect(isIn(whole, window) && isHome(on: screen))
                let outside = PixelRect(minX: home.maxX + 30, minY: 30, maxX: home.maxX + 31, maxY: 31)
                #expect(screen.has([0], in: outside))
                try draw(in: home, of: window, renderer)
                #expect(window.heldContent == nil)
                window.setFullscreen(false)
                #expect(isIn(home, window) && isHome(on: screen))
                try draw(in: PixelRect(size: home.size), of: window, renderer)
                #expect(window.heldContent == nil && isHome(on: screen))
            }
        }
    }

    @Test(
        "While frames are being shown, a request for fullscreen is made right after the next frame",
        arguments: [true, false])
    func afterFrame(isManaged: Bool) throws {
        try Openbox.run(isManaged) {
            let home = Self.home
            var options = WindowOptions(size: home.size.size, position: Point(x: 200, y: 150))
            options.isDrawnByCPU = true
            let window = try Window(options)
            let renderer = try window.makeRenderer()
            window.show()
            #expect(isIn(home, window))
            for isFullscreen in [true, false] {
                // A frame in progress counts, however long the test takes.
                #expect(window.beginFrame())
                window.setFullscreen(isFullscreen)
                #expect(window.heldContent == nil)
                let deadline = try #require(frameDeadline(of: window))
                #expect(try #require(window.nextGeometryPoll) <= deadline)
                try draw(in: PixelRect(size: home.size), of: window, renderer)
                #expect(!isWaiting(window))
                #expect((window.heldContent != nil) == isManaged)
                let holds = try isManaged && !XConnection.shared().hasDisplay
                #expect((window.heldContent?.framesUntil != nil) == holds, "frames wait for the answer")
                #expect(isIn(isFullscreen ? PixelRect(size: XDoTool.screenSize) : home, window))
                #expect(window.frameHoldDeadline(at: .now()) == nil, "until the window has changed")
            }
        }
    }

    @Test("Without recent frames, a request for fullscreen is made at once, and hiding the window forgets a request")
    func atOnce() throws {
        try Openbox.run(true) {
            let home = Self.home
            let window = try Window(WindowOptions(size: home.size.size, position: Point(x: 200, y: 150)))
            window.show()
            #expect(SecondWindowTests.wait(window) { window.isMapped && window.area == home })
            #expect(window.fullscreen.frame == .none)
            window.setFullscreen(true)
            #expect(!isWaiting(window) && window.heldContent != nil)
            #expect(isIn(PixelRect(size: XDoTool.screenSize), window))
            #expect(window.beginFrame())
            window.setFullscreen(false)
            #expect(isWaiting(window))
            window.hide()
            #expect(!isWaiting(window))
            window.show()
            #expect(SecondWindowTests.wait(window) { window.isMapped && window.area.size == home.size })
        }
    }

    @Test("Frames wait until the window manager has answered a request, but not for long")
    func holdsFrames() throws {
        let home = Self.home
        let window = try Window(WindowOptions(size: home.size.size, position: Point(x: 200, y: 150)))
        let id = UInt32(window.x11.window)
        window.show()
        #expect(isIn(home, window))
        let whole = PixelRect(size: XDoTool.screenSize)
        let deadline = HostTime.now()
        window.heldContent = try heldContent(of: id, from: home, to: whole, framesUntil: deadline)
        #expect(window.frameHoldDeadline(at: deadline - .milliseconds(1)) == deadline)
        #expect(window.frameHoldDeadline(at: deadline) == nil)
        window.geometryChanges()
        window.setArea(whole)
        #expect(isIn(whole, window))
        #expect(window.heldContent == nil && window.frameHoldDeadline(at: deadline - .milliseconds(1)) == nil)
    }

    @Test(
        "A frame shown before the window manager answers is the content that stays, also one of the film thread",
        arguments: [false, true])
    func updated(byFilmThread isOfFilmThread: Bool) throws {
        let home = Self.home
        var options = WindowOptions(size: home.size.size, position: Point(x: 200, y: 150))
        options.isDrawnByCPU = true
        let window = try Window(options)
        let renderer = SoftwareRenderer(output: try #require(window.output), images: ImageCache())
        let (screen, id) = (try ObservedWindow(screenOf: nil), UInt32(window.x11.window))
        window.show()
        #expect(isIn(home, window))
        let whole = PixelRect(size: XDoTool.screenSize)
        window.heldContent = try heldContent(of: id, from: home, to: whole)
        #expect(screen.gravity(of: id) == XCB_GRAVITY_BIT_FORGET.rawValue)
        window.geometryChanges()
        #expect(window.beginFrame())
        try draw(in: PixelRect(size: home.size), of: window, renderer, byFilmThread: isOfFilmThread)
        #expect(window.heldContent != nil, "the size is still the same")
        try waitForFrames(of: id)
        window.setArea(whole)
        #expect(isIn(whole, window) && isHome(on: screen))
        #expect(window.heldContent == nil)
        screen.waitForServer()
        #expect(screen.gravity(of: id) == XCB_GRAVITY_STATIC.rawValue)
    }

    @Test("A frame that is shown at another place, before the window is resized, is not the content that stays")
    func moved() throws {
        let (home, whole) = (Self.home, PixelRect(size: XDoTool.screenSize))
        var options = WindowOptions(size: whole.size.size, position: .zero)
        options.isDrawnByCPU = true
        let window = try Window(options)
        let renderer = SoftwareRenderer(output: try #require(window.output), images: ImageCache())
        let (screen, id) = (try ObservedWindow(screenOf: nil), UInt32(window.x11.window))
        window.show()
        #expect(isIn(whole, window))
        try draw(in: home, of: window, renderer)
        try waitForFrames(of: id)
        window.heldContent = try heldContent(of: id, from: whole, to: home)
        let moved = PixelRect(
            minX: home.minX, minY: home.minY, maxX: home.minX + whole.width, maxY: home.minY + whole.height)
        window.setArea(moved)
        #expect(isIn(moved, window) && window.heldContent != nil)
        try draw(in: PixelRect(size: home.size), of: window, renderer)
        window.setArea(home)
        #expect(isIn(home, window) && isHome(on: screen))
    }

    @Test("Content is not held once the window has ended, even if its renderer lives on", arguments: [true, false])
    func ended(isDrawnByCPU: Bool) throws {
        let home = Self.home
        var options = WindowOptions(size: home.size.size, position: Point(x: 200, y: 150))
        options.isDrawnByCPU = isDrawnByCPU
        var window: Window? = try Window(options)
        let renderer = try #require(window).makeRenderer()
        let id = UInt32(try #require(window).x11.window)
        window?.heldContent = try heldContent(of: id, from: home, to: PixelRect(size: XDoTool.screenSize))
        weak let content = window?.heldContent?.content
        #expect(content != nil)
        window = nil
        #expect(content == nil)
        withExtendedLifetime(renderer) {}
    }

    @Test("Content is not held for an empty or absurd area, or if the size stays")
    func refused() throws {
        let window = try Window(WindowOptions(size: Size(width: 64, height: 32)))
        let (area, id) = (window.area, UInt32(window.x11.window))
        for other in [
            area, PixelRect(minX: 5, minY: 5, maxX: 5, maxY: 90), PixelRect(minX: 9, minY: 9, maxX: 2, maxY: 2),
            PixelRect(minX: 0, minY: 0, maxX: 40_000, maxY: 3),
        ] {
            let held = try XHeldContent(of: id, on: .shared(), from: area, to: other)
            #expect(held == nil)
        }
        let far = PixelRect(minX: .min / 4, minY: .max / 4, maxX: .min / 4 + 90, maxY: .max / 4 + 90)
        #expect(try XHeldContent(of: id, on: .shared(), from: area, to: far) != nil)
        #expect(throws: RenderingError.self) {
            try XHeldContent(of: 1, on: .shared(), from: area, to: PixelRect(minX: 0, minY: 0, maxX: 9, maxY: 9))
        }
    }
}
