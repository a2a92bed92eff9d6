import Foundation
import Geometry
import Picture
import Platform
import Testing
import Time

@testable import Playback

@MainActor @Suite("All kinds of media", .serialized) struct MediaTests {
    @Test("Sound alone plays to its end", arguments: ["flac", "m4a", "mp3", "ogg", "wav"])
    func audioOnly(kind: String) throws {
        let viewing = Viewing(try Clips.audio(kind), audio: .silent)
        #expect(viewing.open() != nil)
        #expect(!viewing.player.hasVideo && viewing.player.hasAudio)
        #expect(viewing.player.info?.displaySize == nil)
        viewing.player.seek(to: .milliseconds(700), now: viewing.now)
        #expect(viewing.runToEnd())
        #expect(viewing.player.state == .ended)
        #expect(viewing.problems.isEmpty)
    }

    @Test("A cover is shown once, while the sound plays", arguments: ["m4a", "mp3", "flac"])
    func cover(kind: String) throws {
        let picture = try Clips.file(
            "cover.png", ffmpeg: FrameCode.source(seconds: 0.04, first: 77, format: "rgb24") + ["-frames:v", "1"])
        let path = try Clips.file(
            "cover.\(kind)",
            ffmpeg: FrameCode.tone + ["-i", picture, "-map", "0:a", "-map", "1:v", "-c:v", "png", "-t", "1"]
                + ["-disposition:v:0", "attached_pic"])
        let viewing = Viewing(path, audio: .silent)
        viewing.open()
        #expect(viewing.player.info?.isStill == true)
        #expect(viewing.nextFrame()?.number == 77)
        viewing.player.seek(to: .milliseconds(600), mode: .fast, now: viewing.now)
        #expect(viewing.nextFrame()?.number == 77)
        #expect(viewing.player.position(at: viewing.now) >= .milliseconds(600))
        #expect(viewing.runToEnd())
        #expect(viewing.shown.count == 2)
        #expect(viewing.player.state == .ended)
    }

    @Test("A film with sound on a silent output shows every frame and ends", arguments: ["mp4", "mkv", "ts"])
    func withAudio(kind: String) throws {
        let viewing = Viewing(try Clips.filmWithAudio(kind), audio: .silent)
        #expect(viewing.runToEnd())
        #expect(viewing.player.hasAudio)
        #expect(viewing.numbers.first == 0 && viewing.numbers.last == 49)
        #expect(viewing.numbers == viewing.numbers.sorted())
        #expect(viewing.shown.count + viewing.player.counts.dropped == 50)
        #expect(viewing.problems.isEmpty)
    }

