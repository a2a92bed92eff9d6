import Foundation
import GlissadeGeometry
import GlissadePlatform
import GlissadeTime

@testable import GlissadeWindowing

/// A window manager for as long as a test needs one.
@MainActor enum Openbox {
    struct Failure: Error {}

    /// Runs `body` with one where `isWanted`, else as it is.
    static func run<R>(_ isWanted: Bool, _ body: () throws -> R) throws -> R {
        let probe = try Window(WindowOptions(size: Size(width: 16, height: 16)))
        func isThere() -> Bool { SecondWindowTests.isManaged(probe) }
        if !isWanted || isThere() { return try body() }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["openbox", "--sm-disable"]
        process.standardError = FileHandle.nullDevice
        try process.run()
        defer {
            // It was begun with all other signals blocked. What it told the server stays; windows go back to the root.
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            _ = SecondWindowTests.wait(probe) { !isThere() }
            // GLFW 3.3.8 stops a program by an assertion where a window manager is announced and gone.
            let taking = Process()
            taking.executableURL = process.executableURL
            taking.arguments = ["xprop", "-root", "-remove", "_NET_SUPPORTING_WM_CHECK", "-remove", "_NET_SUPPORTED"]
            try? taking.run()
            taking.waitUntilExit()
        }
        // It says that it is there before it listens.
        guard SecondWindowTests.wait(probe, until: isThere) else { throw Failure() }
        let isHeard = SecondWindowTests.wait(probe) {
            probe.hide()
            probe.show()
            probe.wait(until: .now() + .milliseconds(100))
            return SecondWindowTests.properties(probe, "WM_STATE").contains("window state: Normal")
        }
        probe.hide()
        guard isHeard else { throw Failure() }
        return try body()
    }
}
