import GlissadeCFFmpeg
import GlissadePlatform
import Testing
import GlissadeTestSupport
import GlissadeTime

@testable import GlissadeMedia
@testable import GlissadePlayback

/// A film that is decoded on hardware, and goes on in software where that fails.
@MainActor @Suite("Hardware decoding fallback", .serialized) struct HardwareFallbackTests {
    private func harness(
        _ path: String, _ device: FailingDevice, options: PlayerOptions = .onHardware,
        audio: PlayerOptions.Audio = .none, historyLimit: Int = PacketBuffer.byteLimit
    ) -> PlaybackHarness {
        PlaybackHarness(path, options: options, audio: audio, access: device.access(historyLimit: historyLimit))
    }

    private func statistics(_ harness: PlaybackHarness) -> PlayerStatistics {
        harness.player.statistics(at: harness.now)
    }

    private func isFailure(_ problem: PlaybackProblem) -> Bool {
        if case .hardwareFailed = problem { true } else { false }
    }

    @Test("A device that does not fail decodes the video to its end", arguments: ["mp4", "avi"])
    func whole(kind: String) throws {
        let device = FailingDevice()
        let harness = harness(try Clips.film(kind), device)
        #expect(harness.runToEnd())
        #expect(harness.numbers == Array(0..<100))
        #expect(device.downloadCount == 100 && device.openCount == 1)
        #expect(harness.problems.isEmpty)
        #expect(statistics(harness).videoDecoding == "h264 (vaapi)")
    }

    @Test(
        "Wherever the device fails, every frame is shown once, in order, at its own time",
        arguments: ["mp4", "mkv", "ts", "avi", "h264"], [0, 1, 37, 49, 50, 52, 99])
    func everyFrameOnce(kind: String, fault: Int) throws {
        let path = try Clips.film(kind)
        let software = PlaybackHarness(
            path,
            options: {
                var options = PlayerOptions(); options.isUntimed = true; return options
            }())
        #expect(software.runToEnd())
        let device = FailingDevice(faults: [fault])
        let harness = harness(path, device)
        #expect(harness.runToEnd())
        #expect(harness.numbers == Array(0..<100))
        #expect(harness.shown.map(\.time) == software.shown.map(\.time))
        // The device is given up for good.
        #expect(device.openCount == 1 && device.downloadCount == fault + 1)
        let statistics = statistics(harness)
        #expect(statistics.hardwareDevice == nil && statistics.videoDecoder == "h264")
        #expect(statistics.decoderThreads == VideoDecoder.frameThreads)
        // Before the first picture it has not failed, but never been of use.
        #expect(statistics.hardwareFailures == (fault > 0 ? 1 : 0))
        #expect(harness.problems.count == 1 && harness.problems.allSatisfy(isFailure) == (fault > 0))
    }

    /// Streams whose frames lean on what is before a keyframe, come out twice, or are hidden in another's packet.
    struct Coding: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var kind: String
        var arguments: [String]

