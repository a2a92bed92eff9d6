import Foundation
import GlissadeMedia
import GlissadeTestSupport
import Testing
import GlissadeTime

@testable import GlissadeLibrary

/// What the details page says.
@Suite("Media details")
struct MediaDetailsTests {
    private func details(_ name: String, _ data: Data) throws -> (MediaDetails, Scene) {
        let scene = try Scene()
        let path = try scene.file(name, data)
        return (MediaDetails(try MediaInfo(opening: path.location), of: path.location), scene)
    }

    private func value(_ details: MediaDetails, _ section: String, _ label: String) -> String? {
        details.sections.first { $0.title == section }?.lines.first { $0.label == label }?.value
    }

    @Test("The details of a video list each of its tracks")
    func everything() throws {
        let (details, scene) = try details("a film.mkv", try Films.everything())
        #expect(details.sections.map(\.title) == ["File", "Video", "Audio 1", "Audio 2", "Subtitles", "Chapters"])
        #expect(value(details, "File", "Name") == "a film.mkv")
        #expect(value(details, "File", "Folder") == scene.path)
        #expect(value(details, "File", "Title") == "A\u{FFFD}film")
        #expect(value(details, "File", "Container") == "matroska,webm")
        #expect(value(details, "File", "Length") == "0:02")
        #expect(value(details, "File", "Size")?.hasSuffix("KiB") == true)
        #expect(value(details, "File", "Bit rate")?.hasSuffix("kbit/s") == true)
        #expect(value(details, "Video", "Codec") == "h264")
        #expect(value(details, "Video", "Profile") == "High")
        #expect(value(details, "Video", "Size") == "640×360")
        #expect(value(details, "Video", "Aspect") == "16:9")
        #expect(value(details, "Video", "Frame rate") == "25 frames/s")
        #expect(value(details, "Video", "Pixel format") == "yuv420p")
        #expect(value(details, "Video", "Rotation") == nil)
        #expect(value(details, "Audio 1", "Sample rate") == "48000 Hz")
        #expect(value(details, "Audio 1", "Channels") == "mono")
        #expect(value(details, "Audio 1", "Language") == nil)
        #expect(value(details, "Audio 2", "Language") == "fin")
        #expect(value(details, "Subtitles", "Codec") == "subrip")
        let chapters = try #require(details.sections.last).lines
        #expect(chapters == [.init("0:00", "Start"), .init("0:01", "Chapter 2")])
    }

    @Test("A cover is not listed as video, and rotation and aspect ratio are shown")
    func kinds() throws {
        #expect(try details("r.mp3", try Films.record()).0.sections.map(\.title) == ["File", "Cover", "Audio"])
        let turned = try details("t.mp4", try Films.turned()).0
        #expect(
            value(turned, "Video", "Rotation") == "90° clockwise"
                || value(turned, "Video", "Rotation") == "270° clockwise")
        #expect(value(turned, "Video", "Aspect") == "9:16")
        #expect(value(turned, "Video", "Mirrored") == nil)
        let mirrored = Data(TurnedMP4.placing([UInt8](try Films.turned()), [-1, 0, 0, 1]))
        #expect(value(try details("m.mp4", mirrored).0, "Video", "Mirrored") == "left to right")
        let wide = try details("w.mkv", try Films.wide()).0
        #expect(value(wide, "Video", "Pixel aspect") == "2.00")
        #expect(value(wide, "Video", "Aspect") == "2.67:1")
    }

    @Test("Every line of the details is a single non-empty line, whatever the file is called")
    func lines() throws {
        let (details, _) = try details("a\nb\u{202E}c.mkv", try Films.everything())
        #expect(value(details, "File", "Name") == "a\u{FFFD}b\u{FFFD}c.mkv")
        for line in details.sections.flatMap(\.lines) {
            #expect(!line.value.isEmpty && !line.value.contains("\n") && !line.label.isEmpty)
        }
    }

    @Test("A URL is shown as it is")
    func address() throws {
        let scene = try Scene()
        let path = try scene.file("a.flac", try Films.audio())
        let details = MediaDetails(try MediaInfo(opening: path.location), of: "http://host/a.flac")
        #expect(value(details, "File", "Address") == "http://host/a.flac")
        #expect(value(details, "File", "Folder") == nil)
    }

    @Test("Standard input is called by its name")
    func standardInput() throws {
        let scene = try Scene()
        let path = try scene.file("a.flac", try Films.audio())
        let details = MediaDetails(try MediaInfo(opening: path.location), of: StandardInput.location)
        #expect(value(details, "File", "Name") == "standard input")
        #expect(value(details, "File", "Address") == nil && value(details, "File", "Folder") == nil)
    }
}

