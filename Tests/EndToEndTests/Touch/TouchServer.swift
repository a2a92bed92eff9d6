import Foundation
import Glibc

/// An X server with a touch screen, which a test touches: Xorg without hardware, by its drivers `dummy` and
/// `inputtest`.
struct TouchServer {
    static let (width, height) = (1920, 1080)
    static let device = "touchscreen"

    /// Why the server cannot run here; nil where it can.
    static let obstacle = Xorg.obstacle(
        drivers: ["drivers/dummy_drv.so", "input/inputtest_drv.so"], configuration: configuration)

    private let folder: String
    let screen: TouchDevice
    /// A touchpad: a mouse that scrolls by any distance, and has gestures.
    let pad: TouchDevice

    /// Starts the server, makes it the one that DISPLAY names while `body` runs, and ends it.
    static func run(_ body: (TouchServer) throws -> Void) throws {
        try TemporaryFolder.with { folder in
            try Xorg.run(in: folder, configuration(folder)) {
                try body(
                    TouchServer(
                        folder: folder, screen: try TouchDevice(folder + "/touch"),
                        pad: try TouchDevice(folder + "/pad")))
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
        let mode = #""mode" 148.5 \#(width) 2008 2052 2200 \#(height) 1084 1089 1125"#
        let devices = """
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
        return Xorg.screen(modelines: [mode]) + devices
    }
}
