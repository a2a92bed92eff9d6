import GlissadeCFFmpeg
import Synchronization
import GlissadeTime

@testable import GlissadeMedia
@testable import GlissadePlayback

/// A device that decodes as software does, since it is software, and fails where a test says: a fault where pictures come
/// down from it, or where it is opened. All else is as it is with any device.
final class FailingDevice: Sendable {
    private let downloads = Mutex(0)
    private let opened = Mutex(0)
    private let faults: [Int]
    private let faultTime: MediaTime?
    private let code: CInt
    private let opens: Bool
    private let refuses: Bool
    private let pixelFormat: AVPixelFormat
    private let transfer: @Sendable (UnsafePointer<AVFrame>, UnsafeMutablePointer<AVFrame>) -> CInt

    /// - Parameters:
    ///   - faults: which pictures cannot be brought down, counted from 0 over all that are.
    ///   - faultTime: the picture of which time cannot be brought down.
    ///   - opens: false for a device that is not there.
    ///   - refuses: has FFmpeg choose the device's format where no device is set up for it, so that it must refuse.
    ///   - pixelFormat: which frames are taken to be on the device.
    ///   - transfer: how they come down, where there is no fault.
    init(
        faults: [Int] = [], faultTime: MediaTime? = nil, code: CInt = glissade_averror_external(), opens: Bool = true,
        refuses: Bool = false,
        pixelFormat: AVPixelFormat = AV_PIX_FMT_YUV420P,
        transfer: @escaping @Sendable (UnsafePointer<AVFrame>, UnsafeMutablePointer<AVFrame>) -> CInt = {
            av_frame_ref($1, $0)
        }
    ) {
        self.faults = faults
        self.faultTime = faultTime
        self.refuses = refuses
        self.pixelFormat = pixelFormat
        self.transfer = transfer
        self.code = code
        self.opens = opens
    }

    var downloadCount: Int { downloads.withLock { $0 } }
    var openCount: Int { opened.withLock { $0 } }

    /// The same picture in another layout; FFmpeg's code.
    static func rearrange(
        _ frame: UnsafePointer<AVFrame>, as format: AVPixelFormat, into target: UnsafeMutablePointer<AVFrame>
    ) -> CInt {
        let (width, height) = (frame.pointee.width, frame.pointee.height)
        let scaler = glissade_scaler(
            nil, width, height, AVPixelFormat(frame.pointee.format), width, height, format, glissade_scale_point)
        defer { glissade_free_scaler(scaler) }
        target.pointee.format = format.rawValue
        target.pointee.width = width
        target.pointee.height = height
        let code = glissade_scale_frame(scaler, target, frame)
        return code < 0 ? code : av_frame_copy_props(target, frame)
    }

    func access(historyLimit: Int = PacketBuffer.byteLimit) -> HardwareAccess {
        HardwareAccess(
            open: { (configuration, device) throws(PlaybackError) in
                self.opened.withLock { $0 += 1 }
                guard self.opens, let codec = avcodec_find_decoder(configuration.parameters.pointee.codec_id) else {
                    throw .nothingToPlay(reason: "no such device")
                }
                let link = HardwareLink(
                    device: device, pixelFormat: self.refuses ? AV_PIX_FMT_VAAPI : self.pixelFormat)
                return try configuration.open(codec, threads: 1, link: link) { context in
                    if self.refuses { context.pointee.get_format = HardwareLink.choose }
                }
            },
            download: { frame, target in
                let number = self.downloads.withLock { count in
                    defer { count += 1 }
                    return count
                }
                let isFault = self.faults.contains(number) || self.faultTime?.nanoseconds == frame.pointee.pts
                return isFault ? self.code : self.transfer(frame, target)
            }, historyLimit: historyLimit)
    }
}

extension PlayerOptions {
    /// As fast as it goes, so that nothing is dropped, on the first kind of device that there is.
    static var onHardware: PlayerOptions {
        var options = PlayerOptions()
        options.isUntimed = true
        options.hardware = .on(HardwareDevice(AV_HWDEVICE_TYPE_VAAPI))
        return options
    }
}
