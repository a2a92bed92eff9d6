import CFFmpeg
import Platform
import Testing
import Time

@testable import Media
@testable import Playback

/// A film that is decoded on hardware, and goes on in software where that fails.
@MainActor @Suite("Falling back from hardware", .serialized) struct HardwareFallbackTests {
    private func viewing(
        _ path: String, _ device: FailingDevice, options: PlayerOptions = .onHardware,
        audio: PlayerOptions.Audio = .none, historyLimit: Int = PacketBuffer.byteLimit
    ) -> Viewing {
        Viewing(path, options: options, audio: audio, access: device.access(historyLimit: historyLimit))
    }

    private func statistics(_ viewing: Viewing) -> PlayerStatistics { viewing.player.statistics(at: viewing.now) }

    private func isFailure(_ problem: PlaybackProblem) -> Bool {
        if case .hardwareFailed = problem { true } else { false }
    }

    @Test("A device that does not fail decodes the film to its end", arguments: ["mp4", "avi"])
    func whole(kind: String) throws {
        let device = FailingDevice()
        let viewing = viewing(try Clips.film(kind), device)
        #expect(viewing.runToEnd())
        #expect(viewing.numbers == Array(0..<100))
        #expect(device.downloadCount == 100 && device.openCount == 1)
        #expect(viewing.problems.isEmpty)
        #expect(statistics(viewing).videoDecoding == "h264 (vaapi)")
    }

    @Test(
        "Wherever it fails, every frame is shown once, in order, at its own time",
        arguments: ["mp4", "mkv", "ts", "avi", "h264"], [0, 1, 37, 49, 50, 52, 99])
    func everyFrameOnce(kind: String, fault: Int) throws {
        let path = try Clips.film(kind)
        let software = Viewing(
            path,
            options: {
                var options = PlayerOptions(); options.isUntimed = true; return options
            }())
        #expect(software.runToEnd())
        let device = FailingDevice(faults: [fault])
        let viewing = viewing(path, device)
        #expect(viewing.runToEnd())
        #expect(viewing.numbers == Array(0..<100))
        #expect(viewing.shown.map(\.time) == software.shown.map(\.time))
        // The device is given up for good.
        #expect(device.openCount == 1 && device.downloadCount == fault + 1)
        let statistics = statistics(viewing)
        #expect(statistics.hardwareDevice == nil && statistics.videoDecoder == "h264")
        #expect(statistics.decoderThreads == VideoDecoder.frameThreads)
        // Before the first picture it has not failed, but never been of use.
        #expect(statistics.hardwareFailures == (fault > 0 ? 1 : 0))
        #expect(viewing.problems.count == 1 && viewing.problems.allSatisfy(isFailure) == (fault > 0))
    }

    /// Streams whose frames lean on what is before a keyframe, come out twice, or are hidden in another's packet.
    struct Coding: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var kind: String
        var arguments: [String]

