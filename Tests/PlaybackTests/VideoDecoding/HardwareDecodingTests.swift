import GlissadeCFFmpeg
import Testing
import GlissadeTestSupport

@testable import GlissadeMedia
@testable import GlissadePlayback

/// Which hardware is asked for, by which names, and FFmpeg's own ways to it.
@MainActor @Suite("Hardware decoding", .serialized) struct HardwareDecodingTests {
    @Test("Hardware decoding is off by default")
    func off() { #expect(PlayerOptions().hardware == .off) }

    @Test("Valid names are auto, no and FFmpeg's device names")
    func names() {
        #expect(HardwareDecoding(name: "no") == .off)
        #expect(HardwareDecoding(name: "auto") == .automatic)
        #expect(HardwareDecoding(name: "vaapi") == .on(HardwareDevice(AV_HWDEVICE_TYPE_VAAPI)))
        // FFmpeg knows it, though it is not built with it on any Linux.
        #expect(HardwareDecoding(name: "d3d11va") != nil)
        for name in [
            "", " ", "none", "yes", "VAAPI", "vaapi ", "vaapi,cuda", "\0", String(repeating: "x", count: 1 << 20),
        ] {
            #expect(HardwareDecoding(name: name) == nil)
        }
        #expect(HardwareDecoding.names.starts(with: ["auto", "no"]))
        #expect(HardwareDecoding.names.allSatisfy { HardwareDecoding(name: $0) != nil })
    }

    @Test("FFmpeg decides which devices can decode a codec")
    func codecs() {
        let names = Set(HardwareDevice.devices(decoding: "h264").map(\.name))
        #expect(names.isSubset(of: HardwareDevice.built.map(\.name)))
        if HardwareDevice.built.contains(HardwareDevice(AV_HWDEVICE_TYPE_VAAPI)) {
            #expect(names.contains("vaapi"))
            // By FFmpeg's own decoder, not by the one that it prefers in software, which knows no hardware.
            let configuration = HardwareConfiguration(AV_CODEC_ID_AV1, on: HardwareDevice(AV_HWDEVICE_TYPE_VAAPI))
            #expect(configuration.map { String(cString: $0.codec.pointee.name) } == "av1")
            #expect(configuration?.pixelFormat == AV_PIX_FMT_VAAPI)
        }
        #expect(HardwareDevice.devices(decoding: "ffv1").isEmpty)
        #expect(HardwareDevice.devices(decoding: "no such codec").isEmpty)
    }

    @Test("Automatic mode tries the machine's devices for codecs that are expensive in software")
    func automatic() {
        for codec in [AV_CODEC_ID_MPEG2VIDEO, AV_CODEC_ID_MJPEG, AV_CODEC_ID_FFV1] {
            #expect(HardwareDecoding.automatic.candidates(for: codec).isEmpty)
        }
        let candidates = HardwareDecoding.automatic.candidates(for: AV_CODEC_ID_H264)
        #expect(candidates.allSatisfy(HardwareDevice.present.contains))
        #expect(HardwareDecoding.off.candidates(for: AV_CODEC_ID_H264).isEmpty)
    }

    @Test(
        "A video plays with any device name, whether the machine has the device or not",
        arguments: HardwareDecoding.names)
    func anyDevice(name: String) throws {
        var options = PlayerOptions()
        options.isUntimed = true
        options.hardware = try #require(HardwareDecoding(name: name))
        let harness = PlaybackHarness(try Clips.film(), options: options)
        #expect(harness.runToEnd())
        #expect(harness.numbers == Array(0..<100))
        let statistics = harness.player.statistics(at: harness.now)
        if statistics.hardwareDevice == nil, case .on(let device) = options.hardware {
            #expect(harness.problems.count == 1)
            #expect(harness.problems.first?.description.hasPrefix("cannot decode with \(device.name) (") == true)
        } else {
            #expect(harness.problems.isEmpty)
        }
    }

    @Test("A codec that no device supports is reported without looking for devices")
    func unknownCodec() throws {
        var options = PlayerOptions()
        options.hardware = .on(HardwareDevice(AV_HWDEVICE_TYPE_VAAPI))
        options.isUntimed = true
        let path = try Clips.file("lossless.mkv", ffmpeg: NumberedFrames.source(seconds: 1) + ["-c:v", "ffv1"])
        let harness = PlaybackHarness(path, options: options)
        #expect(harness.runToEnd())
        #expect(harness.numbers == Array(0..<25))
        #expect(
            harness.problems == [
                .noHardwareDecoding(device: "vaapi", reason: "FFmpeg cannot decode ffv1 on this device")
            ])
    }
}
