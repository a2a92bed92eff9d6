import Foundation
import GlissadeGeometry
import GlissadePlatform
import GlissadeRendering
import Testing
import GlissadeTime

@testable import GlissadePresentation
@testable import GlissadeWindowing

/// The display's refresh rate, on a real X server whose modes can be set.
@MainActor
@Suite(
    "Display mode changes", .serialized, .enabled(if: XRandR.isUsable, "no X server whose modes can be set by xrandr"))
struct RefreshRateTests {
    @Test("A change of the display's mode is followed without an event")
    func mode() throws {
        let size = XDoTool.screenSize
        let modes = try [25, 40].map { try XRandR.Mode(size, rate: $0) }
        try modes[0].use()
        let window = try Window(WindowOptions(size: Size(width: 64, height: 48), position: Point(x: 40, y: 30)))
        window.show()
        #expect(SecondWindowTests.wait(window) { window.x11.isViewable })
        // What is known of the monitors may be of before that.
        #expect(SecondWindowTests.wait(window) { window.refreshRate == 25 })
        let client = SecondaryWindowTests.Client()
        client.isAnimating = true
        let loop = FrameLoop(
            surface: window, renderer: GLRenderer(Compositor(device: try GLDevice())), client: client, log: FrameLog())
        #expect(loop.pacer.nominalPeriod == .milliseconds(40))
        var before = 0
        client.isDone = { client in
            if before == 0, client.presents >= 3 {
                before = client.presents
                #expect(loop.pacer.nominalPeriod == .milliseconds(40))
                #expect(throws: Never.self) { try modes[1].use() }
            }
            return loop.pacer.nominalPeriod != .milliseconds(40)
        }
        try loop.run()
        #expect(loop.pacer.nominalPeriod == .milliseconds(25))
        #expect(client.presents > before && before >= 3)
    }
}

/// Modes of a virtual X server's only display, which are given back at their end.
enum XRandR {
    static let isUsable = (run(["--query"]) ?? "").contains("\nscreen connected")

    struct Failure: Error { let command: String }

    /// A mode of the display as large as `size`, refreshed so many times a second. The display has its former mode again at
    /// the end.
    final class Mode {
        let name: String
        private let former: Substring

        init(_ size: PixelSize, rate: Int) throws {
            name = "glissade-\(rate)"
            let lines = (XRandR.run(["--query"]) ?? "").split(separator: "\n")
            former = lines.first { $0.contains("*") }?.split(separator: " ").first ?? ""
            let (across, down) = ((size.width + 99) / 100 * 100 + 200, size.height + 20)
            let numbers = [
                size.width, size.width + 20, size.width + 40, across, size.height, size.height + 2, size.height + 4,
                down,
            ]
            let clock = Double(across * down * rate) / 1e6
            try XRandR.call(["--newmode", name, "\(clock)"] + numbers.map(String.init))
            try XRandR.call(["--addmode", "screen", name])
        }

        deinit {
            XRandR.run(["--output", "screen", "--mode", String(former)])
            XRandR.run(["--delmode", "screen", name])
            XRandR.run(["--rmmode", name])
        }

        func use() throws { try XRandR.call(["--output", "screen", "--mode", name]) }
    }

    fileprivate static func call(_ arguments: [String]) throws {
        guard run(arguments) != nil else { throw Failure(command: arguments.joined(separator: " ")) }
    }

    @discardableResult fileprivate static func run(_ arguments: [String]) -> String? {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["xrandr"] + arguments
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return nil }
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return process.terminationStatus == 0 ? String(decoding: output, as: UTF8.self) : nil
    }
}
