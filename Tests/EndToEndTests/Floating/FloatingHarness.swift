import Foundation
import GlissadeGeometry
import Glibc
import Testing
import GlissadeTime
import GlissadeScreenProbe

/// The program with its main window at the upper left of the screen, and its floating window.
struct FloatingHarness {
    static let (width, height) = (640, 360)
    /// Without a window manager the main window is there; with one, its frame is.
    static let place = (x: 40, y: 40)
    /// Under nothing that would light up.
    static let aside = Point(x: 1000, y: 700)

    let glissade: Program
    let screen: Screen
    let display: XScreen

    /// Plays `arguments` (`Clip.film` where there are none), and ends it by its own key after `body`, where that has not.
    static func run(
        options: [String] = [], arguments: [String]? = nil, environment: [String: String?] = [:],
        _ body: (FloatingHarness) throws -> Void
    ) throws {
        let display = try XScreen()
        display.movePointer(to: aside)
        let place = ["--size", "\(width)x\(height)", "--position", "\(place.x),\(place.y)"]
        let still = ["--no-controls", "--audio", "silent"]
        let arguments = try place + still + options + (arguments ?? [Clip.film.get()])
        try Glissade.run(arguments, environment: environment) { glissade in
            let harness = FloatingHarness(glissade: glissade, screen: try Screen(of: glissade), display: display)
            try body(harness)
            if glissade.hasEnded { return }
            try harness.takeKeys()
            try harness.screen.press("q")
            try glissade.expect(.exited(0))
            #expect(glissade.errors == "")
        }
    }

    // MARK: - Windows

    /// The program's windows that are on the screen.
    var windows: [String] { Self.windows(of: glissade) }

    static func windows(of program: Program) -> [String] {
        let found = try? Program.tool("xdotool", "search", "--onlyvisible", "--pid", "\(program.id)")
        return found?.split(separator: "\n").map(String.init) ?? []
    }

    /// Gives the main window the keys, whether or not somebody manages windows.
    func takeKeys() throws { try screen.takeKeys() }

    /// Has the film float, and waits until its window shows it.
    @discardableResult func float() throws -> Screen {
        try waitForFrames(in: screen)
        try screen.press("o")
        let window = try waitForFloat()
        try waitForFrames(in: window)
        return window
    }

    /// Waits for a window beside the main one.
    func waitForFloat() throws -> Screen {
        try Program.until("a floating window") {
            if glissade.hasEnded { throw Program.Failure(description: "ended: \(glissade.errors)") }
            return windows.first { $0 != screen.window }.map(Screen.init(window:))
        }
    }

    /// Waits until only the main window, or none at all, is on the screen.
    func waitForNoFloat() throws {
        try Program.untilTrue("no floating window") { !windows.contains { $0 != screen.window } }
    }

    // MARK: - What is seen

    /// The frame of the film that a part of the screen shows over its whole height, by columns where no button lies.
    func frame(in area: Screen.Area) -> Int? {
        guard area.y >= 0, area.y + area.height <= display.height else { return nil }
        let rows = area.y..<area.y + area.height
        let found = [0.2, 0.8].map { fraction -> Int? in
            let x = area.x + Int(Double(area.width) * fraction)
            return display.grey(x: x..<x + 1, y: rows).flatMap { FrameCode.read($0)?.number }
        }
        return found[0] == found[1] ? found[0] : nil
    }

    func frame(in window: Screen) -> Int? { (try? window.area()).flatMap { frame(in: $0) } }

    /// Where the small bar at the main window's lower edge has its picture.
    func barPicture() throws -> Screen.Area {
        let area = try screen.area()
        return .init(x: area.x, y: area.y + area.height - 90, width: 160, height: 90)
    }

    /// Waits until a window, all of it, shows the film going on, after the frame `last`.
    @discardableResult func waitForFrames(in window: Screen, after last: Int = -1) throws -> Int {
        try waitForFrames(after: last) { frame(in: window) }
    }

