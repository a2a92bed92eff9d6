package import GlissadeCFFmpeg

/// FFmpeg's decoder for a codec on a kind of device, and the decoder's frame format.
struct HardwareConfiguration {
    let codec: UnsafePointer<AVCodec>
    let pixelFormat: AVPixelFormat

    /// Finds a decoder for the codec `id` on `device`; nil if FFmpeg has none. Prefers FFmpeg's own decoders to those
    /// of vendor libraries. Searches all decoders, because FFmpeg's default decoder may lack hardware support, as for
    /// AV1.
    init?(_ id: AVCodecID, on device: HardwareDevice) {
        var vendors: HardwareConfiguration?
        var place: UnsafeMutableRawPointer?
        while let codec = av_codec_iterate(&place) {
            guard codec.pointee.id == id, av_codec_is_decoder(codec) != 0, let found = Self.format(codec, device) else {
                continue
            }
            let configuration = HardwareConfiguration(codec: codec, pixelFormat: found)
            if codec.pointee.wrapper_name == nil {
                self = configuration
                return
            }
            vendors = vendors ?? configuration
        }
        guard let vendors else { return nil }
        self = vendors
    }

    private init(codec: UnsafePointer<AVCodec>, pixelFormat: AVPixelFormat) {
        self.codec = codec
        self.pixelFormat = pixelFormat
    }

    private static func format(_ codec: UnsafePointer<AVCodec>, _ device: HardwareDevice) -> AVPixelFormat? {
        var index: CInt = 0
        while let configuration = avcodec_get_hw_config(codec, index)?.pointee {
            if configuration.methods & CInt(AV_CODEC_HW_CONFIG_METHOD_HW_DEVICE_CTX) != 0,
                configuration.device_type == device.type
            {
                return configuration.pix_fmt
            }
            index += 1
        }
        return nil
    }
}

/// The state that a hardware decoder shares with its `get_format` callback. Confined to the decoder's thread.
package final class HardwareLink {
    package let device: HardwareDevice
    /// The format of frames on the device.
    package let pixelFormat: AVPixelFormat
    /// Whether the decoder reported that it cannot decode this stream on the device.
    package var isRefused = false

    init(device: HardwareDevice, pixelFormat: AVPixelFormat) {
        self.device = device
        self.pixelFormat = pixelFormat
    }

    /// FFmpeg's `get_format` callback, which accepts only the device's format. Refuses software formats: the decoder
    /// runs on one thread, which is too slow for software decoding.
    ///
    /// FFmpeg calls this callback for each new sequence. If the device cannot be set up, FFmpeg calls again without the
    /// device's format. The callback then sets `isRefused`.
    static let choose:
        @convention(c) (UnsafeMutablePointer<AVCodecContext>?, UnsafePointer<AVPixelFormat>?) -> AVPixelFormat = {
            context, formats in
            guard let opaque = context?.pointee.opaque, var format = formats else { return AV_PIX_FMT_NONE }
            let link = Unmanaged<HardwareLink>.fromOpaque(opaque).takeUnretainedValue()
            while format.pointee != AV_PIX_FMT_NONE {
                if format.pointee == link.pixelFormat { return link.pixelFormat }
                format += 1
            }
            link.isRefused = true
            return AV_PIX_FMT_NONE
        }
}

/// The functions that open a hardware decoder and download its frames. Tests replace them to inject faults.
package struct HardwareAccess: Sendable {
    /// Opens a decoder on a device. Blocks while the driver loads.
    package var open: @Sendable (borrowing CodecConfiguration, HardwareDevice) throws(PlaybackError) -> CodecContext
    /// Downloads `frame` from the device into `target`, which must be empty. Returns FFmpeg's code.
    package var download: @Sendable (_ frame: UnsafePointer<AVFrame>, _ target: UnsafeMutablePointer<AVFrame>) -> CInt
    /// The maximum total size, in bytes, of the packets to keep. If the device fails, these packets are decoded again.
    package var historyLimit = MemoryBudget.waitingPackets

    /// The functions that use a real device through FFmpeg.
    package static let ffmpeg = HardwareAccess(
        open: { (configuration, device) throws(PlaybackError) in try configuration.openDecoder(on: device) },
        download: { frame, target in
            let code = av_hwframe_transfer_data(target, frame, 0)
            return code < 0 ? code : copyProperties(of: frame, to: target)
        })

    /// Copies the times, color properties, aspect ratio and side data of a frame on the device to the downloaded frame,
    /// then crops the downloaded frame. FFmpeg crops frames on the device only at the right and bottom. Returns
    /// FFmpeg's code.
    static func copyProperties(of frame: UnsafePointer<AVFrame>, to target: UnsafeMutablePointer<AVFrame>) -> CInt {
        let code = av_frame_copy_props(target, frame)
        return code < 0 ? code : av_frame_apply_cropping(target, CInt(AV_FRAME_CROP_UNALIGNED))
    }
}

extension CodecConfiguration {
    /// Opens a decoder on a device. Packet and frame times are in nanoseconds. Blocks while the driver loads.
    ///
    /// - Throws: `nothingToPlay` if FFmpeg does not support the codec on the device, if there is no such device, or if
    ///   the decoder cannot be opened; `outOfMemory` if memory runs out.
    package func openDecoder(on device: HardwareDevice) throws(PlaybackError) -> CodecContext {
        let id = parameters.pointee.codec_id
        guard let configuration = HardwareConfiguration(id, on: device) else {
            throw .nothingToPlay(reason: "FFmpeg cannot decode \(String(cString: avcodec_get_name(id))) on this device")
        }
        var reference: UnsafeMutablePointer<AVBufferRef>?
        let code = av_hwdevice_ctx_create(&reference, device.type, nil, nil, 0)
        guard code >= 0, let reference else { throw .nothingToPlay(reason: describe(code: code)) }
        let link = HardwareLink(device: device, pixelFormat: configuration.pixelFormat)
        // One thread: the device does the work, and some drivers are not thread-safe.
        return try open(configuration.codec, threads: 1, link: link) { context in
            // The context owns the device from here on.
            context.pointee.hw_device_ctx = reference
            context.pointee.get_format = HardwareLink.choose
            // Two more frames than the decoder references: the current frame, and the best frame so far during a seek.
            context.pointee.extra_hw_frames = 2
        }
    }
}
