import Logging
import GlissadePlatform
import GlissadeTestSupport
import GlissadeTime

@testable import GlissadeDesktop

/// A bus, a player on it, and a desktop.
@MainActor final class DesktopScene {
    let server: BusServer
    let client: BusClient
    let signal = WakeSignal()
    let session: DesktopSession
    var state = DesktopState()
    static let name = "org.mpris.MediaPlayer2.glissade"

    init() throws {
        server = try BusServer()
        client = try BusClient(server.address)
        session = Self.session(server.address, signal)
        state.status = .playing
        state.location = "/films/one.mkv"
        state.title = "One"
        state.length = .seconds(100)
        state.position = .seconds(10)
        state.canSeek = true
        state.canGoNext = true
        state.canGoPrevious = true
        state.hasVideo = true
    }

    static func session(_ address: String, _ signal: WakeSignal) -> DesktopSession {
        DesktopSession(
            identity: .init(schemes: ["file", "https"]), address: address,
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        ) {
            signal.raise()
        }
    }

    /// Starts with what `state` says, and waits until the bus knows the player.
    func start() throws -> Bool {
        publish()
        session.start()
        return try client.wait { session.busName != nil }
    }

    func publish() { session.publish(state, now: .now()) }

    /// The commands that come; waits for so many.
    func commands(_ count: Int) -> [DesktopCommand] {
        var commands: [DesktopCommand] = []
        _ = signal.wait {
            commands += session.takeCommands()
            return commands.count >= count
        }
        return commands
    }
}
