import CFFmpeg
import Synchronization

@testable import Playback

/// A device that decodes as software does, since it is software, and fails where a test says: a fault where pictures come
/// down from it, or where it is opened. All else is as it is with any device.
final class FailingDevice: Sendable {
    private let downloads = Mutex(0)
    private let opened = Mutex(0)
    private let faults: [Int]
    private let code: CInt
    private let opens: Bool

    /// - Parameters:
    ///   - faults: which pictures cannot be brought down, counted from 0 over all that are.
    ///   - opens: false for a device that is not there.
    init(faults: [Int] = [], code: CInt = glissade_averror_external(), opens: Bool = true) {
        self.faults = faults
        self.code = code
        self.opens = opens
    }

    var downloadCount: Int { downloads.withLock { $0 } }
    var openCount: Int { opened.withLock { $0 } }

    func access(historyLimit: Int = PacketBuffer.byteLimit) -> HardwareAccess {
        HardwareAccess(
            open: { (configuration, device) throws(PlaybackError) in
                self.opened.withLock { $0 += 1 }
                guard self.opens, let codec = avcodec_find_decoder(configuration.parameters.pointee.codec_id) else {
                    throw .nothingToPlay(reason: "no such device")
                }
                return try configuration.open(
                    codec, threads: 1, link: HardwareLink(device: device, pixelFormat: AV_PIX_FMT_YUV420P))
            },
            download: { frame, target in
                let number = self.downloads.withLock { count in
                    defer { count += 1 }
                    return count
                }
                return self.faults.contains(number) ? self.code : av_frame_ref(target, frame)
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
