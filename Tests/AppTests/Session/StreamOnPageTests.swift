import Foundation
import TestSupport
import Testing
import Time

@testable import App

/// What the player's page says about a stream.
@Suite("Streams on the page") @MainActor struct StreamOnPageTests {
    @Test("The tracks menu lists the variants from the best to the worst, with Automatic first and its choice")
    func qualityMenu() throws {
        try StreamVariants.makeHLS()
        let server = try HostileServer(Clips.folder)
        let program = try SteppedProgram.film(server.address("/variants.m3u8"))
        try program.showControls()
        program.click(try program.place(of: .tracks))
        program.pass(.milliseconds(400))
        let rows = program.texts
        let title = try #require(rows.firstIndex(of: "Quality"))
        // The variants are made for 25 frames/s.
        #expect(
            Array(rows[title...].prefix(7)) == [
                "Quality", "Automatic", "180p, 25 fps", "180p, 25 fps", "900 kbit/s", "90p, 25 fps", "200 kbit/s",
            ], "\(rows)")
        try program.click("90p, 25 fps")
        #expect(try program.player.quality == .variant(1))
    }

    @Test("In fullscreen the title bar says how much of a stream is buffered, and how fast it arrives")
    func network() throws {
        let file = URL(fileURLWithPath: SteppedProgram.sample)
        let server = try HostileServer(file.deletingLastPathComponent())
        let program = try SteppedProgram.film(server.address("/" + file.lastPathComponent))
        try program.showControls()
        program.type("f")
        try program.run("it is fullscreen") { $0.application.fullscreen.state == .fullscreen }
        try program.showControls()
        program.pass(.milliseconds(20))
        let network = try #require(try program.page.status.content?.network)
        #expect(network.wholeMatch(of: #/\d+ s buffered( · [\d.]+ Mbit/s)?/#) != nil, "\(network)")
        #expect(program.texts.contains(network))
    }
}
