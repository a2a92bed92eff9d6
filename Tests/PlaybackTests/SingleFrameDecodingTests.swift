import Foundation
import Geometry
import Picture
import Testing
import Time

@testable import Media
@testable import Playback

/// One frame of a media, decoded once more.
@MainActor @Suite("Decoding one frame", .serialized) struct SingleFrameDecodingTests {
    private func number(_ bitmap: Bitmap) -> Int { bitmap.withPicture { FrameCode.number(in: $0) } }

    @Test("It is the very frame that the player shows, whatever the container", arguments: ["mp4", "mkv", "ts", "avi"])
    func exact(kind: String) throws {
        let path = try Clips.film(kind)
        let viewing = Viewing(path, options: .paused)
        viewing.open()
        viewing.pauseAtStart()
        for position in [0, 40, 1000, 1990, 3960] {
            guard let shown = viewing.seek(to: .milliseconds(position)) else {
                Issue.record("nothing is shown at \(position) ms")
                continue
            }
            let bitmap = try decodePicture(of: path, at: shown.time)
            #expect(number(bitmap) == shown.number, "at \(position) ms")
            #expect(bitmap.size == PixelSize(width: 160, height: 90))
        }
    }

    @Test("So it is where frames have no round times", arguments: ["mp4", "mkv", "ts", "avi"])
    func unevenTimes(kind: String) throws {
        let path = try Clips.file(
            "uneven.\(kind)", ffmpeg: FrameCode.source(seconds: 2, rate: "30000/1001") + FrameCode.h264)
        let viewing = Viewing(path)
        viewing.open()
        #expect(viewing.runToEnd())
        #expect(viewing.shown.count >= 59)
        for index in stride(from: 0, to: viewing.shown.count, by: 7) {
            let shown = viewing.shown[index]
            #expect(number(try decodePicture(of: path, at: shown.time)) == shown.number)
        }
    }

    @Test("In a later round of a loop it is the frame of the first")
    func loop() throws {
        let path = try Clips.film()
        var options = PlayerOptions()
        options.isLooping = true
        let viewing = Viewing(path, options: options)
        viewing.open()
        #expect(viewing.run { viewing.shown.count > 130 })
        let shown = try #require(viewing.last)
        #expect(shown.time > MediaTime(seconds: 4))
        #expect(number(try decodePicture(of: path, at: viewing.player.wrapped(shown.time))) == shown.number)
    }

    @Test("Between two frames it is the one on show")
    func between() throws {
        let path = try Clips.film()
        let bitmap = try decodePicture(of: path, at: MediaTime(seconds: 1.039))
        #expect(number(bitmap) == 25)
    }

    @Test("It is upright and in square pixels")
    func shape() throws {
        let path = try Clips.file(
            "oblong.mkv",
            ffmpeg: FrameCode.source(seconds: 0.2, first: 9)
                + ["-vf", "setsar=2/1", "-c:v", "ffv1"])
        #expect(try decodePicture(of: path, at: .zero).size == PixelSize(width: 320, height: 90))
        let flat = try Clips.file("flat-film.mp4", ffmpeg: ["-i", try Clips.film(), "-c", "copy"])
        let turned = try Clips.turned(flat, by: 90, name: "turned-film.mp4")
        #expect(try decodePicture(of: turned, at: .zero).size == PixelSize(width: 90, height: 160))
    }

    @Test(
        "Deep samples and RGB give the same picture", arguments: ["yuv420p10le", "gbrp", "nv12", "yuv422p12le", "gray"])
    func formats(format: String) throws {
        let codec = format == "nv12" ? "rawvideo" : "ffv1"
        let path = try Clips.file(
            "one-\(format).nut",
            ffmpeg: FrameCode.source(seconds: 0.2, first: 9, format: format) + ["-c:v", codec])
        #expect(number(try decodePicture(of: path, at: .zero)) == 9)
    }

    @Test("What has no picture, or is no media, or is gone, says so")
    func nothing() throws {
        let audio = try Clips.audio()
        #expect(throws: PlaybackError.self) { try decodePicture(of: audio, at: .zero) }
        let noise = try Clips.file("noise.mp4", data: Data(repeating: 7, count: 5000))
        let empty = try Clips.file("empty.mp4", data: Data())
        for path in [noise, empty, Clips.folder.path + "/gone.mp4", Clips.folder.path, ""] {
            #expect(throws: PlaybackError.self) { try decodePicture(of: path, at: .zero) }
        }
    }

    @Test("A time beyond the end leads to an end; so does no time at all to be waited")
    func beyond() throws {
        let path = try Clips.film()
        _ = try? decodePicture(of: path, at: MediaTime(seconds: 1e6))
        #expect(throws: PlaybackError.self) { try decodePicture(of: path, at: .zero, patience: .zero) }
    }

    @Test("Its PNG is read back as the same picture")
    func png() throws {
        let bitmap = try decodePicture(of: try Clips.film(), at: MediaTime(seconds: 1))
        let data = try encodePNG(bitmap.pixels, size: bitmap.size, order: .bgra)
        let path = try Clips.file("written.png", data: Data(data))
        let again = try decodePicture(of: path, at: .zero)
        #expect(again.size == bitmap.size)
        #expect(again.pixels == bitmap.pixels)
    }

    @Test("An empty picture, or one with too few bytes, is none")
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
