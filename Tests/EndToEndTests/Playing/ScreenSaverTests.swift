import Glibc
import Testing
import GlissadeTestSupport
import GlissadeTime
import GlissadeScreenProbe

extension EndToEnd {
    /// Whether the X server lets its screen go dark, where no service of a desktop has a say. On a server of the test's own.
    @Suite("Screen saver") struct ScreenSaverTests {
        /// Until the screen goes dark, in seconds.
        private static let saverDelay = 2

        /// A film plays on an untouched screen for twice as long as it would take it to go dark, and that stays on.
        private func expectLight(_ screen: XScreen, _ glissade: Program) throws {
            try Program.untilTrue("nobody touches anything for long") {
                guard let saver = screen.saver, !glissade.hasEnded else {
                    throw Program.Failure(description: "no screen saver, or it ended: \(glissade.errors)")
                }
                if saver.isOn { throw Program.Failure(description: "the screen went dark after \(saver.idle)") }
                return saver.idle > .seconds(Self.saverDelay * 2)
            }
        }

        private func press(_ key: String, on server: XServer, _ glissade: Program) throws {
            let command = ["xdotool", "search", "--onlyvisible", "--pid", "\(glissade.id)", "windowfocus", "key", key]
            try Program.run(command, environment: ["DISPLAY": server.name]) { try $0.expect(.exited(0)) }
        }

        @Test(
            "The screen stays on while a video plays, and may blank when it is paused or its program dies",
            arguments: ["unix:path=/nonexistent/bus", nil])
        func screen(bus: String?) throws {
            let server = try XServer()
            // Without a service: one of the test's own, lest somebody else's takes part.
            let services = try BusServer()
            let screen = try XScreen(server.name)
            try #require(screen.saver != nil)
            let environment = ["DISPLAY": server.name, "DBUS_SESSION_BUS_ADDRESS": bus ?? services.address]
            let arguments = ["--size", "320x180", "--audio", "silent", "--loop", try Clip.long.get()]
            try Glissade.run(arguments, environment: environment) { glissade in
                try Program.untilTrue("a window") {
                    let search = ["xdotool", "search", "--onlyvisible", "--pid", "\(glissade.id)"]
                    return try Program.run(search, environment: ["DISPLAY": server.name]) {
                        try $0.wait() == .exited(0)
                    }
                }
                screen.setSaver(seconds: Self.saverDelay)
                try expectLight(screen, glissade)
                try press("space", on: server, glissade)
                try Program.untilTrue("the screen goes dark") { screen.saver?.isOn == true }
                try press("space", on: server, glissade)
                try Program.untilTrue("the key wakes the screen") { screen.saver?.isOn == false }
                try expectLight(screen, glissade)
                glissade.send(SIGKILL)
                try Program.untilTrue("the screen goes dark") { screen.saver?.isOn == true }
            }
        }

        @Test("If a desktop service answers, the X server's own screen saver is left alone")
        func service() throws {
            let server = try XServer()
            let services = try BusServer()
            let screen = try XScreen(server.name)
            let arguments = ["--size", "320x180", "--audio", "silent", "--loop", try Clip.long.get()]
            let environment = ["DISPLAY": server.name, "DBUS_SESSION_BUS_ADDRESS": services.address]
            let service = try ScreenSaverService(services.address)
            try Glissade.run(arguments, environment: environment) { glissade in
                try Program.untilTrue("the service is asked") { try service.countInhibitions() == 1 }
                screen.setSaver(seconds: Self.saverDelay)
                try Program.untilTrue("the screen goes dark") {
                    #expect(!glissade.hasEnded)
                    return screen.saver?.isOn == true
                }
            }
        }
    }
}
