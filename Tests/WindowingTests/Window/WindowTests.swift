import GlissadeCGLFW
import Foundation
import GlissadeGeometry
import GlissadeInput
import GlissadeLayers
import GlissadePicture
import GlissadePlatform
import GlissadePresentation
import GlissadeRendering
import Testing
import GlissadeTestSupport
import GlissadeTime
import GlissadeWindowing

/// A real window on a real X server at 96 dpi, moved by `xdotool`; with a window manager or without.
@MainActor @Suite("Window on an X server", .serialized, .enabled(if: XDoTool.isUsable, "no X display, or no xdotool"))
struct WindowTests {
    private func open(_ options: WindowOptions = WindowOptions(size: Size(width: 320, height: 240))) throws -> Window {
        var options = options
        if options.position == nil { options.position = Point(x: 40, y: 30) }
        let window = try Window(options)
        window.show()
        return window
    }

    @Test("The title is one line without control characters, as created and as set")
    func title() throws {
        var options = WindowOptions(size: Size(width: 320, height: 240))
        options.title = "glissade\nfilm\u{202E}4pm"
        let window = try open(options)
        func name() -> String? {
            XDoTool.run(["search", "--name", "^glissade.*film", "getwindowname", "%@"])?
                .trimmingCharacters(in: .newlines)
        }
        #expect(name() == "glissade\u{FFFD}film\u{FFFD}4pm")
        window.setTitle("glissade\tfilm")
        window.wait(until: .now())
        #expect(eventually(within: .seconds(10)) { name() == "glissade\u{FFFD}film" })
    }

    /// All events until `isDone`, or for ten seconds.
    private func events(of window: Window, until isDone: ([WindowEvent]) -> Bool) -> [WindowEvent] {
        var (all, taken): ([WindowEvent], [WindowEvent]) = ([], [])
        let areComplete = eventually(within: .seconds(10)) {
            window.wait(until: .now())
            window.drainEvents(into: &taken)
            all += taken
            return isDone(all)
        }
        if !areComplete { Issue.record("only these events came: \(all)") }
        return all
    }

    private func keys(_ events: [WindowEvent]) -> [KeyEvent] {
        events.compactMap { if case .input(.key(let key)) = $0 { key } else { nil } }
    }

    private func pointers(_ events: [WindowEvent]) -> [PointerEvent] {
        events.compactMap { if case .input(.pointer(let pointer)) = $0 { pointer } else { nil } }
    }

    @Test("A copied text is in the clipboard")
    func clipboard() throws {
        let window = try open()
        for text in ["A comment", "弾幕 — äöü", ""] {
            window.setClipboard(text)
            #expect(glfwGetClipboardString(nil).map { String(cString: $0) } == text)
        }
    }

    @Test("Each key press is one event with the character it types or the key's name")
    func typing() throws {
        let window = try open()
        let typed: [(String, Key, Modifiers)] = [
            ("less", .character("<"), []), ("greater", .character(">"), []), ("comma", .character(","), []),
            ("period", .character("."), []), ("a", .character("a"), []), ("A", .character("A"), []),
            ("5", .character("5"), []), ("space", .space, []), ("Escape", .escape, []), ("Return", .enter, []),
            ("Left", .left, []), ("shift+Left", .left, .shift), ("Page_Down", .pageDown, []),
            ("F11", .function(11), []),
            ("ctrl+q", .character("q"), .control), ("alt+Return", .enter, .alt),
            ("alt+1", .character("1"), .alt), ("ctrl+shift+period", .character("."), [.control, .shift]),
            ("BackSpace", .backspace, []), ("bracketleft", .character("["), []), ("Home", .home, []),
        ]
        // GLFW takes two presses of a key within one of the server's milliseconds for one (its workaround for ibus).
        XDoTool.run(["key", "--delay", "4"] + typed.map(\.0))
        let seen = keys(events(of: window) { keys($0).count >= typed.count })
        #expect(seen.map(\.key) == typed.map(\.1))
        #expect(seen.map(\.modifiers) == typed.map(\.2))
        #expect(seen.allSatisfy { !$0.isRepeat })
    }

