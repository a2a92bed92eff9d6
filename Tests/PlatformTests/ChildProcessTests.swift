import Foundation
import Glibc
import GlissadePlatform
import Testing
import GlissadeTestSupport
import GlissadeTime

@Suite("Child process") struct ChildProcessTests {
    /// Runs a helper that has a child; gives `body` the helper, and the file that will hold the child's number.
    ///
    /// - Parameter parent: whom the helper takes for its parent, where it is the child itself.
    private static func run(_ kind: String, parent: pid_t? = nil, _ body: (Process, String) throws -> Void) throws {
        let folder = NSTemporaryDirectory() + "/glissade-child-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        #expect(mkdir(folder, 0o700) == 0)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let process = Process()
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        process.executableURL = URL(fileURLWithPath: tests).deletingLastPathComponent()
            .appendingPathComponent("crasher")
        process.arguments = [folder, kind]
        if let parent {
            process.environment = ProcessInfo.processInfo.environment.merging(["GLISSADE_PARENT": "\(parent)"]) { $1 }
        }
        try process.run()
        defer { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }
        try body(process, folder + "/child")
    }

    @Test("A child ends with its parent, however the parent ends")
    func orphan() throws {
        try Self.run("parent") { parent, file in
            #expect(eventually { access(file, F_OK) == 0 })
            let text = try String(contentsOfFile: file, encoding: .utf8)
            let child = pid_t(text) ?? 0
            #expect(child > 0 && Self.isAlive(child))
            kill(parent.processIdentifier, SIGKILL)
            parent.waitUntilExit()
            #expect(eventually { !Self.isAlive(child) })
        }
    }

    /// False once it is gone, or dead and not collected yet by whoever inherits it.
    private static func isAlive(_ process: pid_t) -> Bool {
        let state = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        return state.map { !$0.contains(") Z ") } ?? false
    }

    @Test("A child whose parent ended before it started watching ends by itself")
    func orphanFromTheStart() throws {
        try Self.run("short child", parent: getppid()) { child, file in
            child.waitUntilExit()
            #expect(child.terminationReason == .exit && child.terminationStatus == EXIT_FAILURE)
            #expect(access(file, F_OK) != 0)
        }
        try Self.run("short child", parent: getpid()) { child, file in
            child.waitUntilExit()
            #expect(child.terminationReason == .uncaughtSignal && child.terminationStatus == SIGALRM)
        }
    }

    @Test("A child that hangs is waited for only for a limited time")
    func hanging() throws {
        try Self.run("impatient parent") { parent, _ in
            parent.waitUntilExit()
            #expect(parent.terminationReason == .exit && parent.terminationStatus == 9)
        }
    }
}
