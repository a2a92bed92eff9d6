import GlissadeCGLES
import Foundation
import GlissadeFloating
import GlissadeGeometry
import GlissadeLayers
import GlissadeNavigation
import GlissadePicture
import GlissadePlatform
import GlissadeRendering
import Testing
import GlissadeTestSupport
import GlissadeTime

@testable import GlissadeWindowing

/// A floating window beside another, on a real X server, with a window manager or without.
@MainActor @Suite("Second window", .serialized, .enabled(if: XDoTool.isUsable, "no X display, or no xdotool"))
struct SecondWindowTests {
    static func floating(_ size: Size = Size(width: 320, height: 180)) -> WindowOptions {
        var options = WindowOptions(title: "floating", size: size, position: Point(x: 500, y: 300))
        options.isBorderless = true
        options.isAlwaysOnTop = true
        options.isOnAllDesktops = true
        options.takesFocus = false
        options.aspect = Size(width: 16, height: 9)
        options.minimumSize = Size(width: 160, height: 90)
        return options
    }

    static func main() throws -> Window {
        try Window(WindowOptions(title: "main", size: Size(width: 400, height: 300), position: Point(x: 40, y: 30)))
    }

    /// Handles the window's events until `condition` holds, for at most ten seconds. Returns whether it does.
    static func wait(_ window: Window, until condition: () -> Bool) -> Bool {
        eventually(within: .seconds(10)) {
            window.wait(until: .now())
            let now = HostTime.now()
            if let poll = window.nextGeometryPoll, poll <= now { window.pollGeometry(at: now) }
            return condition()
        }
    }