    @Test("Slow and fast sound keeps time with the picture", arguments: [0.3, 3.0])
    func speeds(speed: Double) throws {
        var options = PlayerOptions()
        options.speed = speed
        let viewing = Viewing(try Clips.filmWithAudio(), options: options, audio: .silent)
        viewing.run { viewing.last?.number ?? 0 >= 6 }
        #expect(viewing.problems.isEmpty)
        #expect(viewing.player.hasAudio)
        if speed > 1 { #expect(viewing.runToEnd()) }
    }

    @Test("A picture that begins long after its sound does not hold the sound up")
    func latePicture() throws {
        var film = FrameCode.source(seconds: 1)
        film.insert(contentsOf: ["-itsoffset", "14"], at: 0)
        let path = try Clips.file(
            "late.mkv",
            ffmpeg: film + FrameCode.tone + FrameCode.h264
                + ["-c:a", "libopus", "-frame_duration", "2.5", "-b:a", "16k", "-t", "15"])
        let viewing = Viewing(path, audio: .silent)
        #expect(viewing.run { viewing.player.isRunning })
        #expect(viewing.shown.isEmpty)
        #expect(viewing.seek(to: .milliseconds(14_500)) != nil)
    }

    @Test("Of several streams the default ones play, and all are told of")
    func severalStreams() throws {
        let second = FrameCode.source(seconds: 1, size: "64x36", first: 100)
        let path = try Clips.file(
            "several.mkv",
            ffmpeg: second + FrameCode.source(seconds: 1) + FrameCode.tone + FrameCode.tone + FrameCode.h264
                + [
                    "-map", "0:v", "-map", "1:v", "-map", "2:a", "-map", "3:a", "-t", "1", "-metadata:s:a:1",
                    "language=fin",
                ]
                + ["-disposition:v:0", "0", "-disposition:v:1", "default"])
        let viewing = Viewing(path)
        #expect(viewing.runToEnd())
        #expect(viewing.numbers == Array(0..<25))
        let info = try #require(viewing.player.info)
        #expect(info.tracks.count == 4)
        #expect(info.videoTrack == 1)
        #expect(info.tracks[3].language == "fin")
        #expect(info.frameRate == 25)
    }

    @Test("Frames of a variable rate are shown at their own times")
    func variableRate() throws {
        var source = FrameCode.source(seconds: 4)
        source[source.count - 1] += ",select='not(mod(n,7))+lt(n,20)*not(mod(n,2))+eq(n,90)'"
        let path = try Clips.file("variable.mkv", ffmpeg: source + ["-fps_mode", "vfr"] + FrameCode.h264)
        let viewing = Viewing(path)
        #expect(viewing.runToEnd())
        #expect(viewing.numbers == (0..<100).filter { $0 % 7 == 0 || $0 < 20 && $0 % 2 == 0 || $0 == 90 })
        for frame in viewing.shown { #expect(abs(frame.time.seconds * 25 - Double(frame.number)) < 0.1) }
        for (target, number) in [(2000, 49), (3590, 84), (3610, 90), (150, 2)] {
            #expect(viewing.seek(to: .milliseconds(target))?.number == number)
        }
    }

    @Test(
        "A stream without any timestamps plays at its rate, can be sought in and repeated", arguments: ["h264", "m4v"])
    func noTimestamps(kind: String) throws {
        let codec = kind == "h264" ? FrameCode.h264 : ["-c:v", "mpeg4", "-bf", "2", "-q:v", "2", "-g", "50"]
        let path = try Clips.file("raw.\(kind)", ffmpeg: FrameCode.source(seconds: 4) + codec)
        let viewing = Viewing(path)
        #expect(viewing.runToEnd())
        #expect(viewing.numbers == Array(0..<100))
        let steps = zip(viewing.shown, viewing.shown.dropFirst()).map { ($1.time - $0.time).inMilliseconds }
        #expect(steps.allSatisfy { abs($0 - 40) < 1 })
        let first = try #require(viewing.shown.first).time - #require(viewing.player.info).startTime
        #expect(viewing.seek(to: first + .milliseconds(2410))?.number == 60)
        viewing.player.isLooping = true
        viewing.forget()
        viewing.player.seek(to: .milliseconds(0), now: viewing.now)
        #expect(viewing.run { viewing.shown.count == 150 })
        #expect(viewing.numbers == (0..<150).map { $0 % 100 })
    }

    @Test("XviD-like films in AVI, whose pictures have no times of their own, are in even time")
    func packedPictures() throws {
        let path = try Clips.file(
            "mpeg4.avi", ffmpeg: FrameCode.source(seconds: 4) + ["-c:v", "mpeg4", "-bf", "2", "-q:v", "2", "-g", "50"])
        let viewing = Viewing(path)
        #expect(viewing.runToEnd())
        #expect(viewing.numbers == Array(0..<100))
        let times = viewing.shown.map { $0.time.seconds * 25 }
        #expect(times.enumerated().allSatisfy { abs(times[0] + Double($0) - $1) < 0.1 })
        #expect(abs(times[0]) <= 1)
    }

    @Test("Broadcasts that were cut together play through, without a gap and without a jump back")
    func jumpingTimestamps() throws {
        let a = try Clips.file(
            "a.ts",
            ffmpeg: FrameCode.source(seconds: 2) + FrameCode.tone + FrameCode.h264 + [
                "-t", "2", "-output_ts_offset", "5000",
            ])
        let b = try Clips.file(
            "b.ts", ffmpeg: FrameCode.source(seconds: 2, first: 50) + FrameCode.tone + FrameCode.h264 + ["-t", "2"])
        let path = try Clips.file("joined.ts", data: Clips.bytes(a) + Clips.bytes(b))
        let viewing = Viewing(path)
        #expect(viewing.runToEnd())
        #expect(viewing.numbers == Array(0..<100))
        let steps = zip(viewing.shown, viewing.shown.dropFirst()).map { ($1.time - $0.time).inMilliseconds }
        #expect(steps.allSatisfy { $0 > 0 && $0 < 200 })
    }

    @Test("A size that changes in mid-stream changes the frames")
    func sizeChange() throws {
        let a = try Clips.file("small.ts", ffmpeg: FrameCode.source(seconds: 1) + FrameCode.h264)
        let b = try Clips.file(
            "wide.ts", ffmpeg: FrameCode.source(seconds: 1, size: "320x130", first: 25) + FrameCode.h264)
        var options = PlayerOptions()
        options.pictures.convertedSize = PixelSize(width: 100, height: 50)
        let viewing = Viewing(try Clips.file("sizes.ts", data: Clips.bytes(a) + Clips.bytes(b)), options: options)
        #expect(viewing.runToEnd())
        #expect(viewing.numbers == Array(0..<50))
        let sizes = viewing.shown.map { $0.codedSize }
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
        "Every pixel format arrives in a layout that can be drawn, and shows the right picture",
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
            ffmpeg: FrameCode.source(seconds: 0.2, first: 170, format: format.name) + ["-c:v", "rawvideo"])
        let viewing = Viewing(path)
        #expect(viewing.runToEnd())
        #expect(viewing.numbers == Array(170..<175))
        let shown = try #require(viewing.last)
        #expect(shown.format.layout == format.layout)
        #expect(shown.format.bitDepth == format.depth)
        #expect(shown.format.size == PixelSize(width: 160, height: 90))

        var options = PlayerOptions()
        options.pictures = FrameFormat(acceptsDeepSamples: false, sizeLimit: 80)
        let reduced = Viewing(path, options: options)
        #expect(reduced.runToEnd())
        #expect(reduced.numbers == Array(170..<175))
        #expect(
            reduced.shown.allSatisfy { $0.format.bitDepth == 8 && $0.format.size == PixelSize(width: 80, height: 45) })
    }

