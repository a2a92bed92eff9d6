import CFFmpeg
import Testing

@testable import Playback

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
    "Pictures coming down from a real device", .serialized,
    .enabled(if: VulkanDevice.shared != nil, "no Vulkan driver (Debian: mesa-vulkan-drivers)"))
struct VulkanTransferTests {
    private static let formats: [(name: String, format: AVPixelFormat)] = [
        ("yuv420p", AV_PIX_FMT_YUV420P), ("nv12", AV_PIX_FMT_NV12), ("p010le", AV_PIX_FMT_P010LE),
        ("yuv420p10le", AV_PIX_FMT_YUV420P10LE), ("yuv444p", AV_PIX_FMT_YUV444P),
    ]

    @Test(
        "They are the same pictures, with their times, colours and shape, in each layout that devices have",
        arguments: formats.map(\.name))
    func layouts(name: String) throws {
        let format = try #require(Self.formats.first { $0.name == name }?.format)
        let path = try Clips.file(
            "layout-\(name).nut",
            ffmpeg: FrameCode.source(seconds: 1, format: name) + ["-c:v", "rawvideo", "-pix_fmt", name])
        var options = PlayerOptions()
        options.isUntimed = true
        let software = Viewing(path, options: options)
        #expect(software.runToEnd())
        let vulkan = try #require(VulkanDevice.shared)
        let device = FailingDevice(pixelFormat: format) { vulkan.upAndDown($0, $1) }
        let viewing = Viewing(path, options: .onHardware, access: device.access())
        #expect(viewing.runToEnd())
        #expect(viewing.numbers == Array(0..<25))
        #expect(viewing.shown == software.shown)
        #expect(device.downloadCount == 25 && viewing.problems.isEmpty)
    }

    @Test("A device that fails after it has brought pictures down loses none")
    func failure() throws {
        let vulkan = try #require(VulkanDevice.shared)
        let device = FailingDevice(faults: [60]) { vulkan.upAndDown($0, $1) }
        let viewing = Viewing(try Clips.film(), options: .onHardware, access: device.access())
        #expect(viewing.runToEnd())
        #expect(viewing.numbers == Array(0..<100))
        #expect(viewing.problems.count == 1)
    }
}
