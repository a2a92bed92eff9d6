import Foundation
import Glibc

/// An X server without hardware, by Xorg's driver `dummy`.
enum Xorg {
    /// Why the server cannot run here; nil where it can. Several suites ask at the same time, so DISPLAY stays as it is.
    ///
    /// - Parameters:
    ///   - drivers: The drivers that it needs, as paths below Xorg's modules.
    ///   - configuration: Returns the configuration, given the folder where its files are.
    static func obstacle(drivers: [String], configuration: (String) -> String) -> String? {
        let folders = ["/usr/lib/xorg/modules", "/usr/lib64/xorg/modules"]
        guard folders.contains(where: { folder in drivers.allSatisfy { access("\(folder)/\($0)", R_OK) == 0 } }) else {
            return "no xserver-xorg-core, or no xserver-xorg-video-dummy"
        }
        do {
            try TemporaryFolder.with { folder in try start(in: folder, configuration(folder)) { _ in } }
            return nil
        } catch {
            return "Xorg does not start here: \(error)"
        }
    }

    /// Starts the server, makes it the one that DISPLAY names while `body` runs, and ends it.
    ///
    /// - Parameter folder: Where its files are.
    static func run(in folder: String, _ configuration: String, _ body: () throws -> Void) throws {
        try start(in: folder, configuration) { display in
            let previous = ProcessInfo.processInfo.environment["DISPLAY"]
            setenv("DISPLAY", display, 1)
            defer { if let previous { setenv("DISPLAY", previous, 1) } else { unsetenv("DISPLAY") } }
            try body()
        }
    }

    private static func start(
        in folder: String, _ configuration: String, _ body: (_ display: String) throws -> Void
    ) throws {
        try configuration.write(toFile: folder + "/xorg.conf", atomically: true, encoding: .utf8)
        let arguments = [
            "Xorg", "-displayfd", "1", "-config", folder + "/xorg.conf", "-logfile", folder + "/log", "-noreset",
            "-nolisten", "tcp",
        ]
        try Program.run(arguments) { server in
            let number = try Program.until("Xorg starts", .seconds(20)) {
                if server.hasEnded { throw Program.Failure(description: server.errors) }
                return server.output.hasSuffix("\n") ? server.output.dropLast() : nil
            }
            try body(":\(number)")
            server.send(SIGTERM)
            _ = try server.wait()
        }
    }

    /// The sections of a configuration that describe the screen.
    ///
    /// - Parameter modelines: The screen's modes, as `cvt` prints them; it begins in the first one, whose name is
    ///   `mode`.
    static func screen(modelines: [String]) -> String {
        """
        Section "ServerFlags"
            Option "AutoAddDevices" "false"
            Option "DontVTSwitch" "true"
        EndSection
        Section "Device"
            Identifier "card"
            Driver "dummy"
            VideoRam 65536
        EndSection
        Section "Monitor"
            Identifier "monitor"
            HorizSync 1-1000
            VertRefresh 1-1000
            \(modelines.map { "Modeline \($0)" }.joined(separator: "\n    "))
        EndSection
        Section "Screen"
            Identifier "screen"
            Device "card"
            Monitor "monitor"
            DefaultDepth 24
            SubSection "Display"
                Depth 24
                Modes "mode"
            EndSubSection
        EndSection

        """
    }
}
