import GlissadeCFFmpeg
import Testing
import GlissadeTestSupport

@testable import GlissadeMedia
@testable import GlissadePlayback

/// A real device that frames go up to, and come down from as from one that decodes: Vulkan, which Mesa also has for
/// machines without a GPU. (FFmpeg 5.1 decodes nothing there.)
final class VulkanDevice: @unchecked Sendable {
    // @unchecked: FFmpeg's references are atomic, and its device is made for several threads.
    private let reference: UnsafeMutablePointer<AVBufferRef>

    static let shared: VulkanDevice? = {
        silenceFFmpeg()
        var reference: UnsafeMutablePointer<AVBufferRef>?
        guard av_hwdevice_ctx_create(&reference, AV_HWDEVICE_TYPE_VULKAN, nil, nil, 0) >= 0 else { return nil }
        return reference.map(VulkanDevice.init)
    }()

    private init(_ reference: UnsafeMutablePointer<AVBufferRef>) { self.reference = reference }

    /// Brings a frame up, and down again in the player's way; FFmpeg's code.
    func upAndDown(_ frame: UnsafePointer<AVFrame>, _ target: UnsafeMutablePointer<AVFrame>) -> CInt {
        var pool = av_hwframe_ctx_alloc(reference)
        defer { av_buffer_unref(&pool) }
        var up = av_frame_alloc()
        defer { av_frame_free(&up) }
        guard let pool, let up else { return glissade_averror_external() }
        pool.pointee.data.withMemoryRebound(to: AVHWFramesContext.self, capacity: 1) { frames in
            frames.pointee.format = AV_PIX_FMT_VULKAN
            frames.pointee.sw_format = AVPixelFormat(frame.pointee.format)
            frames.pointee.width = frame.pointee.width
            frames.pointee.height = frame.pointee.height
        }
        let steps: [() -> CInt] = [
            { av_hwframe_ctx_init(pool) }, { av_hwframe_get_buffer(pool, up, 0) },
            { av_hwframe_transfer_data(up, frame, 0) }, { av_frame_copy_props(up, frame) },
        ]
        for step in steps {
            let code = step()
            if code < 0 { return code }
        }
        precondition(up.pointee.format == AV_PIX_FMT_VULKAN.rawValue, "it is on the device")
        return HardwareAccess.ffmpeg.download(up, target)
    }
}

@MainActor
@Suite(
    "Hardware frames from a real device", .serialized,
    .enabled(if: VulkanDevice.shared != nil, "no Vulkan driver (Debian: mesa-vulkan-drivers)"))
struct VulkanTransferTests {
    @Test(
        "Frames downloaded from the device equal software frames, in each of its layouts",
        arguments: ["yuv420p", "nv12", "yuv420p10le", "yuv444p"])
    func layouts(name: String) throws {
        let format = av_get_pix_fmt(name)
        let path = try Clips.file(
            "layout-\(name).nut",
            ffmpeg: NumberedFrames.source(seconds: 1, format: name) + ["-c:v", "rawvideo", "-pix_fmt", name])
        var options = PlayerOptions()
        options.isUntimed = true
        let software = PlaybackHarness(path, options: options)
        #expect(software.runToEnd())
        let vulkan = try #require(VulkanDevice.shared)
        let device = FailingDevice(pixelFormat: format) { vulkan.upAndDown($0, $1) }
        let harness = PlaybackHarness(path, options: .onHardware, access: device.access())
        #expect(harness.runToEnd())
        #expect(harness.numbers == Array(0..<25))
        #expect(harness.shown == software.shown)
        #expect(device.downloadCount == 25 && harness.problems.isEmpty)
    }

    @Test("10-bit frames keep their colors when downloaded")
    func tenBits() throws {
        let path = try Clips.file(
            "layout-ten.nut",
            ffmpeg: NumberedFrames.source(seconds: 1, format: "yuv420p10le") + [
                "-c:v", "rawvideo", "-pix_fmt", "yuv420p10le",
            ])
        let vulkan = try #require(VulkanDevice.shared)
        let device = FailingDevice(pixelFormat: AV_PIX_FMT_YUV420P10LE) { frame, target in
            var arranged = av_frame_alloc()
            defer { av_frame_free(&arranged) }
            guard let arranged else { return glissade_averror_external() }
            let code = FailingDevice.rearrange(frame, as: AV_PIX_FMT_P010LE, into: arranged)
            return code < 0 ? code : vulkan.upAndDown(arranged, target)
        }
        let harness = PlaybackHarness(path, options: .onHardware, access: device.access())
        #expect(harness.runToEnd())
        #expect(harness.numbers == Array(0..<25))
        #expect(device.downloadCount == 25 && harness.problems.isEmpty)
        let plain = PlaybackHarness(path)
        plain.nextFrame()
        let (format, before) = (try #require(harness.last?.format), try #require(plain.last?.format))
        #expect(format.layout == .semiPlanar(vFirst: false) && format.bitDepth == 10 && format.isHighAligned)
        #expect(format.size == before.size && format.matrix == before.matrix && format.range == before.range)
        #expect(format.siting == before.siting)
    }

    @Test("A device that fails after delivering frames loses none of them")
    func failure() throws {
        let vulkan = try #require(VulkanDevice.shared)
        let device = FailingDevice(faults: [60]) { vulkan.upAndDown($0, $1) }
        let harness = PlaybackHarness(try Clips.film(), options: .onHardware, access: device.access())
        #expect(harness.runToEnd())
        #expect(harness.numbers == Array(0..<100))
        #expect(harness.problems.count == 1)
    }
}
