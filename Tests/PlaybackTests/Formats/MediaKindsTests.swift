import Foundation
import GlissadeGeometry
import GlissadePicture
import GlissadePlatform
import Testing
import GlissadeTestSupport
import GlissadeTime

@testable import GlissadePlayback

@MainActor @Suite("Kinds of media", .serialized) struct MediaKindsTests {
    @Test("Audio alone plays to its end", arguments: ["flac", "m4a", "mp3", "ogg", "wav"])
    func audioOnly(kind: String) throws {
        let harness = PlaybackHarness(try Clips.audio(kind), audio: .silent)
        #expect(harness.open() != nil)
        #expect(!harness.player.hasVideo && harness.player.hasAudio)
        #expect(harness.player.info?.displaySize == nil)
        harness.player.seek(to: .milliseconds(700), now: harness.now)
        #expect(harness.runToEnd())
        #expect(harness.player.state == .ended)
        #expect(harness.problems.isEmpty)
    }

    @Test("A cover is shown once while the audio plays", arguments: ["m4a", "mp3", "flac"])
    func cover(kind: String) throws {
        let picture = try Clips.file(
            "cover.png", ffmpeg: NumberedFrames.source(seconds: 0.04, first: 77, format: "rgb24") + ["-frames:v", "1"])
        let path = try Clips.file(
            "cover.\(kind)",
            ffmpeg: NumberedFrames.tone + ["-i", picture, "-map", "0:a", "-map", "1:v", "-c:v", "png", "-t", "1"]
                + ["-disposition:v:0", "attached_pic"])
        let harness = PlaybackHarness(path, audio: .silent)
        harness.open()
        #expect(harness.player.info?.isStill == true)
        #expect(harness.nextFrame()?.number == 77)
        harness.player.seek(to: .milliseconds(600), mode: .fast, now: harness.now)
        #expect(harness.nextFrame()?.number == 77)
        #expect(harness.player.position(at: harness.now) >= .milliseconds(600))
        #expect(harness.runToEnd())
        #expect(harness.shown.count == 2)
        #expect(harness.player.state == .ended)
    }

    @Test("A video with audio shows every frame on the silent output and ends", arguments: ["mp4", "mkv", "ts"])
    func withAudio(kind: String) throws {
        let harness = PlaybackHarness(try Clips.filmWithAudio(kind), audio: .silent)
        #expect(harness.runToEnd())
        #expect(harness.player.hasAudio)
        #expect(harness.numbers.first == 0 && harness.numbers.last == 49)
        #expect(harness.numbers == harness.numbers.sorted())
        #expect(harness.shown.count + harness.player.counts.dropped == 50)
        #expect(harness.problems.isEmpty)
    }