    @Test("A held key repeats, marked as such")
    func repeats() throws {
        let window = try open()
        XDoTool.run(["keydown", "k"])
        let seen = keys(events(of: window) { keys($0).count >= 3 })
        XDoTool.run(["keyup", "k"])
        #expect(seen.allSatisfy { $0.key == .character("k") })
        #expect(seen.map(\.isRepeat) == [false] + [Bool](repeating: true, count: seen.count - 1))
    }

    @Test("Pointer moves, presses and releases arrive in order with positions and modifiers")
    func pointer() throws {
        let window = try open()
        XDoTool.run([
            "mousemove", "50", "40", "mousemove", "60", "50", "keydown", "shift", "mousedown", "1", "mousemove", "100",
            "80", "mouseup", "1", "keyup", "shift", "click", "3",
        ])
        let seen = pointers(events(of: window) { pointers($0).filter { $0.phase == .released }.count == 2 })
        let changes = seen.filter { $0.button != nil }
        #expect(changes.map(\.phase) == [.pressed, .released, .pressed, .released])
        #expect(changes.map(\.button) == [.primary, .primary, .secondary, .secondary])
        #expect(changes.map(\.position) == [(20, 20), (60, 50), (60, 50), (60, 50)].map { Point(x: $0.0, y: $0.1) })
        #expect(changes.map(\.modifiers) == [.shift, .shift, [], []])
        #expect(seen.contains { $0.phase == .entered })
        #expect(zip(seen, seen.dropFirst()).allSatisfy { $0.time <= $1.time })
    }

    @Test("Pointer events that are read together have the times at which they happened")
    func pointerTimes() throws {
        let window = try open()
        // An event that is read when it happens shows the difference between the clocks.
        XDoTool.run(["mousemove", "45", "40"])
        _ = pointers(events(of: window) { pointers($0).contains { $0.position == Point(x: 5, y: 10) } })
        // Returns after all of it has happened.
        XDoTool.run([
            "mousemove", "50", "40", "sleep", "0.02", "mousemove", "60", "50", "mousedown", "1", "sleep", "0.2",
            "mousemove", "70", "60", "mouseup", "1",
        ])
        let seen = pointers(events(of: window) { pointers($0).contains { $0.phase == .released } })
        let press = try #require(seen.first { $0.phase == .pressed })
        let release = try #require(seen.first { $0.phase == .released })
        let move = try #require(seen.first { $0.phase == .moved && $0.position == Point(x: 30, y: 30) })
        // How late the first event was read counts against this; without times, all would be read at once.
        #expect(release.time - press.time >= .milliseconds(20))
        #expect(move.time - press.time >= .milliseconds(20) && move.time <= release.time)
        #expect(release.time <= .now())
        #expect(zip(seen, seen.dropFirst()).allSatisfy { $0.time <= $1.time })
    }

    @Test("Turning the wheel up by a notch scrolls by one at the pointer")
    func scroll() throws {
        let window = try open()
        XDoTool.run(["mousemove", "90", "90", "click", "4", "click", "5"])
        func scrolls(_ events: [WindowEvent]) -> [ScrollEvent] {
            events.compactMap { if case .input(.scroll(let scroll)) = $0 { scroll } else { nil } }
        }
        let seen = scrolls(events(of: window) { scrolls($0).count == 2 })
        #expect(seen.map(\.deltaY) == [1, -1])
        #expect(seen.map(\.position) == [Point(x: 50, y: 60), Point(x: 50, y: 60)])
    }

