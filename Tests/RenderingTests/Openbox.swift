import Foundation
import Host
import Motion

@testable import Windowing

/// A window manager for as long as a test needs one.
@MainActor enum Openbox {
    struct Failure: Error {}

    /// Runs `body` with one where `isWanted`, else as it is.
    static func run<R>(_ isWanted: Bool, _ body: () throws -> R) throws -> R {
        let probe = try Window(WindowOptions(size: Size(width: 16, height: 16)))
        func isThere() -> Bool { SecondWindowTests.isManaged(probe) }
        if !isWanted || isThere() || probe.x11 == nil { return try body() }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["openbox", "--sm-disable"]
        process.standardError = FileHandle.nullDevice
        try process.run()
        defer {
            // Ended by a signal that it hears, it takes back most of what it told the server.
            process.terminate()
            process.waitUntilExit()
            _ = SecondWindowTests.wait(probe) { !isThere() }
            // GLFW 3.3.8 stops a program by an assertion where a window manager is announced and gone.
            let taking = Process()
            taking.executableURL = process.executableURL
            taking.arguments = ["xprop", "-root", "-remove", "_NET_SUPPORTING_WM_CHECK"]
            try? taking.run()
            taking.waitUntilExit()
        }
        guard SecondWindowTests.wait(probe, until: isThere) else { throw Failure() }
        return try body()
    }
}
