import Foundation
import GlissadeHistory
import GlissadeMedia
import GlissadePlatform
import Testing
import GlissadeTestSupport
import GlissadeTime

@testable import GlissadeApp

@MainActor @Suite("Lost connection")
struct LostConnectionTests {
    @Test("A lost connection is reported, no other file follows, and the history keeps the position as unfinished")
    func lost() throws {
        let scene = try Scene()
        let history = scene.path + "/state/history.sqlite"
        let film = URL(fileURLWithPath: SteppedProgram.sample)
        let size = try Data(contentsOf: film).count
        let server = try HostileServer(film.deletingLastPathComponent())
        let address = server.address("/changing=\(size * 3 / 4)/\(film.lastPathComponent)")
        let program = try SteppedProgram(
            playing: address, list: [address, SteppedProgram.sample], history: history)
        try program.run("who it is") { $0.application.history?.isKnown(address) == true }
        try program.run("the loss") {
            if case .failed(.connectionLost)? = $0.application.playing?.player.state { true } else { false }
        }
        let reached = try #require(program.application.playing).player.position(at: program.now)
        #expect(reached > .seconds(2))
        program.draw()
        #expect(program.application.playing?.location == address)
        #expect(
            program.texts.contains {
                $0 == "Connection lost: the file on the server has changed. Press play to try again."
            }, "\(program.texts)")
        program.application.close()

        let kept = History(path: BytePath(history), report: { Issue.record("\($0)") })
        let entry = kept.entry(for: MediaIdentity(address: address), within: .seconds(20))
        kept.flushAndClose(within: .seconds(20))
        let remembered = try #require(entry)
        #expect(remembered.isFinished != true)
        #expect(abs((remembered.position - (.zero + reached)).inSeconds) < 0.5)
    }
}
