package import CFFmpeg

/// A way in which FFmpeg decodes a codec on a device: by which of its decoders, and into frames of which format.
struct HardwareConfiguration {
    let codec: UnsafePointer<AVCodec>
    let pixelFormat: AVPixelFormat

    /// Nil where it knows none. Its own decoders come before those of vendors' libraries, and before the one that it takes
    /// in software, which may know no hardware (AV1).
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

/// What a decoder on hardware and the one who uses it tell each other. On the decoder's thread.
package final class HardwareLink {
    package let device: HardwareDevice
    /// Of the frames that are on the device.
    package let pixelFormat: AVPixelFormat
    /// Whether the decoder has said that it cannot decode this stream on the device.
    package var isRefused = false

    init(device: HardwareDevice, pixelFormat: AVPixelFormat) {
        self.device = device
        self.pixelFormat = pixelFormat
    }

    /// FFmpeg's `get_format`: asked with each new sequence, and once more without the device's format where that could not
    /// be set up. It takes that format or none: what is decoded in software has threads, which this decoder has not.
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

/// How a decoder on hardware is opened, and how what it has decoded comes down: FFmpeg's ways, unless a test puts a fault in.
package struct HardwareAccess: Sendable {
    /// Opens a decoder on a device. Blocks while a driver is loaded.
    package var open: @Sendable (borrowing CodecConfiguration, HardwareDevice) throws(PlaybackError) -> CodecContext
    /// Brings a frame down into an empty one; FFmpeg's code.
    package var download: @Sendable (_ frame: UnsafePointer<AVFrame>, _ target: UnsafeMutablePointer<AVFrame>) -> CInt
    /// How much of what was decoded is kept to be decoded anew, should the device fail, in bytes.
    package var historyLimit = MemoryBudget.waitingPackets

    package static let ffmpeg = HardwareAccess(
        open: { (configuration, device) throws(PlaybackError) in try configuration.openDecoder(on: device) },
        download: { frame, target in
            let code = av_hwframe_transfer_data(target, frame, 0)
            return code < 0 ? code : copyProperties(of: frame, to: target)
        })

    /// Gives a frame that was brought down what belongs to the picture: times, colour, shape, side data. FFmpeg crops frames
    /// on a device at the right and below alone; the rest is done here, where there is a beginning of a line to be moved.
    static func copyProperties(of frame: UnsafePointer<AVFrame>, to target: UnsafeMutablePointer<AVFrame>) -> CInt {
        let code = av_frame_copy_props(target, frame)
        return code < 0 ? code : av_frame_apply_cropping(target, CInt(AV_FRAME_CROP_UNALIGNED))
    }
}

extension CodecConfiguration {
    /// Opens the codec on a device; its packets' and frames' times are nanoseconds. Blocks while a driver is loaded.
    ///
    /// - Throws: `nothingToPlay` where FFmpeg does not know the codec there, or there is no such device.
    package func openDecoder(on device: HardwareDevice) throws(PlaybackError) -> CodecContext {
        let id = parameters.pointee.codec_id
        guard let configuration = HardwareConfiguration(id, on: device) else {
            throw .nothingToPlay(reason: "FFmpeg cannot decode \(String(cString: avcodec_get_name(id))) there")
        }
        var reference: UnsafeMutablePointer<AVBufferRef>?
        let code = av_hwdevice_ctx_create(&reference, device.type, nil, nil, 0)
        guard code >= 0, let reference else { throw .nothingToPlay(reason: describe(code: code)) }
        let link = HardwareLink(device: device, pixelFormat: configuration.pixelFormat)
        // One thread: several gain nothing where the device does the work, and some drivers do not bear them.
        return try open(configuration.codec, threads: 1, link: link) { context in
            // The context owns the device from now on.
            context.pointee.hw_device_ctx = reference
            context.pointee.get_format = HardwareLink.choose
            // Beside what the decoder itself refers to: the frame that was taken out, and a seek's candidate.
            context.pointee.extra_hw_frames = 2
        }
    }
}