    /// What `xprop` says of a window.
    static func properties(_ window: Window, _ names: String...) -> String {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["xprop", "-id", "\(window.x11.window)"] + names
        process.standardOutput = pipe
        guard (try? process.run()) != nil else { return "" }
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: output, as: UTF8.self)
    }

    static func isManaged(_ window: Window) -> Bool {
        window.x11.isManaged(knowing: window.x11.atoms.fullscreen)
    }

    @Test("One texture upload is visible in two windows, pixel by pixel")
    func shared() throws {
        let first = try Self.main()
        let device = try GLDevice()
        let compositor = Compositor(device: device)
        let texture = VideoTexture(device: device)
        let second = try Window(Self.floating(), sharing: first)
        let other = Compositor(sharing: compositor)
        first.show()
        second.show()
        #expect(Self.wait(first) { first.x11.isViewable && second.x11.isViewable })
        first.makeCurrent()
        let picture = TestPicture.noise(
            PixelFormat(size: PixelSize(width: 320, height: 180), layout: .rgb(.rgba)))
        try picture.withView { view throws(RenderingError) in try texture.upload(view) }
        for (window, compositor) in [(first, compositor), (second, other), (first, compositor)] {
            window.makeCurrent()
            var list = DisplayList(viewport: window.pixelSize)
            let place = PixelRect(size: PixelSize(width: 320, height: 180))
            list.items = [.surface(.init(surface: SurfaceID(rawValue: 1), destination: place, clip: place))]
            try compositor.draw(list) { _ in texture }
            let pixels = Pixels(size: window.pixelSize, bytes: device.readPixels(window.pixelSize))
            let expected = ReferenceColors(picture: picture)
            var error = 0.0
            for y in 0..<180 {
                for x in 0..<320 {
                    let difference = pixels[x, y] - expected.color(x, y)
                    error = max(error, difference.max(), -difference.min())
                }
            }
            #expect(error == 0)
            try window.glOutput?.swap()
        }
        #expect(glGetError() == GLenum(GL_NO_ERROR))
        first.makeCurrent()
    }

    @Test(
        "A floating window is above others, on all desktops, undecorated and limited in size, also when shown again",
        arguments: [false, true])
    func hints(isManaged: Bool) throws { try Openbox.run(isManaged, hints) }

    private func hints() throws {
        let first = try Self.main()
        first.show()
        let second = try Window(Self.floating(), sharing: first)
        for round in 0..<3 {
            second.show()
            #expect(Self.wait(second) { second.x11.isViewable })
            var text = ""
            let isDone = Self.wait(second) {
                text = Self.properties(
                    second, "_NET_WM_STATE", "_NET_WM_DESKTOP", "_MOTIF_WM_HINTS", "WM_NORMAL_HINTS")
                return text.contains("_NET_WM_STATE_ABOVE") && text.contains("_NET_WM_DESKTOP(CARDINAL) = 4294967295")
            }
            #expect(
                isDone && text.contains("_MOTIF_WM_HINTS(_MOTIF_WM_HINTS) = 0x2, 0x0, 0x0"), "round \(round): \(text)")
            // Openbox (3.6) has every desktop for it, and takes the word away.
            if !Self.isManaged(second) || second.x11.isManaged(knowing: second.x11.atoms.sticky) {
                #expect(text.contains("_NET_WM_STATE_STICKY"))
            }
            #expect(text.contains("minimum size: 160 by 90"))
            #expect(text.contains("minimum aspect ratio: 16/9") && text.contains("maximum aspect ratio: 16/9"))
            #expect(second.area == PixelRect(minX: 500, minY: 300, maxX: 820, maxY: 480), "round \(round)")
            second.hide()
            #expect(Self.wait(second) { !second.x11.isViewable })
        }
        second.show()
        second.hide()
        second.show()
        #expect(
            Self.wait(second) {
                let text = Self.properties(second, "_NET_WM_STATE", "_NET_WM_DESKTOP")
                return second.x11.isViewable && text.contains("ABOVE") && text.contains("4294967295")
            })
        first.makeCurrent()
    }

    private final class Element: FloatingElement {
        let layer = Layer()
        var onNeedsDisplay: (@MainActor () -> Void)?
    }

    @Test("A floating window that has no last area opens above the windows to avoid, and one that has opens there")
    func avoids() throws {
        let main = try Self.main()
        func frame(_ area: PixelRect?, avoiding others: [PixelRect]) -> Rect {
            FloatingWindow.frame(for: Element(), area: area, beside: main, avoiding: others).frame
        }
        let free = frame(nil, avoiding: [])
        let units = main.unitsPerPoint
        let other = PixelRect(
            rounding: Rect(
                x: free.minX * units, y: free.minY * units, width: free.size.width * units,
                height: free.size.height * units))
        let above = frame(nil, avoiding: [other])
        #expect(above.minX == free.minX && above.size == free.size)
        #expect(abs(free.minY - above.maxY - FloatingFrame.margin / 2) < 1)
        #expect(frame(other, avoiding: [other]).minY >= free.minY - 1)
    }

    @Test("Position and size are set together, and absurd values are clamped")
    func area() throws {
        let window = try Window(Self.floating())
        window.show()
        #expect(Self.wait(window) { window.x11.isViewable })
        let area = PixelRect(minX: 600, minY: 200, maxX: 1080, maxY: 470)
        window.setArea(area)
        #expect(Self.wait(window) { window.area == area && window.pixelSize == area.size })
        window.setArea(PixelRect(minX: 700, minY: 300, maxX: 600, maxY: 300))
        #expect(Self.wait(window) { window.area.width < 480 })
        #expect(window.area.width >= 1 && window.area.height >= 1)
        window.setArea(PixelRect(minX: 0, minY: 0, maxX: .max / 4, maxY: 200))
        window.setArea(area)
        #expect(Self.wait(window) { window.area == area })
        for bad in [
            Size(width: 0, height: 9), Size(width: 9, height: 0), Size(width: Double.infinity, height: 1),
            Size(width: Double.nan, height: 1), Size(width: -3, height: -2), Size(width: 1e9, height: 1e-9),
        ] {
            window.setAspect(Size(width: 4, height: 3))
            window.setAspect(bad)
            window.setMinimumSize(bad)
            #expect(!Self.properties(window, "WM_NORMAL_HINTS").contains("aspect"), "\(bad)")
        }
        window.setAspect(Size(width: 2.39, height: 1))
        #expect(Self.properties(window, "WM_NORMAL_HINTS").contains("30000/12552"))
    }

    @Test("The pointer's screen position, the monitor and the work area are known")
    func pointer() throws {
        let window = try Window(Self.floating())
        let screen = XDoTool.screenSize
        XDoTool.run(["mousemove", "7", "11"])
        #expect(window.pointerOnScreen == Point(x: 7, y: 11))
        XDoTool.run(["mousemove", "640", "400"])
        #expect(window.pointerOnScreen == Point(x: 640, y: 400))
        #expect(window.monitorArea == PixelRect(size: screen))
        let work = try #require(window.workArea)
        #expect(PixelRect(size: screen).contains(work) && !work.isEmpty)
        #expect(window.unitsPerPoint == 1)
    }

    @Test("Failing to create a window throws and leaves everything as before")
    func refused() throws {
        let first = try Self.main()
        let device = try GLDevice()
        for size in [Size(width: 0, height: 0), Size(width: Double.nan, height: 3), Size(width: -5, height: 20)] {
            #expect(throws: WindowingError.self) { try Window(Self.floating(size), sharing: first) }
            #expect(try GLDevice() == device, "the first one's context is current")
        }
        try first.glOutput?.swap()
        #expect(glGetError() == GLenum(GL_NO_ERROR))
    }

    @Test(
        "Showing a window returns at once, and the window becomes visible soon",
        arguments: [false, true])
    func showing(isManaged: Bool) throws { try Openbox.run(isManaged, showing) }

    private func showing() throws {
        let first = try Self.main()
        first.show()
        let second = try Window(Self.floating(), sharing: first)
        for _ in 0..<5 {
            second.show()
            second.makeCurrent()
            try second.glOutput?.swap()
            #expect(second.isVisible)
            #expect(Self.wait(second) { second.x11.isViewable })
            second.hide()
            #expect(!second.isVisible)
            #expect(Self.wait(second) { !second.x11.isViewable })
        }
        first.makeCurrent()
    }
}
