import GlissadeCGLES
import GlissadeGeometry
import GlissadeLayers
import GlissadePlatform
import GlissadeRendering
import Testing
import GlissadeTestSupport
import GlissadeTime
import GlissadeScreenProbe

@testable import GlissadePresentation
@testable import GlissadeWindowing

/// Windows that grow and shrink, judged from the screen; with a window manager or without.
@MainActor @Suite("Fullscreen windows", .serialized, .enabled(if: XDoTool.isUsable, "no X display, or no xdotool"))
struct FullscreenTests {
    static let home = PixelRect(minX: 200, minY: 150, maxX: 520, maxY: 390)

    /// A window on the screen, at its place.
    private func open(isDrawnByCPU: Bool = false) throws -> Window {
        var options = WindowOptions(
            size: Self.home.size.size, position: Point(x: Double(Self.home.minX), y: Double(Self.home.minY)))
        options.isDrawnByCPU = isDrawnByCPU
        let window = try Window(options)
        window.show()
        let isThere = SecondWindowTests.wait(window) {
            window.x11.isViewable && window.area == Self.home && window.pixelSize == Self.home.size
        }
        try #require(isThere, "\(window.area)")
        return window
    }

    private func settles(_ window: Window, _ isFullscreen: Bool) -> Bool {
        let area = isFullscreen ? PixelRect(size: XDoTool.screenSize) : Self.home
        let isSettled = SecondWindowTests.wait(window) {
            _ = window.beginFrame()
            return window.area == area && window.pixelSize == area.size && !window.fullscreen.isPending
                && (window.restoreFrame != nil) == isFullscreen
        }
        if !isSettled { Issue.record("\(window.area) \(window.fullscreen)") }
        return isSettled
    }

    private func events(_ window: Window) -> [WindowEvent] {
        var events: [WindowEvent] = []
        window.drainEvents(into: &events)
        return events
    }

    @Test(
        "While a window grows and shrinks its content stays in place on screen, managed or not",
        arguments: [false, true])
    func restoreFrame(isManaged: Bool) throws { try Openbox.run(isManaged, restoreFrame) }

    private func restoreFrame() throws {
        let window = try open()
        #expect(window.restoreFrame == nil && window.restoredArea == nil)
        for _ in 0..<2 {
            window.setFullscreen(true)
            #expect(window.isFullscreen && window.restoredArea == Self.home)
            #expect(settles(window, true))
            #expect(window.restoreFrame == Rect(x: 200, y: 150, width: 320, height: 240))
            window.setFullscreen(false)
            #expect(!window.isFullscreen)
            // As long as it has not shrunk, its home is still where it was.
            if window.area != Self.home {
                #expect(window.restoreFrame == Rect(x: 200, y: 150, width: 320, height: 240))
            }
            #expect(settles(window, false))
            #expect(window.restoredArea == nil && window.restoreFrame == nil)
        }
        #expect(!events(window).contains { if case .fullscreenChanged = $0 { true } else { false } })
    }

    @Test(
        "Of quick fullscreen requests the last one counts, and the restore frame is kept", arguments: [3, 4, 7, 8],
        [false, true])
    func quick(count: Int, isManaged: Bool) throws { try Openbox.run(isManaged) { try quick(count: count) } }

    private func quick(count: Int) throws {
        let window = try open()
        for index in 0..<count {
            window.setFullscreen(index % 2 == 0)
            if index % 3 == 1 { window.wait(until: HostTime(nanoseconds: 0)) }
        }
        let isFullscreen = count % 2 == 1
        #expect(settles(window, isFullscreen))
        #expect(window.isFullscreen == isFullscreen)
        if isFullscreen {
            #expect(window.restoredArea == Self.home)
            window.setFullscreen(false)
            #expect(settles(window, false))
        }
    }

    @Test(
        "A fullscreen request to a hidden window takes effect when it is shown", arguments: [false, true])
    func hidden(isManaged: Bool) throws { try Openbox.run(isManaged, hidden) }

    private func hidden() throws {
        let window = try open()
        window.hide()
        #expect(SecondWindowTests.wait(window) { !window.x11.isViewable })
        window.setFullscreen(true)
        #expect(window.restoreFrame == nil)
        window.show()
        #expect(settles(window, true))
        window.setFullscreen(false)
        #expect(settles(window, false))
    }

    @Test("A window manager that starts or ends fullscreen by itself is followed")
    func byTheManager() throws { try Openbox.run(true, followManager) }