    @Test("Fullscreen covers the whole monitor, and leaving it restores the window")
    func fullscreen() throws {
        let window = try open()
        let (size, screen) = (PixelSize(width: 320, height: 240), XDoTool.screenSize)
        window.setFullscreen(true)
        #expect(window.isFullscreen)
        _ = events(of: window) { $0.contains(.resized(screen)) }
        #expect(window.pixelSize == screen)
        window.setFullscreen(false)
        let back = events(of: window) { $0.contains(.resized(size)) }
        #expect(window.pixelSize == size)
        _ =
            back.contains(.moved(Point(x: 40, y: 30)))
            ? [] : events(of: window) { $0.contains(.moved(Point(x: 40, y: 30))) }
    }

    @Test("A window that starts in fullscreen has a frame to restore")
    func startsFullscreen() throws {
        var options = WindowOptions(size: Size(width: 320, height: 240))
        options.isFullscreen = true
        let window = try open(options)
        let (size, screen) = (PixelSize(width: 320, height: 240), XDoTool.screenSize)
        if window.pixelSize != screen { _ = events(of: window) { $0.contains(.resized(screen)) } }
        #expect(window.isFullscreen && window.isVisible && window.refreshRate ?? 1 > 0)
        window.setFullscreen(false)
        _ = events(of: window) { $0.contains(.resized(size)) }
        #expect(window.pixelSize == size)
    }

    @Test("Drawn pixels can be read back, and sizes are as requested")
    func drawing() throws {
        let window = try open(WindowOptions(size: Size(width: 320, height: 240)))
        #expect(window.pixelSize == PixelSize(width: 320, height: 240))
        #expect(window.size == Size(width: 320, height: 240))
        #expect(window.isVisible)
        let device = try GLDevice()
        let compositor = Compositor(device: device)
        let texture = VideoTexture(device: device)
        let picture = TestPicture.noise(PixelFormat(size: window.pixelSize, layout: .rgb(.rgba)))
        try picture.withView { view throws(RenderingError) in try texture.upload(view) }
        var list = DisplayList(viewport: window.pixelSize)
        let all = PixelRect(size: window.pixelSize)
        list.items = [.surface(.init(surface: SurfaceID(rawValue: 1), destination: all, clip: all))]
        try compositor.draw(list) { _ in texture }
        let pixels = Pixels(size: window.pixelSize, bytes: device.readPixels(window.pixelSize))
        #expect(pixels.largestError(ReferenceColors(picture: picture).color) == 0)
        try GLRenderer(compositor).present()
    }

    @Test("A wake-up from another thread ends a wait without a deadline")
    func wake() throws {
        let window = try open()
        _ = events(of: window) { $0.contains(.needsRedraw) }
        Foundation.Thread.detachNewThread { Window.wake() }
        window.wait(until: nil)
    }
}

@MainActor
@Suite(
    "Without an X display", .enabled(if: ProcessInfo.processInfo.environment["DISPLAY"] == nil, "there is a display"))
struct NoDisplayTests {
    @Test("Without a display the error says so in one line")
    func error() {
        let error = #expect(throws: WindowingError.self) { try Window(WindowOptions(size: Size(width: 9, height: 9))) }
        let text = error?.description ?? ""
        #expect(text.hasPrefix("no display: ") && !text.contains("\n"), "\(text)")
    }
}

/// The `xdotool` command, which moves the pointer and presses keys.
enum XDoTool {
    static let isUsable =
        ProcessInfo.processInfo.environment["DISPLAY"] != nil && run(["getdisplaygeometry"]) != nil

    static var screenSize: PixelSize {
        let numbers = (run(["getdisplaygeometry"]) ?? "").split { !$0.isNumber }.compactMap { Int($0) }
        return numbers.count == 2 ? PixelSize(width: numbers[0], height: numbers[1]) : PixelSize(width: 0, height: 0)
    }

    @discardableResult static func run(_ arguments: [String]) -> String? {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["xdotool"] + arguments
        process.standardOutput = pipe
        guard (try? process.run()) != nil else { return nil }
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return process.terminationStatus == 0 ? String(decoding: output, as: UTF8.self) : nil
    }
}