    @Test("Slow and fast audio stays in sync with the video", arguments: [0.3, 3.0])
    func speeds(speed: Double) throws {
        var options = PlayerOptions()
        options.speed = speed
        let harness = PlaybackHarness(try Clips.filmWithAudio(), options: options, audio: .silent)
        harness.run { harness.last?.number ?? 0 >= 6 }
        #expect(harness.problems.isEmpty)
        #expect(harness.player.hasAudio)
        if speed > 1 { #expect(harness.runToEnd()) }
    }

    @Test("Video that starts long after the audio does not delay it")
    func latePicture() throws {
        var film = NumberedFrames.source(seconds: 1)
        film.insert(contentsOf: ["-itsoffset", "14"], at: 0)
        let path = try Clips.file(
            "late.mkv",
            ffmpeg: film + NumberedFrames.tone + NumberedFrames.h264
                + ["-c:a", "libopus", "-frame_duration", "2.5", "-b:a", "16k", "-t", "15"])
        let harness = PlaybackHarness(path, audio: .silent)
        #expect(harness.run { harness.player.isRunning })
        #expect(harness.shown.isEmpty)
        #expect(harness.seek(to: .milliseconds(14_500)) != nil)
    }

    @Test("Of several streams the default ones play, and all are listed")
    func severalStreams() throws {
        let second = NumberedFrames.source(seconds: 1, size: "64x36", first: 100)
        let path = try Clips.file(
            "several.mkv",
            ffmpeg: second + NumberedFrames.source(seconds: 1) + NumberedFrames.tone + NumberedFrames.tone
                + NumberedFrames.h264
                + [
                    "-map", "0:v", "-map", "1:v", "-map", "2:a", "-map", "3:a", "-t", "1", "-metadata:s:a:1",
                    "language=fin",
                ]
                + ["-disposition:v:0", "0", "-disposition:v:1", "default"])
        let harness = PlaybackHarness(path)
        #expect(harness.runToEnd())
        #expect(harness.numbers == Array(0..<25))
        let info = try #require(harness.player.info)
        #expect(info.tracks.count == 4)
        #expect(info.videoTrack == 1)
        #expect(info.tracks[3].language == "fin")
        #expect(info.frameRate == 25)
    }

    @Test("Frames at a variable rate are shown at their own times")
    func variableRate() throws {
        var source = NumberedFrames.source(seconds: 4)
        source[source.count - 1] += ",select='not(mod(n,7))+lt(n,20)*not(mod(n,2))+eq(n,90)'"
        let path = try Clips.file("variable.mkv", ffmpeg: source + ["-fps_mode", "vfr"] + NumberedFrames.h264)
        let harness = PlaybackHarness(path)
        #expect(harness.runToEnd())
        #expect(harness.numbers == (0..<100).filter { $0 % 7 == 0 || $0 < 20 && $0 % 2 == 0 || $0 == 90 })
        for frame in harness.shown { #expect(abs(frame.time.seconds * 25 - Double(frame.number)) < 0.1) }
        for (target, number) in [(2000, 49), (3590, 84), (3610, 90), (150, 2)] {
            #expect(harness.seek(to: .milliseconds(target))?.number == number)
        }
    }

    @Test(
        "A stream without timestamps plays at its frame rate and can be sought and looped", arguments: ["h264", "m4v"])
    func noTimestamps(kind: String) throws {
        let codec = kind == "h264" ? NumberedFrames.h264 : ["-c:v", "mpeg4", "-bf", "2", "-q:v", "2", "-g", "50"]
        let path = try Clips.file("raw.\(kind)", ffmpeg: NumberedFrames.source(seconds: 4) + codec)
        let harness = PlaybackHarness(path)
        #expect(harness.runToEnd())
        #expect(harness.numbers == Array(0..<100))
        let steps = zip(harness.shown, harness.shown.dropFirst()).map { ($1.time - $0.time).inMilliseconds }
        #expect(steps.allSatisfy { abs($0 - 40) < 1 })
        let first = try #require(harness.shown.first).time - #require(harness.player.info).startTime
        #expect(harness.seek(to: first + .milliseconds(2410))?.number == 60)
        harness.player.isLooping = true
        harness.forget()
        harness.player.seek(to: .milliseconds(0), now: harness.now)
        #expect(harness.run { harness.shown.count == 150 })
        #expect(harness.numbers == (0..<150).map { $0 % 100 })
    }

    @Test("AVI files with packed B-frames and no timestamps are shown at even intervals")
    func packedPictures() throws {
        let path = try Clips.file(
            "packed.avi",
            ffmpeg: NumberedFrames.source(seconds: 4) + ["-c:v", "mpeg4", "-bf", "2", "-q:v", "2", "-g", "50"])
        let harness = PlaybackHarness(path)
        #expect(harness.runToEnd())
        #expect(harness.numbers == Array(0..<100))
        let times = harness.shown.map { $0.time.seconds * 25 }
        #expect(times.enumerated().allSatisfy { abs(times[0] + Double($0) - $1) < 0.1 })
        #expect(abs(times[0]) <= 1)
    }

    @Test("Joined broadcasts play through without gaps and jumps back")
    func jumpingTimestamps() throws {
        let a = try Clips.file(
            "a.ts",
            ffmpeg: NumberedFrames.source(seconds: 2) + NumberedFrames.tone + NumberedFrames.h264 + [
                "-t", "2", "-output_ts_offset", "5000",
            ])
        let b = try Clips.file(
            "b.ts",
            ffmpeg: NumberedFrames.source(seconds: 2, first: 50) + NumberedFrames.tone + NumberedFrames.h264 + [
                "-t", "2",
            ])
        let path = try Clips.file("joined.ts", data: Clips.bytes(a) + Clips.bytes(b))
        let harness = PlaybackHarness(path)
        #expect(harness.runToEnd())
        #expect(harness.numbers == Array(0..<100))
        let steps = zip(harness.shown, harness.shown.dropFirst()).map { ($1.time - $0.time).inMilliseconds }
        #expect(steps.allSatisfy { $0 > 0 && $0 < 200 })
    }

    @Test("A change of size within the stream changes the frames")
    func sizeChange() throws {
        let a = try Clips.file("small.ts", ffmpeg: NumberedFrames.source(seconds: 1) + NumberedFrames.h264)
        let b = try Clips.file(
            "wide.ts", ffmpeg: NumberedFrames.source(seconds: 1, size: "320x130", first: 25) + NumberedFrames.h264)
        var options = PlayerOptions()
        options.pictures.convertedSize = PixelSize(width: 100, height: 50)
        let harness = PlaybackHarness(
            try Clips.file("sizes.ts", data: Clips.bytes(a) + Clips.bytes(b)), options: options)
        #expect(harness.runToEnd())
        #expect(harness.numbers == Array(0..<50))
        let sizes = harness.shown.map { $0.codedSize }
        #expect(Set(sizes.prefix(25)) == [PixelSize(width: 160, height: 90)])
        #expect(Set(sizes.suffix(25)) == [PixelSize(width: 320, height: 130)])
    }

    struct Format: CustomTestStringConvertible, Sendable {
        var name: String
        var layout: PlaneLayout
        var depth = 8
        var testDescription: String { name }
    }

    @Test(
        "Every pixel format arrives in a layout that can be drawn and shows the right picture",
        arguments: [
            Format(name: "yuv420p", layout: .planar(.quarter)), Format(name: "yuvj420p", layout: .planar(.quarter)),
            Format(name: "yuv422p", layout: .planar(.halfAcross)), Format(name: "yuv444p", layout: .planar(.full)),
            Format(name: "nv12", layout: .semiPlanar(vFirst: false)),
            Format(name: "nv21", layout: .semiPlanar(vFirst: true)),
            Format(name: "yuv420p10le", layout: .planar(.quarter), depth: 10),
            Format(name: "yuv444p12le", layout: .planar(.full), depth: 12),
            Format(name: "gray", layout: .gray),
            Format(name: "gray10le", layout: .gray, depth: 10), Format(name: "ya8", layout: .gray),
            Format(name: "yuva420p", layout: .planar(.quarter)), Format(name: "rgb24", layout: .rgb(.rgba)),
            Format(name: "bgra", layout: .rgb(.rgba)), Format(name: "gbrp", layout: .rgb(.rgba)),
            Format(name: "pal8", layout: .rgb(.rgba)), Format(name: "yuv411p", layout: .planar(.full)),
            Format(name: "yuv410p", layout: .planar(.quarter)), Format(name: "yuv440p", layout: .planar(.quarter)),
            Format(name: "yuyv422", layout: .planar(.full)), Format(name: "monow", layout: .gray),
        ])
    func pixelFormats(format: Format) throws {
        let path = try Clips.file(
            "\(format.name).nut",
            ffmpeg: NumberedFrames.source(seconds: 0.2, first: 170, format: format.name) + ["-c:v", "rawvideo"])
        let harness = PlaybackHarness(path)
        #expect(harness.runToEnd())
        #expect(harness.numbers == Array(170..<175))
        let shown = try #require(harness.last)
        #expect(shown.format.layout == format.layout)
        #expect(shown.format.bitDepth == format.depth)
        #expect(shown.format.size == PixelSize(width: 160, height: 90))

        var options = PlayerOptions()
        options.pictures = FrameFormat(acceptsDeepSamples: false, sizeLimit: 80)
        let reduced = PlaybackHarness(path, options: options)
        #expect(reduced.runToEnd())
        #expect(reduced.numbers == Array(170..<175))
        #expect(
            reduced.shown.allSatisfy { $0.format.bitDepth == 8 && $0.format.size == PixelSize(width: 80, height: 45) })
    }

    @Test("Samples of more than 8 bits are reduced only on request, and range and matrix are kept")
    func depth() throws {
        let path = try Clips.file(
            "deep.mkv",
            ffmpeg: NumberedFrames.source(seconds: 0.2, first: 9, format: "yuv420p10le") + [
                "-c:v", "ffv1", "-colorspace", "bt2020nc", "-color_range", "pc",
            ])
        let deep = try #require(PlaybackHarness(path).nextFrame())
        var options = PlayerOptions()
        options.pictures.acceptsDeepSamples = false
        let shallow = try #require(PlaybackHarness(path, options: options).nextFrame())
        #expect(deep.number == 9 && shallow.number == 9)
        #expect(deep.format.bitDepth == 10 && shallow.format.bitDepth == 8)
        #expect(shallow.format.matrix == .bt2020 && shallow.format.range == .full)
        #expect(deep.format.matrix == .bt2020 && deep.format.range == .full)
    }

    @Test(
        "Rotation and pixel aspect ratio are reported with the media and with each frame", arguments: [0, 90, 180, 270])
    func rotation(degrees: Int) throws {
        let upright = try Clips.file(
            "anamorphic.mp4", ffmpeg: NumberedFrames.source(seconds: 0.4) + NumberedFrames.h264 + ["-aspect", "4:3"])
        let path = try Clips.turned(upright, by: degrees, name: "turned-\(degrees).mp4")
        let harness = PlaybackHarness(path)
        let frame = try #require(harness.nextFrame())
        // FFmpeg's side data counts the other way round.
        #expect(frame.geometry.rotation == QuarterTurns(degreesClockwise: -Double(degrees)))
        #expect(abs(frame.geometry.pixelAspect - 0.75) < 0.01)
        let size = try #require(harness.player.info?.displaySize)
        let aspect = degrees % 180 == 0 ? size.width / size.height : size.height / size.width
        #expect(abs(aspect - 4.0 / 3) < 0.01)
    }

    @Test("Video of odd size arrives complete", arguments: ["1x1", "35x35", "161x91"])
    func oddSizes(size: String) throws {
        let sides = size.split(separator: "x").compactMap { Int($0) }
        let half = sides.map { ($0 + 1) / 2 }
        let raw = try Clips.file(
            "odd-\(size).yuv", data: Data(count: 5 * (sides[0] * sides[1] + 2 * half[0] * half[1])))
        let path = try Clips.file(
            "odd-\(size).mkv",
            ffmpeg: ["-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", size, "-r", "25", "-i", raw, "-c:v", "ffv1"])
        var options = PlayerOptions()
        options.pictures.convertedSize = PixelSize(width: 33, height: 17)
        let harness = PlaybackHarness(path, options: options)
        #expect(harness.runToEnd())
        #expect(harness.shown.count == 5)
        #expect("\(harness.shown[0].codedSize.width)x\(harness.shown[0].codedSize.height)" == size)
    }
}