    @discardableResult func waitForFrames(after last: Int = -1, _ look: () throws -> Int?) throws -> Int {
        var seen: [Int] = []
        return try Program.until("the film goes on after \(last)") {
            if glissade.hasEnded { throw Program.Failure(description: "ended: \(glissade.errors)") }
            guard let frame = try look(), frame > last, frame != seen.last else { return nil }
            if let before = seen.last, frame < before { seen = [] }
            seen.append(frame)
            return seen.count >= 4 ? frame : nil
        }
    }

    /// Waits until the same frame stands for a while, and says which.
    func waitForStandstill(_ look: () throws -> Int?) throws -> Int {
        var (last, since): (Int?, Date) = (nil, .distantPast)
        return try Program.until("the film stands still") {
            let frame = try look()
            if frame != last { (last, since) = (frame, Date()) }
            return Date().timeIntervalSince(since) > 0.4 ? frame : nil
        }
    }

    /// Whether the main window shows the library: its first row has a name, and none of the window is a frame of the film.
    func showsLibrary() throws -> Bool {
        guard let picture = try screen.picture(), picture.frame == nil else { return false }
        return (48..<132).contains { y in (136..<min(600, picture.width)).count { picture[$0, y] > 110 } >= 4 }
    }

    // MARK: - Input

    /// Moves the pointer from where it is to a place of `window`, seen from its corner.
    func point(at x: Int, _ y: Int, of window: Screen) throws {
        let area = try window.area()
        try WitnessTool.drive("move:\(area.x + x - 6),\(area.y + y + 3)", "glide:\(area.x + x),\(area.y + y),0.1")
    }

    func click(_ x: Int, _ y: Int, of window: Screen) throws {
        try point(at: x, y, of: window)
        try WitnessTool.drive("wait:0.15", "press", "wait:0.05", "release")
    }

    /// Takes `window` at a place, seen from its corner, and draws it by so much.
    func drag(_ window: Screen, from x: Int, _ y: Int, by dx: Int, _ dy: Int) throws {
        let area = try window.area()
        let (x, y) = (area.x + x, area.y + y)
        try WitnessTool.drive(
            "move:\(x),\(y)", "wait:0.1", "press", "glide:\(x + dx / 2),\(y + dy / 2),0.2",
            "glide:\(x + dx),\(y + dy),0.2", "wait:0.1", "release")
    }
}

extension Screen {
    /// A window that is known already.
    init(window: String) { self.window = window }

    /// Gives the window the keys, by whoever manages windows, or without.
    func takeKeys() throws {
        if try WindowManager.isRunning { try activate() } else { try Program.tool("xdotool", "windowfocus", window) }
    }

    /// What `xprop` says of the window, by the properties' names.
    func properties() throws -> [String: String] {
        var found: [String: String] = [:]
        for line in try Program.tool("xprop", "-id", window).split(separator: "\n") {
            guard let end = line.firstIndex(where: { $0 == "(" || $0 == ":" }) else { continue }
            let value = line[end...].drop { $0 != "=" && $0 != ":" }.dropFirst()
            found[line[..<end].trimmingCharacters(in: .whitespaces), default: ""] += value
        }
        return found
    }

    /// What the window manager is told of its sizes: lines as `program specified minimum size: 160 by 90`.
    func sizeHints() throws -> String { try Program.tool("xprop", "-id", window, "WM_NORMAL_HINTS") }

    static func whole() throws -> Area {
        let size = try size()
        return Area(x: 0, y: 0, width: size.width, height: size.height)
    }

    func wait(for area: Area) throws {
        try Program.untilTrue("the window is at \(area)") { try self.area() == area }
    }

    /// Waits until the window is at the same place at every look for so many seconds, and says where.
    func waitForRest(_ seconds: Double = 0.4) throws -> Area {
        var (last, since): (Area?, Date) = (nil, .distantPast)
        return try Program.until("the window rests") {
            let area = try area()
            if area != last { (last, since) = (area, Date()) }
            return Date().timeIntervalSince(since) > seconds ? area : nil
        }
    }
}

extension WindowManager {
    static var isRunning: Bool {
        get throws {
            try Program.tool("xprop", "-root", "_NET_SUPPORTING_WM_CHECK").contains("window id")
        }
    }

    /// With a window manager, or without one.
    static func run<R>(_ isManaged: Bool, _ body: () throws -> R) throws -> R {
        isManaged ? try run(body) : try body()
    }
}
