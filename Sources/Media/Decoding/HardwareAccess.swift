package import CFFmpeg

/// FFmpeg's way to decode a codec on a device: the decoder and the frame format.
struct HardwareConfiguration {
    let codec: UnsafePointer<AVCodec>
    let pixelFormat: AVPixelFormat

    /// Nil if FFmpeg supports none. FFmpeg's own decoders take precedence over those of vendor libraries, and over the
    /// software decoder it prefers, which may not support hardware (AV1).
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

/// State shared by a hardware decoder and its user. Confined to the decoder's thread.
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

    /// FFmpeg's `get_format` callback: called for each new sequence, and again without the device's format if that
    /// could not be set up. Accepts only the device's format, since software decoding needs threads that this decoder
    /// does not have.
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

/// Opens a hardware decoder and downloads its frames: with FFmpeg, unless a test injects a fault.
package struct HardwareAccess: Sendable {
    /// Opens a decoder on a device. Blocks while the driver loads.
    package var open: @Sendable (borrowing CodecConfiguration, HardwareDevice) throws(PlaybackError) -> CodecContext
    /// Downloads a frame into an empty one. Returns FFmpeg's code.
    package var download: @Sendable (_ frame: UnsafePointer<AVFrame>, _ target: UnsafeMutablePointer<AVFrame>) -> CInt
    /// How many bytes of packets are kept, to be decoded again if the device fails.
    package var historyLimit = MemoryBudget.waitingPackets

    package static let ffmpeg = HardwareAccess(
        open: { (configuration, device) throws(PlaybackError) in try configuration.openDecoder(on: device) },
        download: { frame, target in
            let code = av_hwframe_transfer_data(target, frame, 0)
            return code < 0 ? code : copyProperties(of: frame, to: target)
        })

    /// Copies a frame's times, color properties, aspect ratio and side data to its download. FFmpeg crops device frames
    /// only at the right and bottom; cropping at the left and top happens here.
    static func copyProperties(of frame: UnsafePointer<AVFrame>, to target: UnsafeMutablePointer<AVFrame>) -> CInt {
        let code = av_frame_copy_props(target, frame)
        return code < 0 ? code : av_frame_apply_cropping(target, CInt(AV_FRAME_CROP_UNALIGNED))
    }
}

extension CodecConfiguration {
    /// Opens the codec on a device. Packet and frame times are nanoseconds. Blocks while the driver loads.
    ///
    /// - Throws: `nothingToPlay` if FFmpeg does not support the codec on it, or there is no such device.
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
            // For frames held beyond the decoder's own references: the current frame, and a seek's candidate.
            context.pointee.extra_hw_frames = 2
        }
    }
}
