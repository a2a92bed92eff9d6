import Foundation
import Glibc

/// A window of the program, driven by `xdotool` and captured by ImageMagick's `import`, on the X server that DISPLAY names.
struct Screen {
    let window: String

    /// The window that a program has opened and shown.
    init(of program: Program) throws {
        window = try Program.until("a window") {
            if program.hasEnded { throw Program.Failure(description: "ended before its window: \(program.errors)") }
            let found = try? Program.tool("xdotool", "search", "--onlyvisible", "--pid", "\(program.id)")
            return found?.split(separator: "\n").last.map(String.init)
        }
        // Without a window manager nobody gives a window the keys.
        try Program.tool("xdotool", "windowfocus", window)
    }

    /// Presses keys, one after the other.
    func press(_ keys: String...) throws {
        _ = try Program.run(["xdotool", "key", "--delay", "30"] + keys) { try $0.wait() }
    }

    func command(_ name: String, _ arguments: String...) throws {
        try Program.run(["xdotool", name, window] + arguments) { tool in
            guard try tool.wait() == .exited(0) else { throw Program.Failure(description: tool.errors) }
        }
    }

    /// What the window shows now; nil where the server gives no picture of it.
    func picture() throws -> GreyPicture? {
        try Self.picture(of: window)
    }

    static func picture(of window: String) throws -> GreyPicture? {
        try TemporaryFolder.with { folder in
            let path = folder + "/window.pgm"
            let end = try Program.run(["import", "-silent", "-window", window, "-depth", "8", path]) { try $0.wait() }
            return end == .exited(0) ? try? GreyPicture(pgm: path) : nil
        }
    }

    /// Where the window's content is on the screen, in pixels.
    struct Area: Hashable {
        var x, y, width, height: Int
    }

    func area() throws -> Area {
        // `xdotool` counts a window manager's frame twice.
        let text = try Program.tool("xwininfo", "-id", window)
        var values: [Substring: Int] = [:]
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: ":")
            if parts.count == 2 {
                values[parts[0].drop { $0 == " " }] = Int(parts[1].trimmingCharacters(in: .whitespaces))
            }
        }
        guard let x = values["Absolute upper-left X"], let y = values["Absolute upper-left Y"],
            let width = values["Width"], let height = values["Height"]
        else {
            throw Program.Failure(description: "no geometry: \(text)")
        }
        return Area(x: x, y: y, width: width, height: height)
    }

    static func size() throws -> (width: Int, height: Int) {
        let words = try Program.tool("xdotool", "getdisplaygeometry").split(whereSeparator: \.isWhitespace)
        guard words.count == 2, let width = Int(words[0]), let height = Int(words[1]) else {
            throw Program.Failure(description: "no display geometry")
        }
        return (width, height)
    }

    /// Waits until the window shows a frame that `isRight`, and says which.
    @discardableResult func waitForFrame(_ what: String, _ isRight: (Int) -> Bool) throws -> Int {
        try Program.until("frame: \(what)") {
            guard let frame = try picture()?.frame, isRight(frame) else { return nil }
            return frame
        }
    }

    /// Waits until the picture stands still: three looks in a row, over more than five frames' time, see the same.
    func waitForStandstill() throws -> Int {
        var (last, since): (Int?, Date) = (nil, .distantPast)
        return try Program.until("the picture stands still") {
            guard let frame = try picture()?.frame else { return nil }
            if frame != last { (last, since) = (frame, Date()) }
            return Date().timeIntervalSince(since) > 0.25 ? frame : nil
        }
    }

    /// Waits for a picture that `isRight` and is the same at three looks in a row, and gives it.
    ///
    /// - Parameter height: how many rows, from the top, have to stand still; nil for all.
    func waitForStillPicture(
        height: Int? = nil, _ isRight: (GreyPicture) -> Bool = { _ in true }
    ) throws -> GreyPicture {
        var (last, count): (ArraySlice<UInt8>?, Int) = (nil, 0)
        return try Program.until("a picture that stands still") {
            guard let picture = try picture(), isRight(picture) else { return nil }
            let rows = picture.pixels.prefix(picture.width * (height ?? picture.height))
            count = rows == last ? count + 1 : 1
            last = rows
            return count == 3 ? picture : nil
        }
    }
}
