import GlissadeCFFmpeg
import Foundation
import GlissadeGeometry
import GlissadePicture
import Testing
import GlissadeTestSupport
import GlissadeTime

@testable import GlissadeMedia
@testable import GlissadePlayback

/// Files that ask for more memory than a media may take.
@MainActor @Suite("Memory budget", .serialized) struct MemoryBudgetTests {
    private func file(_ name: String, _ bytes: @autoclosure () -> [UInt8]) throws -> String {
        try Clips.file(name, data: Data(bytes()))
    }

    private func size(_ path: String) throws -> PixelSize? { try MediaInfo(opening: path).codedSize }

    /// What tells nothing else of its size.
    private static let damaged = [UInt8](repeating: 0, count: 100)
    private static let small = BlankPNG.file(width: 64, height: 64)
    /// 36 million pixels, in 140 MiB and 900 kB.
    private static let large = BlankPNG.file(width: 6000, height: 6000)

    // MARK: - Pictures

    @Test("A frame far larger than its container declares is not decoded when probing the file")
    func largerThanDeclared() throws {
        let path = try file(
            "large-inside.mkv",
            Matroska.file(
                tracks: [Matroska.pngTrack(width: 64, height: 64)], blocks: [Matroska.block(1, at: 0, Self.large)]))
        var found: PixelSize?
        var poster: Bitmap?
        let growth = try ProcessStatus.peakGrowth {
            found = try size(path)
            var source = try ThumbnailSource(location: path, isInterrupted: { false })
            poster = source.picture(at: 0, fitting: PixelSize(width: 320, height: 180))
        }
        #expect(found == PixelSize(width: 64, height: 64) && poster == nil)
        #expect(growth < 48 << 20)
    }

    @Test("A stream found only while reading, far larger than declared, is not decoded when probing")
    func largerThanKnown() throws {
        let path = try Clips.file(
            "large.mpg",
            ffmpeg: ["-v", "fatal", "-f", "lavfi", "-i", "color=c=black:s=6144x6144:r=25:d=0.08"]
                + ["-c:v", "mpeg2video", "-qscale:v", "30", "-f", "vob"])
        var found: PixelSize?
        let growth = try ProcessStatus.peakGrowth { found = try size(path) }
        #expect(found != PixelSize(width: 6144, height: 6144))
        #expect(growth < 48 << 20)
    }

    @Test("Frames declared too large by the container are refused in one line", arguments: ["mkv", "avi"])
    func tooLarge(kind: String) throws {
        let path = try file(
            "too-large.\(kind)",
            kind == "avi"
                ? RIFF.avi(codec: "MPNG", width: 11_584, height: 11_584, frames: [Self.damaged])
                : Matroska.file(
                    tracks: [Matroska.pngTrack(width: 11_584, height: 11_584)],
                    blocks: [Matroska.block(1, at: 0, Self.damaged)]))
        let harness = PlaybackHarness(path)
        #expect(harness.runToEnd())
        guard case .failed(let error) = harness.player.state else {
            Issue.record("it should fail")
            return
        }
        #expect(error.description == "video of 11584×11584 is too large (at most 8192×4320)")
    }

    @Test("An 8K frame, in either orientation, is within the limits, and one line more is not")
    func sizes() {
        for (width, height) in [(8192, 4320), (4320, 8192), (7680, 4320), (0, 0)] as [(CInt, CInt)] {
            #expect(MemoryBudget.fits(width: width, height: height))
        }
        for (width, height) in [(8192, 4353), (32_768, 16), (16, 16_385), (.max, .max)] as [(CInt, CInt)] {
            #expect(!MemoryBudget.fits(width: width, height: height))
        }
    }

