import Foundation
import Testing
import GlissadeTestSupport
import GlissadeTime

@testable import GlissadeMedia
@testable import GlissadePlayback

@MainActor @Suite("The variants of a stream", .serialized)
struct VariantTests {
    private func harness(
        _ name: String, lines: Int? = nil, speed: Double = 1, audio: PlayerOptions.Audio = .silent
    ) throws -> (PlaybackHarness, HostileServer) {
        try StreamVariants.makeHLS()
        let server = try Web.server()
        var options = PlayerOptions()
        options.network = Web.rules()
        options.screenLines = lines
        options.speed = speed
        return (PlaybackHarness(server.address("/" + name), options: options, audio: audio), server)
    }

    @Test("The variants of an HLS stream are listed from the best to the worst, and the best one plays")
    func listing() throws {
        let (harness, server) = try harness("variants.m3u8")
        let info = try #require(harness.open())
        #expect(info.variants.map(\.height) == [180, 90])
        #expect(info.variants.map(\.bitRate) == [900_000, 200_000])
        #expect(info.variants.map(\.frameRate) == [25, 25])
        #expect(harness.player.currentVariant == 0)
        #expect(harness.player.audioTracks.count == 1)
        _ = consume server
    }

    @Test(
        "A change of variant continues with the next frame, at the same speed, and keeps audio playing",
        arguments: ["", "no-ranges/"])
    func joining(mode: String) throws {
        let (harness, server) = try harness(mode + "variants.m3u8", speed: 1.5)
        harness.open()
        #expect(harness.run { harness.shown.count >= 25 })
        for (index, height) in [(1, 90), (0, 180)] {
            #expect(harness.player.selectQuality(.variant(index), now: harness.now))
            #expect(harness.player.speed == 1.5)
            #expect(harness.run(toHeight: height))
            let count = harness.shown.count
            #expect(harness.run { harness.shown.count >= count + 50 })
            #expect(harness.player.currentVariant == index)
            #expect(harness.player.selectedAudioTrack == harness.player.info?.audioTrack)
        }
        #expect(harness.isContinuous())
        #expect(harness.player.generation == 0 && harness.player.audioGeneration == 0)
        #expect(harness.problems.isEmpty)
        _ = consume server
    }

    @Test("A change of variant keeps a pause and its position, and replaces the frame on show")
    func paused() throws {
        let (harness, server) = try harness("variants.m3u8")
        harness.open()
        #expect(harness.run { harness.shown.count >= 25 })
        harness.player.pause(now: harness.now)
        let last = try #require(harness.last)
        let position = harness.player.position(at: harness.now)
        harness.player.selectQuality(.variant(1), now: harness.now)
        #expect(harness.run(toHeight: 90))
        #expect(harness.last?.number == last.number)
        #expect(harness.run { harness.player.state == .paused && !harness.player.isSeeking })
        #expect(abs((harness.player.position(at: harness.now) - position).inSeconds) < 0.04)
        harness.player.play(now: harness.now)
        let count = harness.shown.count
        #expect(harness.run { harness.shown.count >= count + 25 })
        #expect(harness.isContinuous(from: count))
        _ = consume server
    }

    @Test("After a change of variant, seeks and the end are those of the new variant")
    func seeking() throws {
        let (harness, server) = try harness("variants.m3u8")
        harness.open()
        #expect(harness.run { harness.shown.count >= 10 })
        harness.player.selectQuality(.variant(1), now: harness.now)
        #expect(harness.run(toHeight: 90))
        let shown = harness.seek(to: .seconds(StreamVariants.seconds - 1))
        // The stream begins with audio, a little before the first frame.
        let wanted = (StreamVariants.seconds - 1) * 25 & 255
        #expect(shown.map { (wanted - 3...wanted).contains($0.number) && $0.codedSize.height == 90 } == true)
        #expect(harness.runToEnd())
        #expect(harness.player.state == .ended)
        _ = consume server
    }

    @Test(
        "A variant that cannot be read is refused, and the old one goes on without a missing frame",
        arguments: ["status=404", "stall=1000", "garbage"])
    func broken(mode: String) throws {
        try StreamVariants.makeHLS()
        let copy = try StreamVariants.copy(of: "v0", mode: mode, from: 1, as: "broken-\(mode.prefix(6))")
        // Opened first, the working variant is the only one that FFmpeg can probe.
        let master = StreamVariants.master([("v1.m3u8", 160, 90, 200_000), (copy, 320, 180, 900_000)])
        _ = try Clips.file("broken-\(mode.prefix(6))-master.m3u8", data: Data(master.utf8))
        let (harness, server) = try harness("broken-\(mode.prefix(6))-master.m3u8", lines: 90)
        guard let info = harness.open(), info.variants.count == 2 else {
            // FFmpeg has found no video in it, so it is not offered.
            #expect(harness.player.variants.isEmpty)
            #expect(harness.run { harness.shown.count >= 25 })
            return #expect(harness.isContinuous())
        }
        #expect(harness.run { harness.shown.count >= 25 })
        harness.player.selectQuality(.variant(0), now: harness.now)
        #expect(harness.run { harness.player.variantState.refused == [0] })
        let count = harness.shown.count
        #expect(harness.run { harness.shown.count >= count + 75 })
        #expect(harness.isContinuous())
        // The frame may be shown before the player is told.
        #expect(harness.run { harness.player.currentVariant == 1 })
        #expect(harness.player.quality == .automatic)
        #expect(harness.problems.contains { $0.description.hasPrefix("its 180p variant cannot be played") })
        _ = consume server
    }