/// How quantities are written.
@Suite("Media formatter")
struct MediaFormatterTests {
    @Test(
        "Durations show hours only if there are any",
        arguments: [
            (0, "0:00", "0:00.00"), (7, "0:07", "0:07.00"), (59.996, "1:00", "1:00.00"), (61.234, "1:01", "1:01.23"),
            (3599.6, "1:00:00", "59:59.60"), (3723.45, "1:02:03", "1:02:03.45"), (360_000, "100:00:00", "100:00:00.00"),
            (-5, "0:00", "0:00.00"),
        ])
    func length(seconds: Double, length: String, exact: String) {
        #expect(MediaFormatter.length(.nanoseconds(Int64(clampingNanoseconds: seconds))) == length)
        #expect(MediaFormatter.exactLength(.nanoseconds(Int64(clampingNanoseconds: seconds))) == exact)
    }

    @Test(
        "A position shows hours whenever the duration has them",
        arguments: [
            (0, 65, "0:00", "-1:05"), (7.999, 65, "0:07", "-0:58"), (65, 65.9, "1:05", "-0:00"),
            (7, 3600, "0:00:07", "-0:59:53"), (725, 7200, "0:12:05", "-1:47:55"), (3723, 7200, "1:02:03", "-0:57:57"),
            (3723, 65, "1:02:03", "-0:00"), (-5, 65, "0:00", "-1:05"), (0, -5, "0:00", "-0:00"),
        ])
    func position(seconds: Double, length: Double, position: String, remaining: String) {
        let (place, whole) = (Duration.seconds(seconds), Duration.seconds(length))
        #expect(MediaFormatter.position(place, of: whole) == position)
        #expect(MediaFormatter.remaining(place, of: whole) == remaining)
    }

    @Test(
        "An unknown position is shown as a dash, and with an unknown duration the position decides about hours"
    )
    func unknownPosition() {
        #expect(MediaFormatter.position(nil, of: .seconds(5)) == "–:––" && MediaFormatter.position(nil) == "–:––")
        #expect(
            MediaFormatter.remaining(.seconds(5), of: nil) == "–:––" && MediaFormatter.remaining(nil, of: nil) == "–:––"
        )
        #expect(MediaFormatter.position(.seconds(59)) == "0:59" && MediaFormatter.position(.seconds(3600)) == "1:00:00")
        let longest = Duration.seconds(Int64.max)
        // As far as nanoseconds go, 292 years.
        #expect(MediaFormatter.position(longest, of: .zero) == "2562047:47:17")
        #expect(MediaFormatter.remaining(.zero, of: longest) == "-2562047:47:17")
    }

    @Test(
        "Sizes use the unit that leaves three digits",
        arguments: [
            (0, "0 bytes"), (1, "1 byte"), (1023, "1023 bytes"), (1024, "1.00 KiB"), (1536, "1.50 KiB"),
            (1 << 20, "1.00 MiB"), (1_471_026_299, "1.37 GiB"), (1 << 40, "1.00 TiB"), (Int.max, "8.00 EiB"),
        ])
    func size(bytes: Int, text: String) {
        #expect(MediaFormatter.size(bytes) == text)
    }

    @Test(
        "Frame, sample and bit rates are formatted with their units",
        arguments: [(0, "0 kbit/s"), (128_000, "128 kbit/s"), (24_500_000, "24.50 Mbit/s")])
    func rate(bits: Int, text: String) {
        #expect(MediaFormatter.bitRate(bits) == text)
    }

    @Test(
        "Numbers have two decimals, or as many as are significant",
        arguments: [
            (25, "25.00", "25"), (23.976, "23.98", "23.98"), (29.5, "29.50", "29.5"), (-0.5, "-0.50", "-0.5"),
            (.nan, "–", "–"), (.infinity, "–", "–"), (1e300, "–", "–"), (100, "100.00", "100"),
        ])
    func number(value: Double, number: String, short: String) {
        #expect(MediaFormatter.number(value) == number)
        #expect(MediaFormatter.shortNumber(value) == short)
    }
}
