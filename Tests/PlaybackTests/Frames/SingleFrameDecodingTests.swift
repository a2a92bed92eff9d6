import Foundation
import GlissadeGeometry
import GlissadePicture
import Testing
import GlissadeTestSupport
import GlissadeTime

@testable import GlissadeMedia
@testable import GlissadePlayback

/// One frame of a media, decoded once more.
@MainActor @Suite("Decoding single frames", .serialized) struct SingleFrameDecodingTests {
    private func number(_ bitmap: Bitmap) -> Int { bitmap.withPicture { NumberedFrames.number(in: $0) } }

    @Test(
        "A single decoded frame is exactly the one the player shows, whatever the container",
        arguments: ["mp4", "mkv", "ts", "avi"])
    func exact(kind: String) throws {
        let path = try Clips.film(kind)
        let harness = PlaybackHarness(path, options: .paused)
        harness.open()
        harness.pauseAtStart()
        for position in [0, 40, 1000, 1990, 3960] {
            guard let shown = harness.seek(to: .milliseconds(position)) else {
                Issue.record("nothing is shown at \(position) ms")
                continue
            }
            let bitmap = try decodePicture(of: path, at: shown.time)
            #expect(number(bitmap) == shown.number, "at \(position) ms")
            #expect(bitmap.size == PixelSize(width: 160, height: 90))
        }
    }

    @Test(
        "A single decoded frame is the player's for frame rates that are not whole numbers",
        arguments: ["mp4", "mkv", "ts", "avi"])
    func unevenTimes(kind: String) throws {
        let path = try Clips.file(
            "uneven.\(kind)", ffmpeg: NumberedFrames.source(seconds: 2, rate: "30000/1001") + NumberedFrames.h264)
        let harness = PlaybackHarness(path)
        harness.open()
        #expect(harness.runToEnd())
        #expect(harness.shown.count >= 59)
        for index in stride(from: 0, to: harness.shown.count, by: 7) {
            let shown = harness.shown[index]
            #expect(number(try decodePicture(of: path, at: shown.time)) == shown.number)
        }
    }

    @Test("In a later round of a loop the decoded frame is that of the first")
    func loop() throws {
        let path = try Clips.film()
        var options = PlayerOptions()
        options.isLooping = true
        let harness = PlaybackHarness(path, options: options)
        harness.open()
        #expect(harness.run { harness.shown.count > 130 })
        let shown = try #require(harness.last)
        #expect(shown.time > MediaTime(seconds: 4))
        #expect(number(try decodePicture(of: path, at: harness.player.wrapped(shown.time))) == shown.number)
    }

    @Test("Between two frame times the decoded frame is the one on screen")
    func between() throws {
        let path = try Clips.film()
        let bitmap = try decodePicture(of: path, at: MediaTime(seconds: 1.039))
        #expect(number(bitmap) == 25)
    }

    @Test("A single decoded frame is upright with square pixels")
    func shape() throws {
        let path = try Clips.file(
            "oblong.mkv",
            ffmpeg: NumberedFrames.source(seconds: 0.2, first: 9)
                + ["-vf", "setsar=2/1", "-c:v", "ffv1"])
        #expect(try decodePicture(of: path, at: .zero).size == PixelSize(width: 320, height: 90))
        let flat = try Clips.file("flat-film.mp4", ffmpeg: ["-i", try Clips.film(), "-c", "copy"])
        let turned = try Clips.turned(flat, by: 90, name: "turned-film.mp4")
        #expect(try decodePicture(of: turned, at: .zero).size == PixelSize(width: 90, height: 160))
    }

    @Test(
        "Samples of more than 8 bits and RGB decode to the same picture",
        arguments: ["yuv420p10le", "gbrp", "nv12", "yuv422p12le", "gray"])
    func formats(format: String) throws {
        let codec = format == "nv12" ? "rawvideo" : "ffv1"
        let path = try Clips.file(
            "one-\(format).nut",
            ffmpeg: NumberedFrames.source(seconds: 0.2, first: 9, format: format) + ["-c:v", codec])
        #expect(number(try decodePicture(of: path, at: .zero)) == 9)
    }

    @Test("Files without video, other files and missing files say so")
    func nothing() throws {
        let audio = try Clips.audio()
        #expect(throws: PlaybackError.self) { try decodePicture(of: audio, at: .zero) }
        let noise = try Clips.file("noise.mp4", data: Data(repeating: 7, count: 5000))
        let empty = try Clips.file("empty.mp4", data: Data())
        for path in [noise, empty, Clips.folder.path + "/gone.mp4", Clips.folder.path, ""] {
            #expect(throws: PlaybackError.self) { try decodePicture(of: path, at: .zero) }
        }
    }

    @Test("Decoding beyond the end, and a timeout of zero, end with an error")
    func beyond() throws {
        let path = try Clips.film()
        _ = try? decodePicture(of: path, at: MediaTime(seconds: 1e6))
        #expect(throws: PlaybackError.self) { try decodePicture(of: path, at: .zero, timeout: .zero) }
    }

    @Test("A PNG of the frame decodes to the same pixels")
    func png() throws {
        let bitmap = try decodePicture(of: try Clips.film(), at: MediaTime(seconds: 1))
        let data = try encodePNG(bitmap.pixels, size: bitmap.size, order: .bgra)
        let path = try Clips.file("written.png", data: Data(data))
        let again = try decodePicture(of: path, at: .zero)
        #expect(again.size == bitmap.size)
        #expect(again.pixels == bitmap.pixels)
    }

    @Test("An empty bitmap, or one with too few bytes, gives no PNG")
    func noPNG() {
        #expect(throws: ImageWriteError.self) {
            try encodePNG([], size: PixelSize(width: 0, height: 0), order: .rgba)
        }
        #expect(throws: ImageWriteError.self) {
            try encodePNG([0, 0, 0, 0], size: PixelSize(width: 2, height: 2), order: .rgba)
        }
        #expect(throws: ImageWriteError.self) {
            try encodePNG([0, 0, 0, 0], size: PixelSize(width: .max, height: 2), order: .rgba)
        }
    }
}