    private func followManager() throws {
        let window = try open()
        let x11 = window.x11
        try #require(SecondWindowTests.isManaged(window))
        window.setFullscreen(true)
        #expect(settles(window, true))
        _ = events(window)
        x11.request(false, x11.atoms.fullscreen)
        var heard: [WindowEvent] = []
        #expect(
            SecondWindowTests.wait(window) {
                heard += events(window)
                return heard.contains(.fullscreenChanged(false))
            })
        #expect(!window.isFullscreen && settles(window, false))
        x11.request(true, x11.atoms.fullscreen)
        #expect(
            SecondWindowTests.wait(window) {
                heard += events(window)
                return heard.contains(.fullscreenChanged(true))
            })
        #expect(window.isFullscreen && settles(window, true))
        #expect(window.restoredArea == Self.home)
        window.setFullscreen(false)
        #expect(settles(window, false))
    }

    @Test("A window hidden while fullscreen comes back at its restore frame", arguments: [false, true])
    func hiddenWhileFullscreen(isManaged: Bool) throws { try Openbox.run(isManaged, hideFullscreen) }

    private func hideFullscreen() throws {
        let window = try open()
        // What else it might go back to.
        window.setArea(Self.home)
        window.setFullscreen(true)
        #expect(settles(window, true))
        window.hide()
        #expect(window.place == Point(x: Double(Self.home.minX), y: Double(Self.home.minY)))
        window.setFullscreen(false)
        window.show()
        #expect(settles(window, false))
    }

    @Test("A window hidden while minimized is withdrawn, and comes back normally")
    func hiddenWhileIconified() throws { try Openbox.run(true, hideIconified) }

    private func hideIconified() throws {
        let window = try open()
        let x11 = window.x11
        try #require(SecondWindowTests.isManaged(window))
        func isIn(_ state: String) -> Bool {
            SecondWindowTests.wait(window) {
                SecondWindowTests.properties(window, "WM_STATE").contains("window state: \(state)")
            }
        }
        #expect(isIn("Normal"))
        XDoTool.run(["windowminimize", "\(x11.window)"])
        #expect(isIn("Iconic"))
        window.hide()
        // Openbox takes the property away, as the conventions have it, or says so in it.
        #expect(
            SecondWindowTests.wait(window) {
                !SecondWindowTests.properties(window, "WM_STATE").contains("window state: Iconic")
            })
        window.show()
        #expect(isIn("Normal"))
        #expect(SecondWindowTests.wait(window) { window.isVisible })
    }

    @Test("A geometry change without a draw is reported once, at its end")
    func look() throws {
        let window = try open()
        window.geometryChanges()
        let end = try #require(window.nextGeometryPoll)
        window.pollGeometry(at: end - .milliseconds(1))
        #expect(window.nextGeometryPoll == end)
        window.pollGeometry(at: end)
        #expect(window.nextGeometryPoll == nil)
    }

    @Test("The work areas of all monitors are listed, the window's own first")
    func workAreas() throws {
        let window = try open()
        #expect(window.workAreas.first == window.workArea && window.workArea != nil)
        #expect(window.workAreas.count == GLFW.monitors.count)
    }

    @Test("A frame set while fullscreen becomes the restore frame, unless the window manager knows better")
    func setAreaMeanwhile() throws {
        let window = try open()
        window.setFullscreen(true)
        #expect(settles(window, true))
        window.setArea(PixelRect(minX: 10, minY: 20, maxX: 330, maxY: 260))
        #expect(window.area == PixelRect(size: XDoTool.screenSize), "it does not shrink by that")
        #expect(window.restoreFrame == Rect(x: 10, y: 20, width: 320, height: 240))
    }

    @Test("Geometry polled before a new request is not taken for its result")
    func lookedAt() throws {
        let window = try open()
        let others = [
            PixelRect(minX: 60, minY: 50, maxX: 460, maxY: 350), PixelRect(minX: 9, minY: 9, maxX: 209, maxY: 509),
        ]
        for area in others {
            window.setNeedsPoll(isResized: true)
            window.geometryChanges()
            Window.pollChanged()
            #expect(window.fullscreen.polledArea != nil)
            window.setArea(area)
            #expect(SecondWindowTests.wait(window) { window.area == area })
            _ = window.beginFrame()
            #expect(window.fullscreen.drawnArea == area && window.fullscreen.polledArea == nil)
        }
    }

    @Test("A damage event does not turn a move into a resize that is polled repeatedly")
    func damagedAndMoved() throws {
        let window = try open()
        #expect(SecondWindowTests.wait(window) { !window.fullscreen.isChanging(at: .now()) })
        window.pollGeometry(at: HostTime.now() + .seconds(2))
        try #require(window.nextGeometryPoll == nil)
        window.eventQueue.damaged()
        window.eventQueue.wasMoved(to: Point(x: 210, y: 160))
        Window.pollChanged()
        #expect(window.nextGeometryPoll == nil)
        #expect(window.fullscreen.area?.size == Self.home.size && window.fullscreen.area?.minX == 210)
        window.eventQueue.resized()
        window.eventQueue.wasMoved(to: Point(x: 220, y: 160))
        Window.pollChanged()
        #expect(window.nextGeometryPoll != nil)
        #expect(window.fullscreen.area == Self.home, "as the server has it")
    }

    /// Four colours, one a quarter, as a list for any size.
    private func quarters(_ list: inout DisplayList) {
        let (width, height) = (list.viewport.width, list.viewport.height)
        list.items = []
        for (index, level) in [0.2, 0.4, 0.6, 0.8].enumerated() {
            let rect = PixelRect(
                minX: index % 2 * width / 2, minY: index / 2 * height / 2, maxX: (index % 2 + 1) * width / 2,
                maxY: (index / 2 + 1) * height / 2)
            list.items.append(.fill(rect, Color(red: level, green: level, blue: level)))
        }
    }

    /// The greys of the four quarters' corners on the screen: two pixels inside.
    private func corners(_ area: PixelRect) throws -> [UInt8] {
        let screen = try XScreen()
        let places = [
            (area.minX + 2, area.minY + 2), (area.maxX - 3, area.minY + 2), (area.minX + 2, area.maxY - 3),
            (area.maxX - 3, area.maxY - 3),
        ]
        return places.map { x, y in screen.grey(x: x..<x + 1, y: y..<y + 1)?.first ?? 0 }
    }

    @Test(
        "The first frame at a new size is complete and in place", arguments: [true, false])
    func firstFrame(grows: Bool) throws {
        let window = try open(isDrawnByCPU: true)
        let output = try #require(window.output)
        let renderer = SoftwareRenderer(output: output, images: ImageCache())
        let seat = WindowPresenter(content: nil, surface: window, renderer: renderer)
        func present() throws {
            _ = try seat.present(
                compose: quarters, targets: { _ in nil }, willPresent: { _ in },
                catchUp: {
                    window.wait(until: HostTime(nanoseconds: 0))
                    return true
                })
        }
        for _ in 0..<3 { try present() }
        let area =
            grows
            ? PixelRect(minX: 120, minY: 90, maxX: 760, maxY: 570)
            : PixelRect(minX: 240, minY: 190, maxX: 440, maxY: 310)
        window.setArea(area)
        #expect(SecondWindowTests.wait(window) { window.area == area && window.pixelSize == area.size })
        try present()
        #expect(try output.finish(until: .now() + .seconds(5)))
        #expect(try corners(area) == [51, 102, 153, 204])
    }

    @Test("A window that changes after drawing is not presented but drawn again")
    func changesMeanwhile() throws {
        let window = try open(isDrawnByCPU: true)
        let output = try #require(window.output)
        let renderer = SoftwareRenderer(output: output, images: ImageCache())
        let seat = WindowPresenter(content: nil, surface: window, renderer: renderer)
        var composed = 0
        var area = Self.home
        func present(_ meanwhile: () -> Void) throws {
            composed = 0
            _ = try seat.present(
                compose: {
                    quarters(&$0)
                    composed += 1
                    if composed == 1 { meanwhile() }
                }, targets: { _ in nil }, willPresent: { _ in },
                catchUp: {
                    window.wait(until: HostTime(nanoseconds: 0))
                    return true
                })
        }
        try present {}
        #expect(composed == 1)
        for next in [PixelRect(minX: 100, minY: 80, maxX: 900, maxY: 680), Self.home] {
            window.geometryChanges()
            try present {
                // By somebody else, and on the server before the frame is done.
                window.x11.setArea(next)
                #expect(eventually { window.area == next })
            }
            area = next
            #expect(composed == 2 && window.pixelSize == area.size)
            #expect(try output.finish(until: .now() + .seconds(5)))
            #expect(try corners(area) == [51, 102, 153, 204])
        }
    }
}