    @Test("Frames that become too large midway are reported, and the others are shown")
    func growing() throws {
        let blocks = [Self.small, Self.large, Self.small].enumerated().map {
            Matroska.block(1, at: Int16($0.offset * 40), $0.element)
        }
        let path = try file(
            "growing.mkv",
            Matroska.file(tracks: [Matroska.pngTrack(width: 64, height: 64)], blocks: blocks, duration: 120))
        let harness = PlaybackHarness(path)
        var ended = false
        let growth = try ProcessStatus.peakGrowth { ended = harness.runToEnd() }
        #expect(ended && harness.player.state == .ended)
        #expect(harness.shown.count == 2)
        #expect(
            harness.problems.map(\.description).contains(
                "its video cannot be played: its dimensions are zero or too large"))
        #expect(growth < 64 << 20)
    }

    @Test("Many streams share the memory for probing")
    func manyStreams() throws {
        let picture = BlankPNG.file(width: 3000, height: 3000)
        let numbers = UInt8(1)...16
        let path = try file(
            "many.mkv",
            Matroska.file(
                tracks: numbers.map { Matroska.pngTrack($0, width: 64, height: 64) },
                blocks: numbers.map { Matroska.block($0, at: 0, picture) }))
        var count = 0
        let growth = try ProcessStatus.peakGrowth { count = try MediaInfo(opening: path).tracks.count }
        #expect(count == 16)
        #expect(growth < 96 << 20)
    }

    @Test("Larger frames get fewer decoder threads, while 4K frames get all of them")
    func threads() {
        func count(_ width: CInt, _ height: CInt, _ format: AVPixelFormat, film: Int = 1 << 30) -> Int {
            var parameters = AVCodecParameters()
            (parameters.width, parameters.height, parameters.format) = (width, height, format.rawValue)
            return MemoryBudget(film: film).frameThreads(16, for: parameters)
        }
        #expect(count(1920, 1080, AV_PIX_FMT_YUV420P) == 16)
        #expect(count(3840, 2160, AV_PIX_FMT_YUV420P10LE) == 16)
        #expect((4..<16).contains(count(7680, 4320, AV_PIX_FMT_YUV420P)))
        #expect(count(7680, 4320, AV_PIX_FMT_RGBA64LE) == 1)
        #expect(count(3840, 2160, AV_PIX_FMT_YUV420P10LE, film: 256 << 20) == 1)
        #expect(count(0, 0, AV_PIX_FMT_NONE) == 16)
    }

    @Test("A video may use at most a gibibyte and a quarter of the machine's memory")
    func film() {
        let machine = sysconf(CInt(_SC_PHYS_PAGES)) * sysconf(CInt(_SC_PAGESIZE))
        #expect(MemoryBudget.standard.film == min(1 << 30, machine / 4))
        #expect(MemoryBudget(film: 1 << 30).pictures + MemoryBudget.packets == 1 << 30)
        #expect(MemoryBudget(film: 64 << 20).pictures > 0)
    }

    @Test("Converted frames count while anything holds them, and none is made beyond the budget")
    func converted() throws {
        var source = av_frame_alloc()
        defer { av_frame_free(&source) }
        let frame = try #require(source)
        (frame.pointee.width, frame.pointee.height, frame.pointee.format) = (64, 64, AV_PIX_FMT_RGB24.rawValue)
        try #require(av_frame_get_buffer(frame, 0) >= 0)
        let budget = ByteBudget(limit: 2 * 64 * 64 * 4)
        var converter = SwscaleConverter(budget: budget)
        var first = converter.convert(frame, sizeLimit: 4096, reducesDepth: true)
        var second = converter.convert(frame, sizeLimit: 4096, reducesDepth: true)
        let areMade = first != nil && second != nil
        #expect(areMade && budget.used == budget.limit)
        let isThird = converter.convert(frame, sizeLimit: 4096, reducesDepth: true) != nil
        #expect(!isThird)
        first = nil
        #expect(budget.used == budget.limit / 2)
        second = nil
        #expect(budget.used == 0)
    }

    // MARK: - Sound

    @Test(
        "Audio at an impossible sample rate is refused in one line",
        arguments: [(1, "1 Hz"), (8, "8 Hz"), (2_147_483_647, "2147483647 Hz")])
    func rates(rate: UInt32, words: String) throws {
        let path = try file("rate-\(rate).wav", RIFF.wave(rate: rate, [UInt8](repeating: 128, count: 65_000)))
        let harness = PlaybackHarness(path, audio: .silent)
        let growth = try ProcessStatus.peakGrowth { _ = harness.runToEnd() }
        guard case .failed(let error) = harness.player.state else {
            Issue.record("it should fail")
            return
        }
        #expect(error.description == "unsupported sample rate (\(words))")
        #expect(growth < 32 << 20)
    }

    @Test("A video whose audio has an impossible sample rate plays without it and says so")
    func filmAtNoRate() throws {
        let path = try file(
            "no-rate.mkv",
            Matroska.file(
                tracks: [Matroska.pngTrack(width: 64, height: 64), Matroska.pcmTrack(2, rate: 1)],
                blocks: [
                    Matroska.block(1, at: 0, Self.small),
                    Matroska.block(2, at: 0, [UInt8](repeating: 128, count: 40_000)),
                    Matroska.block(1, at: 40, Self.small),
                ], duration: 80))
        let harness = PlaybackHarness(path, audio: .silent)
        #expect(harness.runToEnd() && harness.player.state == .ended)
        #expect(!harness.shown.isEmpty)
        #expect(harness.problems.map(\.description) == ["its audio cannot be played: unsupported sample rate (1 Hz)"])
    }

    // MARK: - Text and chapters

    @Test("A title of megabytes is cut to two kibibytes without splitting a character")
    func title() throws {
        for (name, letter) in [("plain", "x"), ("accents", "e\u{301}"), ("signs", "世"), ("faces", "a😀")] {
            let text = String(repeating: letter, count: 500_000)
            let path = try file(
                "title-\(name).mkv",
                Matroska.file(
                    tracks: [Matroska.pngTrack(width: 64, height: 64)], blocks: [Matroska.block(1, at: 0, Self.small)],
                    info: [Matroska.Element(Matroska.ID.title, text: text)]))
            let title = try #require(try MediaInfo(opening: path).title)
            #expect((2045...2048).contains(title.utf8.count), "\(name)")
            #expect(text.utf8.starts(with: title.utf8) && !title.unicodeScalars.contains("\u{FFFD}"), "\(name)")
        }
    }

    @Test("An invalid UTF-8 title is no longer than a valid one")
    func brokenTitle() throws {
        let path = try file(
            "title-broken.mkv",
            Matroska.file(
                tracks: [Matroska.pngTrack(width: 64, height: 64)], blocks: [Matroska.block(1, at: 0, Self.small)],
                info: [Matroska.Element(Matroska.ID.title, [UInt8](repeating: 0xFF, count: 100_000))]))
        #expect(try MediaInfo(opening: path).title?.utf8.count ?? 0 <= 2048)
    }

    @Test("Of thousands of chapters the first thousand are kept")
    func chapters() throws {
        let chapters = (0..<3000).map { number in
            Matroska.Element(
                Matroska.ID.chapter,
                [
                    Matroska.Element(0x73C4, number: UInt64(number + 1)),
                    Matroska.Element(0x91, number: UInt64(number) * 1_000_000),
                    Matroska.Element(0x80, [Matroska.Element(0x85, text: "Chapter \(number)")]),
                ])
        }
        let edition = Matroska.Element(Matroska.ID.edition, chapters)
        let path = try file(
            "thousands-of-chapters.mkv",
            Matroska.file(
                tracks: [Matroska.pngTrack(width: 64, height: 64)], blocks: [Matroska.block(1, at: 0, Self.small)],
                more: [Matroska.Element(Matroska.ID.chapters, [edition])]))
        let info = try MediaInfo(opening: path)
        #expect(info.chapters.count == 1000)
        #expect(info.chapters.first?.title == "Chapter 0" && info.chapters.last?.title == "Chapter 999")
    }

    // MARK: - Packets

    @Test("Audio that waits for a seek's keyframe is limited in bytes, and that of other streams to half as much")
    func heldAudio() throws {
        func packet(_ bytes: Int) throws -> Packet {
            let packet = try Packet()
            try #require(av_new_packet(packet.pointer, CInt(bytes)) >= 0)
            return packet
        }
        let next = try packet(1 << 20)
        var held = PendingAudio()
        var roomsForOthers = 0
        while held.hasRoom(for: next, isPlaying: true), held.count < 100 {
            if held.hasRoom(for: next, isPlaying: false) { roomsForOthers += 1 }
            held.append(try packet(1 << 20))
        }
        let count = held.count
        #expect(count == 15 && roomsForOthers == 7)
        _ = held.popFirst()
        let hasRoomAgain = held.hasRoom(for: next, isPlaying: true)
        #expect(hasRoomAgain)
        held.removeAll()
        let (rest, isEmpty) = (held.count, held.hasRoom(for: try packet(1 << 22), isPlaying: false))
        #expect(rest == 0 && isEmpty)
    }
}
