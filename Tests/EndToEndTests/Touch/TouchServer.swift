import Foundation
import Glibc

/// An X server with a touch screen, which a test touches: Xorg without hardware, by its drivers `dummy` and
/// `inputtest`.
struct TouchServer {
    static let (width, height) = (1920, 1080)
    static let device = "touchscreen"

    /// Why the server cannot run here; nil where it can.
    static let obstacle: String? = {
        let folders = ["/usr/lib/xorg/modules", "/usr/lib64/xorg/modules"]
        let drivers = ["drivers/dummy_drv.so", "input/inputtest_drv.so"]
        guard folders.contains(where: { folder in drivers.allSatisfy { access("\(folder)/\($0)", R_OK) == 0 } }) else {
            return "no xserver-xorg-core, or no xserver-xorg-video-dummy"
        }
        do {
            try run { _ in }
            return nil
        } catch {
            return "Xorg does not start here: \(error)"
        }
    }()

    private let folder: String
    let screen: TouchDevice
    /// A touchpad: a mouse that scrolls by any distance, and has gestures.
    let pad: TouchDevice

    /// Starts the server, makes it the one that DISPLAY names while `body` runs, and ends it.
    static func run(_ body: (TouchServer) throws -> Void) throws {
        try TemporaryFolder.with { folder in
            try configuration(folder).write(toFile: folder + "/xorg.conf", atomically: true, encoding: .utf8)
            let arguments = [
                "Xorg", "-displayfd", "1", "-config", folder + "/xorg.conf", "-logfile", folder + "/log", "-noreset",
                "-nolisten", "tcp",
            ]
            try Program.run(arguments) { server in
                let number = try Program.until("Xorg starts", .seconds(20)) {
                    if server.hasEnded { throw Program.Failure(description: server.errors) }
                    return server.output.hasSuffix("\n") ? server.output.dropLast() : nil
                }
                let previous = ProcessInfo.processInfo.environment["DISPLAY"]
                setenv("DISPLAY", ":\(number)", 1)
                defer { if let previous { setenv("DISPLAY", previous, 1) } else { unsetenv("DISPLAY") } }
                try body(
                    TouchServer(
                        folder: folder, screen: try TouchDevice(folder + "/touch"),
                        pad: try TouchDevice(folder + "/pad")))
                server.send(SIGTERM)
                _ = try server.wait()
            }
        }
    }

    /// Disables the touch screen, as the server also does when one is unplugged.
    func unplug() throws { try Program.tool("xinput", "disable", Self.device) }

    /// Enables the touch screen again. Its fingers are moved by the result.
    func plugIn() throws -> TouchDevice {
        try Program.tool("xinput", "enable", Self.device)
        return try TouchDevice(folder + "/touch")
    }

    private static func configuration(_ folder: String) -> String {
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
            Modeline "mode" 148.5 \(width) 2008 2052 2200 \(height) 1084 1089 1125
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
        Section "InputDevice"
            Identifier "\(device)"
            Driver "inputtest"
            Option "DeviceType" "Touch"
            Option "TouchCount" "16"
            Option "SocketPath" "\(folder)/touch"
        EndSection
        Section "InputDevice"
            Identifier "touchpad"
            Driver "inputtest"
            Option "DeviceType" "PointerGesture"
            Option "SocketPath" "\(folder)/pad"
        EndSection
        Section "ServerLayout"
            Identifier "layout"
            Screen "screen"
            InputDevice "\(device)"
            InputDevice "touchpad"
        EndSection

        """
    }
}