        static let all = [
            Coding(
                testDescription: "h264-open", kind: "ts",
                arguments: FrameCode.h264 + ["-g", "20", "-keyint_min", "20", "-x264-params", "open-gop=1"]),
            Coding(
                testDescription: "h264-open", kind: "mkv",
                arguments: FrameCode.h264 + ["-g", "20", "-keyint_min", "20", "-x264-params", "open-gop=1"]),
            Coding(
                testDescription: "mpeg2", kind: "mpg",
                arguments: ["-c:v", "mpeg2video", "-b:v", "2M", "-bf", "2", "-g", "15"]),
            Coding(
                testDescription: "mpeg4", kind: "avi",
                arguments: ["-c:v", "mpeg4", "-q:v", "3", "-bf", "2", "-g", "15"]),
            Coding(
                testDescription: "hevc", kind: "mkv",
                arguments: [
                    "-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "keyint=20:min-keyint=20:log-level=none",
                ]),
            Coding(
                testDescription: "vp9", kind: "webm",
                arguments: [
                    "-c:v", "libvpx-vp9", "-b:v", "1M", "-g", "30", "-auto-alt-ref", "1", "-lag-in-frames", "16",
                ]
            ),
            Coding(testDescription: "mjpeg", kind: "mov", arguments: ["-c:v", "mjpeg", "-pix_fmt", "yuvj420p"]),
        ]
    }

    @Test("So it is whatever the codec", arguments: Coding.all, [3, 18, 19, 20, 21, 29, 30, 31, 98])
    func everyCodec(coding: Coding, fault: Int) throws {
        let path = try Clips.file(
            "\(coding.testDescription).\(coding.kind)", ffmpeg: FrameCode.source(seconds: 4) + coding.arguments)
        var options = PlayerOptions()
        options.isUntimed = true
        let software = Viewing(path, options: options)
        #expect(software.runToEnd())
        let format: AVPixelFormat = coding.testDescription == "mjpeg" ? AV_PIX_FMT_YUVJ420P : AV_PIX_FMT_YUV420P
        let viewing = viewing(path, FailingDevice(faults: [fault], pixelFormat: format))
        #expect(viewing.runToEnd())
        #expect(viewing.numbers == Array(0..<100))
        let differences = zip(viewing.shown, software.shown).filter { $0.time != $1.time }.map {
            "\($0.number): \($0.time) for \($1.time)"
        }
        #expect(differences == [])
        #expect(viewing.problems.map(isFailure) == [true])
    }

    @Test("So it is with the clock, and the sound continues without a stop")
    func audio() throws {
        var options = PlayerOptions.onHardware
        options.isUntimed = false
        let viewing = viewing(
            try Clips.filmWithAudio(), FailingDevice(faults: [20]), options: options, audio: .silent)
        #expect(viewing.runToEnd())
        #expect(viewing.player.state == .ended && viewing.problems.map(isFailure) == [true])
        // Late frames may be dropped, and none comes twice or out of order.
        #expect(viewing.numbers.first == 0 && viewing.numbers.last == 49)
        #expect(zip(viewing.numbers, viewing.numbers.dropFirst()).allSatisfy { $0 < $1 })
        #expect(viewing.player.counts.due == 50)
        // No new beginning, neither of the picture nor of the sound.
        #expect(viewing.player.generation == 0 && viewing.player.audioGeneration == 0)
    }

    @Test("A failure on the way to an exact seek's target loses neither the target nor what follows", arguments: 1...3)
    func seeking(fault: Int) throws {
        var options = PlayerOptions.onHardware
        options.isUntimed = false
        options.isPaused = true
        let device = FailingDevice(faults: [fault])
        let viewing = viewing(try Clips.film(), device, options: options)
        viewing.open()
        viewing.pauseAtStart()
        // What is ready before the seek takes a few pictures down.
        #expect(viewing.seek(to: .milliseconds(2600))?.number == 65)
        viewing.forget()
        viewing.player.play(now: viewing.now)
        #expect(viewing.runToEnd())
        #expect(viewing.numbers == Array(66..<100))
        #expect(device.openCount == 1)
    }

    @Test(
        "A failure at the very picture of an exact seek is made good",
        arguments: [(2600, 65), (2610, 65), (2000, 50), (3960, 99), (3990, 99)])
    func seekTarget(position: Int, number: Int) throws {
        var options = PlayerOptions.onHardware
        options.isUntimed = false
        options.isPaused = true
        let device = FailingDevice(faultTime: MediaTime(nanoseconds: Int64(number) * 40_000_000))
        let viewing = viewing(try Clips.film(), device, options: options)
        viewing.open()
        viewing.pauseAtStart()
        #expect(viewing.seek(to: .milliseconds(position))?.number == number)
        #expect(statistics(viewing).hardwareFailures == 1)
        viewing.forget()
        viewing.player.play(now: viewing.now)
        #expect(viewing.runToEnd())
        #expect(viewing.numbers == Array((number + 1)..<100))
    }

    @Test("A scrub preview gets its frame from another decoder")
    func scrubPreview() throws {
        let device = FailingDevice(faults: [3, 4, 5])
        var options = PlayerOptions.onHardware
        options.isUntimed = false
        options.isPaused = true
        let viewing = viewing(try Clips.film(), device, options: options)
        viewing.open()
        viewing.pauseAtStart()
        viewing.player.beginScrub(now: viewing.now)
        viewing.player.scrub(to: .milliseconds(2000), now: viewing.now)
        #expect(viewing.nextFrame()?.number == 50)
        viewing.player.endScrub(now: viewing.now)
        #expect(viewing.run { viewing.player.state == .paused && !viewing.player.isSeeking })
        #expect(viewing.last?.number == 50)
    }

    @Test("A loop continues from round to round over a failure")
    func loop() throws {
        var options = PlayerOptions.onHardware
        options.isUntimed = false
        options.isLooping = true
        let viewing = viewing(try Clips.film(), FailingDevice(faults: [130]), options: options)
        #expect(viewing.run { viewing.shown.count == 250 })
        #expect(viewing.numbers == (0..<250).map { $0 % 100 })
    }

    @Test("Where too much lies between keyframes to be kept, the place is sought")
    func lost() throws {
        var options = PlayerOptions.onHardware
        options.isUntimed = false
        let viewing = viewing(
            try Clips.film(), FailingDevice(faults: [30]), options: options, historyLimit: 4096)
        #expect(viewing.runToEnd())
        #expect(viewing.player.state == .ended && viewing.problems.map(isFailure) == [true])
        #expect(viewing.player.generation == 1)
        #expect(Set(viewing.numbers).isSuperset(of: 0..<30) && viewing.numbers.last == 99)
        #expect(viewing.numbers.sorted() == viewing.numbers)
        #expect(viewing.shown.count >= 90)
    }

    @Test("A device that is not there is told of once where it was named, and the film plays in software")
    func notThere() throws {
        let device = FailingDevice(opens: false)
        let viewing = viewing(try Clips.film(), device)
        #expect(viewing.runToEnd())
        #expect(viewing.numbers == Array(0..<100))
        #expect(viewing.problems == [.noHardwareDecoding(device: "vaapi", reason: "no such device")])
        #expect(
            viewing.problems.first?.description
                == "no hardware decoding by vaapi (no such device); decoding in software")
        #expect(statistics(viewing).videoDecoding == "h264 (software)")
        #expect(statistics(viewing).hardwareFailures == 0)
    }

    @Test("A device that turns out not to decode the stream is as one that is not there")
    func refused() throws {
        let device = FailingDevice(refuses: true)
        let viewing = viewing(try Clips.film(), device)
        #expect(viewing.runToEnd())
        #expect(viewing.numbers == Array(0..<100))
        #expect(device.openCount == 1 && device.downloadCount == 0)
        #expect(
            viewing.problems == [.noHardwareDecoding(device: "vaapi", reason: "it cannot decode this stream")])
    }

    @Test("Stills are decoded in software, whatever is asked for")
    func still() throws {
        let device = FailingDevice()
        let path = try Clips.file(
            "attached.mp3",
            ffmpeg: FrameCode.tone + FrameCode.source(seconds: 0.04) + [
                "-map", "0", "-map", "1", "-t", "1", "-c:a", "mp3", "-c:v", "mjpeg", "-pix_fmt", "yuvj420p",
                "-disposition:v", "attached_pic",
            ])
        let viewing = viewing(path, device)
        #expect(viewing.nextFrame() != nil)
        #expect(device.openCount == 0)
    }

    @Test("A damaged film on a device plays what there is, in software at the latest")
    func damaged() throws {
        var data = try Clips.bytes(Clips.grainyFilm("ts"))
        for index in stride(from: data.count / 3, to: data.count / 2, by: 97) { data[index] ^= 0x5A }
        let path = try Clips.file("damaged-hardware.ts", data: data)
        let viewing = viewing(path, FailingDevice())
        #expect(viewing.runToEnd())
        #expect(viewing.player.state == .ended && viewing.numbers.count > 50)
        #expect(viewing.problems.contains { if case .damagedData = $0 { true } else { false } })
    }
}