    @Test("Deep samples are reduced only where they are not wanted; range and matrix stay")
    func depth() throws {
        let path = try Clips.file(
            "deep.mkv",
            ffmpeg: FrameCode.source(seconds: 0.2, first: 9, format: "yuv420p10le") + [
                "-c:v", "ffv1", "-colorspace", "bt2020nc", "-color_range", "pc",
            ])
        let deep = try #require(Viewing(path).nextFrame())
        var options = PlayerOptions()
        options.pictures.acceptsDeepSamples = false
        let shallow = try #require(Viewing(path, options: options).nextFrame())
        #expect(deep.number == 9 && shallow.number == 9)
        #expect(deep.format.bitDepth == 10 && shallow.format.bitDepth == 8)
        #expect(shallow.format.matrix == .bt2020 && shallow.format.range == .full)
        #expect(deep.format.matrix == .bt2020 && deep.format.range == .full)
    }

    @Test("Rotation and pixel aspect come with the media and with its frames", arguments: [0, 90, 180, 270])
    func rotation(degrees: Int) throws {
        let upright = try Clips.file(
            "anamorphic.mp4", ffmpeg: FrameCode.source(seconds: 0.4) + FrameCode.h264 + ["-aspect", "4:3"])
        let path = try Clips.turned(upright, by: degrees, name: "turned-\(degrees).mp4")
        let viewing = Viewing(path)
        let frame = try #require(viewing.nextFrame())
        // FFmpeg's side data counts the other way round.
        #expect(frame.geometry.rotation == QuarterTurns(degreesClockwise: -Double(degrees)))
        #expect(abs(frame.geometry.pixelAspect - 0.75) < 0.01)
        let size = try #require(viewing.player.info?.displaySize)
        #expect(abs((degrees % 180 == 0 ? size.width / size.height : size.height / size.width) - 4.0 / 3) < 0.01)
    }

    @Test("An odd size arrives whole", arguments: ["1x1", "35x35", "161x91"])
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
        let viewing = Viewing(path, options: options)
        #expect(viewing.runToEnd())
        #expect(viewing.shown.count == 5)
        #expect("\(viewing.shown[0].codedSize.width)x\(viewing.shown[0].codedSize.height)" == size)
    }
}

@Suite("Descriptions of pictures") struct PictureTests {
    @Test("A chroma plane of an odd picture covers its last column and row", arguments: [1, 2, 3, 35, 1919])
    func planeSizes(length: Int) {
        let size = PixelSize(width: length, height: length)
        let half = (length + 1) / 2
        #expect(
            PixelFormat(size: size, layout: .planar(.quarter)).planeSize(2) == PixelSize(width: half, height: half))
        #expect(
            PixelFormat(size: size, layout: .planar(.halfAcross)).planeSize(1)
                == PixelSize(width: half, height: length))
        #expect(PixelFormat(size: size, layout: .planar(.full)).planeSize(1) == size)
        let interleaved = PixelFormat(size: size, layout: .semiPlanar(vFirst: false), bitDepth: 10)
        #expect(interleaved.planeSize(1) == PixelSize(width: half, height: half))
        #expect(interleaved.texelBytes(1) == 4 && interleaved.texelBytes(0) == 2 && interleaved.planeCount == 2)
        #expect(PixelFormat(size: size, layout: .rgb(.rgba)).texelBytes(0) == 4)
    }

    @Test("A picture is stretched to its proportions, never shrunk, and turned")
    func displaySizes() {
        let coded = PixelSize(width: 720, height: 576)
        #expect(PixelGeometry(pixelAspect: 2).displaySize(of: coded) == Size(width: 1440, height: 576))
        #expect(PixelGeometry(pixelAspect: 0.5).displaySize(of: coded) == Size(width: 720, height: 1152))
        #expect(
            PixelGeometry(pixelAspect: 2, rotation: .quarter).displaySize(of: coded) == Size(width: 576, height: 1440)
        )
    }

    @Test("An aspect that is nonsense is taken for square", arguments: [0, -1, .nan, .infinity, 1e9, 1e-9] as [Double])
    func nonsense(aspect: Double) {
        #expect(PixelGeometry(pixelAspect: aspect).pixelAspect == 1)
    }
}