        static let all = [
            Coding(
                testDescription: "h264-open", kind: "ts",
                arguments: NumberedFrames.h264 + ["-g", "20", "-keyint_min", "20", "-x264-params", "open-gop=1"]),
            Coding(
                testDescription: "h264-open", kind: "mkv",
                arguments: NumberedFrames.h264 + ["-g", "20", "-keyint_min", "20", "-x264-params", "open-gop=1"]),
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

    @Test(
        "Falling back shows every frame once, whatever the codec", arguments: Coding.all,
        [3, 18, 19, 20, 21, 29, 30, 31, 98])
    func everyCodec(coding: Coding, fault: Int) throws {
        let path = try Clips.file(
            "\(coding.testDescription).\(coding.kind)", ffmpeg: NumberedFrames.source(seconds: 4) + coding.arguments)
        var options = PlayerOptions()
        options.isUntimed = true
        let software = PlaybackHarness(path, options: options)
        #expect(software.runToEnd())
        let format: AVPixelFormat = coding.testDescription == "mjpeg" ? AV_PIX_FMT_YUVJ420P : AV_PIX_FMT_YUV420P
        let harness = harness(path, FailingDevice(faults: [fault], pixelFormat: format))
        #expect(harness.runToEnd())
        #expect(harness.numbers == Array(0..<100))
        let differences = zip(harness.shown, software.shown).filter { $0.time != $1.time }.map {
            "\($0.number): \($0.time) for \($1.time)"
        }
        #expect(differences == [])
        #expect(harness.problems.map(isFailure) == [true])
    }

    @Test("Falling back shows every frame once with the clock running, and audio continues without a gap")
    func audio() throws {
        var options = PlayerOptions.onHardware
        options.isUntimed = false
        let harness = harness(
            try Clips.filmWithAudio(), FailingDevice(faults: [20]), options: options, audio: .silent)
        #expect(harness.runToEnd())
        #expect(harness.player.state == .ended && harness.problems.map(isFailure) == [true])
        // Late frames may be dropped, and none comes twice or out of order.
        #expect(harness.numbers.first == 0 && harness.numbers.last == 49)
        #expect(zip(harness.numbers, harness.numbers.dropFirst()).allSatisfy { $0 < $1 })
        #expect(harness.player.counts.due == 50)
        // No new beginning, neither of the picture nor of the sound.
        #expect(harness.player.generation == 0 && harness.player.audioGeneration == 0)
    }

    @Test("A failure during an exact seek loses neither the target frame nor what follows", arguments: 1...3)
    func seeking(fault: Int) throws {
        var options = PlayerOptions.onHardware
        options.isUntimed = false
        options.isPaused = true
        let device = FailingDevice(faults: [fault])
        let harness = harness(try Clips.film(), device, options: options)
        harness.open()
        harness.pauseAtStart()
        // What is ready before the seek takes a few pictures down.
        #expect(harness.seek(to: .milliseconds(2600))?.number == 65)
        harness.forget()
        harness.player.play(now: harness.now)
        #expect(harness.runToEnd())
        #expect(harness.numbers == Array(66..<100))
        #expect(device.openCount == 1)
    }

    @Test(
        "A failure at the target frame of an exact seek is recovered",
        arguments: [(2600, 65), (2610, 65), (2000, 50), (3960, 99), (3990, 99)])
    func seekTarget(position: Int, number: Int) throws {
        var options = PlayerOptions.onHardware
        options.isUntimed = false
        options.isPaused = true
        let device = FailingDevice(faultTime: MediaTime(nanoseconds: Int64(number) * 40_000_000))
        let harness = harness(try Clips.film(), device, options: options)
        harness.open()
        harness.pauseAtStart()
        #expect(harness.seek(to: .milliseconds(position))?.number == number)
        #expect(statistics(harness).hardwareFailures == 1)
        harness.forget()
        harness.player.play(now: harness.now)
        #expect(harness.runToEnd())
        #expect(harness.numbers == Array((number + 1)..<100))
    }

    @Test("A scrub preview gets its frame from another decoder")
    func scrubPreview() throws {
        let device = FailingDevice(faults: [3, 4, 5])
        var options = PlayerOptions.onHardware
        options.isUntimed = false
        options.isPaused = true
        let harness = harness(try Clips.film(), device, options: options)
        harness.open()
        harness.pauseAtStart()
        harness.player.beginScrub(now: harness.now)
        harness.player.scrub(to: .milliseconds(2000), now: harness.now)
        #expect(harness.nextFrame()?.number == 50)
        harness.player.endScrub(now: harness.now)
        #expect(harness.run { harness.player.state == .paused && !harness.player.isSeeking })
        #expect(harness.last?.number == 50)
    }

    @Test("A loop continues across a failure")
    func loop() throws {
        var options = PlayerOptions.onHardware
        options.isUntimed = false
        options.isLooping = true
        let harness = harness(try Clips.film(), FailingDevice(faults: [130]), options: options)
        #expect(harness.run { harness.shown.count == 250 })
        #expect(harness.numbers == (0..<250).map { $0 % 100 })
    }

    @Test("If too much lies between keyframes to keep, falling back seeks instead")
    func lost() throws {
        var options = PlayerOptions.onHardware
        options.isUntimed = false
        let harness = harness(
            try Clips.film(), FailingDevice(faults: [30]), options: options, historyLimit: 4096)
        #expect(harness.runToEnd())
        #expect(harness.player.state == .ended && harness.problems.map(isFailure) == [true])
        #expect(harness.player.generation == 1)
        #expect(Set(harness.numbers).isSuperset(of: 0..<30) && harness.numbers.last == 99)
        #expect(harness.numbers.sorted() == harness.numbers)
        #expect(harness.shown.count >= 90)
    }

    @Test("A named device that is missing is reported once, and the video plays in software")
    func notThere() throws {
        let device = FailingDevice(opens: false)
        let harness = harness(try Clips.film(), device)
        #expect(harness.runToEnd())
        #expect(harness.numbers == Array(0..<100))
        #expect(harness.problems == [.noHardwareDecoding(device: "vaapi", reason: "no such device")])
        #expect(
            harness.problems.first?.description
                == "cannot decode with vaapi (no such device); decoding in software")
        #expect(statistics(harness).videoDecoding == "h264 (software)")
        #expect(statistics(harness).hardwareFailures == 0)
    }

    @Test("A device that cannot decode the stream is treated like a missing one")
    func refused() throws {
        let device = FailingDevice(refuses: true)
        let harness = harness(try Clips.film(), device)
        #expect(harness.runToEnd())
        #expect(harness.numbers == Array(0..<100))
        #expect(device.openCount == 1 && device.downloadCount == 0)
        #expect(
            harness.problems == [.noHardwareDecoding(device: "vaapi", reason: "it cannot decode this stream")])
    }

    @Test("Single frames are decoded in software, whatever is requested")
    func still() throws {
        let device = FailingDevice()
        let path = try Clips.file(
            "attached.mp3",
            ffmpeg: NumberedFrames.tone + NumberedFrames.source(seconds: 0.04) + [
                "-map", "0", "-map", "1", "-t", "1", "-c:a", "mp3", "-c:v", "mjpeg", "-pix_fmt", "yuvj420p",
                "-disposition:v", "attached_pic",
            ])
        let harness = harness(path, device)
        #expect(harness.nextFrame() != nil)
        #expect(device.openCount == 0)
    }

    @Test("A damaged video on a device plays what there is, in software if need be")
    func damaged() throws {
        var data = try Clips.bytes(Clips.grainyFilm("ts"))
        for index in stride(from: data.count / 3, to: data.count / 2, by: 97) { data[index] ^= 0x5A }
        let path = try Clips.file("damaged-hardware.ts", data: data)
        let harness = harness(path, FailingDevice())
        #expect(harness.runToEnd())
        #expect(harness.player.state == .ended && harness.numbers.count > 50)
        #expect(harness.problems.contains { if case .damagedData = $0 { true } else { false } })
    }
}