    @Test("A stream opens without the variants of which nothing can be read, wherever they are in the list")
    func missing() throws {
        try StreamVariants.makeHLS()
        let segments = try StreamVariants.copy(of: "v0", mode: "status=404", as: "missing-segments")
        for (number, order) in [[0, 1, 2, 3], [3, 2, 1, 0]].enumerated() {
            let variants = [
                (segments, 320, 180, 900_000), ("v1.m3u8", 160, 90, 200_000), ("v0.m3u8", 320, 180, 800_000),
                ("no-such.m3u8", 320, 180, 700_000),
            ]
            let name = "missing-\(number).m3u8"
            let master = StreamVariants.master(order.map { variants[$0] })
            _ = try Clips.file(name, data: Data(master.utf8))
            let (harness, server) = try harness(name, audio: .none)
            let opened = harness.open()
            let info = try #require(opened, "\(harness.player.state)")
            #expect(info.variants.map(\.bitRate) == [800_000, 200_000])
            #expect(harness.run { harness.shown.count >= 25 })
            _ = consume server
        }
        _ = try Clips.file(
            "nothing.m3u8", data: Data(StreamVariants.master([(segments, 320, 180, 1), (segments, 160, 90, 2)]).utf8))
        let server = try Web.server()
        #expect(Web.refusal(server.address("/nothing.m3u8")) == "HTTP error 404 Made Up")
    }

    @Test("The automatic choice has no more lines than the screen, and follows the screen")
    func lines() throws {
        let (harness, server) = try harness("variants.m3u8", lines: 100)
        harness.open()
        #expect(harness.run { harness.shown.count >= 25 })
        #expect(harness.last?.codedSize.height == 90)
        harness.player.screenLines = 1080
        #expect(harness.run(toHeight: 180))
        #expect(harness.player.quality == .automatic)
        #expect(harness.isContinuous())
        _ = consume server
    }

    @Test("The screen's lines count for the first choice even if they become known after the player was created")
    func linesWhileOpening() throws {
        let (harness, server) = try harness("late=300/variants.m3u8")
        harness.player.screenLines = 100
        harness.open()
        #expect(harness.nextFrame()?.codedSize.height == 90)
        #expect(harness.player.currentVariant == 1)
        _ = consume server
    }

    @Test("The automatic choice is a variant that the connection can carry")
    func rate() throws {
        try StreamVariants.makeHLS()
        let slow = try StreamVariants.copy(of: "v0", mode: "rate=40000", as: "slow-best")
        let cheap = try StreamVariants.copy(of: "v1", mode: "rate=40000", as: "slow-cheap")
        let master = StreamVariants.master([(slow, 320, 180, 900_000), (cheap, 160, 90, 200_000)])
        _ = try Clips.file("slow-master.m3u8", data: Data(master.utf8))
        let (harness, server) = try harness("slow-master.m3u8")
        harness.open()
        #expect(harness.run(toHeight: 90))
        // The frame may be shown before the player is told.
        #expect(harness.run { harness.player.currentVariant == 1 })
        #expect(harness.player.quality == .automatic)
        _ = consume server
    }

    @Test("Absurd bit rates, sizes and names in a playlist are no obstacle")
    func absurd() throws {
        try StreamVariants.makeHLS()
        let name = String(repeating: "n", count: 10_000)
        let master =
            "#EXTM3U\n"
            + "#EXT-X-STREAM-INF:BANDWIDTH=99999999999999999999,RESOLUTION=99999999x99999999,NAME=\"\(name)\"\nv0.m3u8\n"
            + "#EXT-X-STREAM-INF:BANDWIDTH=-5,RESOLUTION=-1x0,NAME=\"\(name)\",VIDEO=\"\(name)\"\nv1.m3u8\n"
        _ = try Clips.file("absurd.m3u8", data: Data(master.utf8))
        let (harness, server) = try harness("absurd.m3u8")
        let info = try #require(harness.open())
        #expect(info.variants.map(\.height) == [180, 90])
        #expect(info.variants.allSatisfy { $0.bitRate ?? 1 > 0 })
        #expect(harness.run { harness.shown.count >= 25 })
        _ = consume server
    }

    @Test("Of more than a hundred variants, the first ones are offered")
    func many() throws {
        try StreamVariants.makeHLS()
        let list = try String(contentsOfFile: Clips.folder.path + "/v1.m3u8", encoding: .utf8)
        var variants: [(address: String, width: Int, height: Int, bitRate: Int)] = []
        for index in 0..<120 {
            _ = try Clips.file("many-\(index).m3u8", data: Data(list.utf8))
            variants.append(("many-\(index).m3u8", 160, 90, 200_000 + index))
        }
        _ = try Clips.file("many.m3u8", data: Data(StreamVariants.master(variants).utf8))
        let (harness, server) = try harness("many.m3u8", audio: .none)
        let info = try #require(harness.open())
        #expect(info.variants.count == StreamVariant.limit)
        #expect(info.variants.allSatisfy { $0.height == 90 && $0.bitRate ?? 0 >= 200_000 })
        #expect(harness.run { harness.shown.count >= 25 })
        _ = consume server
    }
}
