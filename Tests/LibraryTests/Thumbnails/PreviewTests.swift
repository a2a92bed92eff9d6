import Foundation
import GlissadeGeometry
import GlissadeMedia
import GlissadePicture
import Testing
import GlissadeTestSupport
import GlissadeTime

@testable import GlissadeLibrary

/// Which picture is seen for which place in a film.
@MainActor @Suite("Seek previews", .serialized) struct PreviewTests {
    private let scene: PreviewScene

    init() throws { scene = try PreviewScene() }

    @Test(
        "A position shows the nearest keyframe, whatever the container",
        arguments: ["mp4", "mkv", "ts", "avi", "flv", "mov"])
    func nearest(kind: String) throws {
        let previews = try scene.previews(of: try Films.steps(kind), name: "film.\(kind)")
        for (place, step) in [
            (0.0, 0), (0.4, 0), (3.4, 3), (3.6, 4), (7.0, 7), (8.9, 9), (1.1, 1), (9.4, 9), (5.45, 5),
        ] {
            let preview = try #require(scene.preview(previews, at: place))
            #expect(preview.step == step, "at \(place)")
            #expect(abs(preview.time.inSeconds - Double(step)) < 0.15, "at \(place)")
            #expect(preview.bitmap.size == PixelSize(width: 240, height: 135))
        }
        // Here the container may count its end as a keyframe.
        #expect(scene.preview(previews, at: 9.9)?.step == 9)
    }

    @Test("Codecs of broadcasts and discs have previews", arguments: ["mpg", "ts"])
    func broadcast(kind: String) throws {
        let data = try Films.steps("2.\(kind)", ["-c:v", "mpeg2video", "-q:v", "3", "-bf", "2"])
        let previews = try scene.previews(of: data, name: "film.\(kind)")
        for place in [4.1, 8.2, 0.2, 3.9, 5.5] {
            let preview = try #require(scene.preview(previews, at: place))
            // With frames that refer to later ones, keyframes are not where they were asked for; and some containers
            // say of few packets when they are to be seen, so that it is reckoned to a few frames.
            let seconds = preview.time.inSeconds
            #expect((Int(seconds - 0.15)...Int(seconds + 0.15)).contains(preview.step), "at \(place)")
            #expect(abs(preview.time.inSeconds - place) < 0.6, "at \(place)")
        }
    }

    @Test("A position beyond the ends shows the first or the last keyframe")
    func beyond() throws {
        let previews = try scene.previews(of: try Films.steps())
        #expect(scene.preview(previews, at: -5)?.step == 0)
        #expect(scene.preview(previews, at: 500)?.step == 9)
        #expect(scene.preview(previews, at: 1e18)?.step == 9)
        #expect(scene.preview(previews, at: -1e18)?.step == 0)
    }

    @Test("Nearby positions share a preview, in memory and on disk")
    func sharing() throws {
        let previews = try scene.previews(of: try Films.steps())
        let first = try #require(scene.preview(previews, at: 3.8))
        let second = try #require(scene.preview(previews, at: 4.3))
        #expect(first.time == second.time && first.bitmap == second.bitmap)
        #expect(scene.cachedFiles().count == 1)
    }

    @Test("Of the requests that arrive while a preview is made only the latest is served")
    func latest() throws {
        let previews = try scene.previews(of: try Films.steps())
        previews.suspend()
        for place in [1.0, 2, 3, 4, 5, 6, 7, 8] { previews.request(at: .seconds(place), now: scene.now) }
        previews.resume()
        #expect(scene.preview(previews, at: 2.2)?.step == 2)
        // The first may have been begun before the second came.
        #expect(scene.cachedFiles().count <= 2)
    }

