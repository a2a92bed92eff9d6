import Foundation
import GlissadeGeometry
import GlissadeTestSupport
import Testing
import GlissadeTime

@testable import GlissadeApp

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

    @Test(
        "The progress bar shows how much of a stream has arrived, and goes on while more does, also in a pause",
        arguments: [false, true])
    func buffered(isPaused: Bool) throws {
        let file = URL(fileURLWithPath: try Films.everything())
        let server = try HostileServer(file.deletingLastPathComponent())
        let address = server.address("/slow=30000/" + file.lastPathComponent)
        let program = try SteppedProgram.film(address, isPaused: isPaused)
        try program.showControls()
        let progress = try program.controls.progress
        try program.run("what is buffered") { _ in !progress.buffered.isEmpty }
        let first = try #require(progress.buffered.first)
        #expect(progress.buffered.count == 1 && first.lowerBound < 0.1 && first.upperBound < 0.9)
        var x = 300.0
        try program.run("more has arrived") {
            // The controls stay while the pointer moves.
            x = x == 300 ? 310 : 300
            $0.move(to: Point(x: x, y: 100))
            return progress.buffered.first.map { $0.upperBound > first.upperBound + 0.02 } ?? false
        }
    }

    @Test("The progress bar shows what of a file has been read ahead, from the position on")
    func bufferedFile() throws {
        let program = try SteppedProgram.film(Films.short())
        try program.showControls()
        let progress = try program.controls.progress
        try program.run("all of half a second") { _ in progress.buffered == [0...1] }
        let long = try SteppedProgram.film(asked: LaunchOverrides(start: .seconds(30)))
        try long.showControls()
        let (bar, player) = (try long.controls.progress, try long.player)
        try long.run("the rest of the film") { _ in
            guard let range = bar.buffered.first, let read = player.bufferedRange(at: long.now) else { return false }
            return abs(range.lowerBound - 0.5) < 0.01 && range.upperBound > 0.5
                && abs(range.upperBound - read.upperBound.inSeconds / 60) < 0.02
        }
    }

    @Test(
        "Where a segment of a playlist is missing, the page says so when playback gets there",
        arguments: [false, true])
    func missingSegment(isServed: Bool) throws {
        let folder = Clips.folder.appendingPathComponent("app-missing-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try FFmpeg.run(
            ["-i", Films.everything(), "-t", "24", "-map", "0:v", "-map", "0:a:0", "-c", "copy", "-hls_time", "2"]
                + ["-hls_list_size", "0", "-hls_segment_filename", folder.path + "/part%d.ts"]
                + [folder.path + "/film.m3u8"])
        // FFmpeg looks at the first segments while it opens a playlist, and these may not be missing.
        try FileManager.default.removeItem(atPath: folder.path + "/part7.ts")
        let server = try HostileServer(folder)
        let program = try SteppedProgram.film(
            isServed ? server.address("/film.m3u8") : folder.path + "/film.m3u8", isPaused: false,
            asked: LaunchOverrides(start: .seconds(12)))
        #expect(program.told == nil)
        try program.expectToast("Part of the video is missing")
        #expect(try program.position > .milliseconds(13_500) && program.position < .seconds(16))
        try program.run("the message is gone") { $0.told == nil }
        try program.run("what comes after the segment") { try $0.position > .seconds(18) }
        #expect(program.told == nil)
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