    @Test("While suspended no preview is made, and the last request is served afterwards")
    func suspending() throws {
        let previews = try scene.previews(of: try Films.steps())
        previews.suspend()
        previews.request(at: .seconds(6), now: scene.now)
        #expect(previews.take() == nil)
        previews.resume()
        var preview: SeekPreview?
        #expect(
            scene.signal.wait {
                preview = previews.take()
                return preview != nil
            })
        #expect(preview?.step == 6)
    }

    @Test("Previews are upright with square pixels, and fit the size for the display's scale")
    func shape() throws {
        func size(_ data: Data, _ name: String = "film.mp4", scale: Double = 1) throws -> PixelSize? {
            let previews = scene.previews(of: try scene.scene.file(name, data).location, scale: scale)
            return scene.preview(previews, at: 0.2)?.bitmap.size
        }
        #expect(try size(try Films.turned()) == PixelSize(width: 76, height: 135))
        #expect(try size(try Films.wide(), "wide.mkv") == PixelSize(width: 240, height: 90))
        #expect(try size(try Films.film("red"), "red.mp4", scale: 2) == PixelSize(width: 480, height: 270))
        for nonsense in [0, -1, .nan, .infinity] {
            #expect(try size(try Films.film("red"), "red.mp4", scale: nonsense) == PixelSize(width: 240, height: 135))
        }
    }

    @Test("Video of any size and aspect ratio has previews")
    func extremes() throws {
        let lossless = ["-c:v", "ffv1"]
        for (data, size) in [
            (try Films.sized("1x1000", codec: lossless), PixelSize(width: 1, height: 135)),
            (try Films.sized("1000x1", codec: lossless), PixelSize(width: 240, height: 1)),
            (try Films.sized("2x2", codec: lossless), PixelSize(width: 2, height: 2)),
            (try Films.sized("7680x4320", codec: ["-c:v", "mjpeg"]), PixelSize(width: 240, height: 135)),
        ] {
            let preview = scene.preview(try scene.previews(of: data, name: "film.mkv"), at: 0.1)
            #expect(preview?.bitmap.size == size)
            #expect(preview.map { $0.bitmap.meanLuma > 245 } == true)
        }
    }

    @Test("Audio, covers, videos of unknown length, URLs and other files have no previews")
    func nothing() throws {
        for (name, data) in [
            ("sound.flac", try Films.audio()), ("record.mp3", try Films.record()),
            ("raw.h264", try Films.film("red", "h264")), ("empty.mp4", Data()),
            ("noise.mp4", Data((0..<9000).map { UInt8(truncatingIfNeeded: $0 &* 31) })),
            ("list.m3u8", Data("#EXTM3U\n/etc/passwd\n".utf8)),
        ] {
            #expect(scene.yieldsNothing(try scene.previews(of: data, name: name), at: 0.5), "\(name)")
        }
        #expect(mkfifo(scene.scene.path + "/pipe.mp4", 0o600) == 0)
        for location in ["\(scene.scene.path)/gone.mp4", "\(scene.scene.path)/pipe.mp4", scene.scene.path, ""] {
            #expect(scene.yieldsNothing(scene.previews(of: location), at: 0.5), "\(location)")
        }
        let live = scene.previews(of: "http://127.0.0.1:9/live")
        live.request(at: .seconds(1), now: scene.now)
        #expect(live.releaseTime == nil && live.take() == nil)
    }

    @Test("A file URL works like the path")
    func address() throws {
        let path = try scene.scene.file("a film%20.mp4", try Films.steps())
        let previews = scene.previews(of: FileAddress.address(of: path.bytes))
        #expect(scene.preview(previews, at: 5)?.step == 5)
    }

    @Test("A playlist has previews, like the video in its segments")
    func playlist() throws {
        let film = try scene.scene.file("film.mp4", try Films.steps())
        let path = scene.scene.path + "/film.m3u8"
        try FFmpeg.run(["-i", film.location, "-c", "copy", "-hls_time", "2", "-hls_list_size", "0", path])
        let previews = scene.previews(of: path)
        for second in [5.0, 1, 9] { #expect(scene.preview(previews, at: second)?.step == Int(second)) }
    }

    @Test("Any damage to a video gives a preview or none, in bounded time", arguments: ["mp4", "mkv", "ts", "avi"])
    func damage(kind: String) throws {
        let whole = try Films.grainy(kind)
        for round in 0..<5 {
            let data = whole.damaged(at: whole.count / (50 << round), seed: UInt64(round))
            for damaged in [data, whole.prefix(whole.count * round / 5)] {
                let previews = try scene.previews(of: damaged, name: "film.\(kind)")
                for place in [0, 1.4, 2.9] { previews.request(at: .seconds(place), now: scene.now) }
                previews.awaitIdle()
            }
        }
    }

    @Test("A video damaged in the middle has previews on both sides")
    func brokenMiddle() throws {
        var data = try Films.steps("ts")
        let middle = data.count / 3..<data.count * 2 / 3
        data.replaceSubrange(middle, with: Data(repeating: 0x55, count: middle.count))
        let previews = try scene.previews(of: data, name: "film.ts")
        #expect(scene.preview(previews, at: 0.1)?.step == 0)
        #expect(scene.preview(previews, at: 9.4)?.step == 9)
    }
}
