package import GlissadeCFFmpeg
import Glibc

/// Whether to decode video in hardware with FFmpeg's hwaccels, and on which kind of device. May be used on any thread.
///
/// Decoded frames are downloaded to main memory. Hardware decoding is off by default: the download takes time, and
/// drivers have bugs that a player cannot detect.
public enum HardwareDecoding: Hashable, Sendable {
    case off
    /// Uses whichever device is present, but only for codecs that are expensive to decode in software. If there is no
    /// device, decodes in software and reports nothing.
    case automatic
    /// Uses this kind of device for any codec.
    case on(HardwareDevice)

    /// Creates a value from `no`, `auto` or a device's name; nil if `name` is anything else.
    public init?(name: String) {
        switch name {
        case "no": self = .off
        case "auto": self = .automatic
        default:
            guard let device = HardwareDevice(name: name) else { return nil }
            self = .on(device)
        }
    }

    /// The names to offer to the user for `init(name:)`: `auto`, `no`, and the devices of this FFmpeg build.
    public static var names: [String] { ["auto", "no"] + HardwareDevice.built.map(\.name) }

    /// Returns the devices on which to try to decode a codec, in order of preference. Empty if the codec should be
    /// decoded in software.
    package func candidates(for codec: AVCodecID) -> [HardwareDevice] {
        switch self {
        case .off: return []
        case .on(let device): return [device]
        case .automatic:
            guard Self.expensiveCodecs.contains(codec.rawValue) else { return [] }
            return HardwareDevice.present.filter { HardwareConfiguration(codec, on: $0) != nil }
        }
    }

    /// The codecs to decode in hardware automatically. Older codecs are easy to decode in software, and drivers support
    /// them less well.
    private static let expensiveCodecs = Set(
        [AV_CODEC_ID_H264, AV_CODEC_ID_HEVC, AV_CODEC_ID_VP9, AV_CODEC_ID_AV1].map(\.rawValue))
}

/// A kind of decoding device: FFmpeg's `AVHWDeviceType`. May be used on any thread.
public struct HardwareDevice: Hashable, Sendable {
    private let rawValue: UInt32

    package var type: AVHWDeviceType { AVHWDeviceType(rawValue) }

    package init(_ type: AVHWDeviceType) { rawValue = type.rawValue }

    /// Finds a device by FFmpeg's name in lower case, such as `vaapi`; nil if the name is unknown.
    public init?(name: String) {
        let type = av_hwdevice_find_type_by_name(name)
        // FFmpeg ignores case; option names in Glissade do not.
        guard type != AV_HWDEVICE_TYPE_NONE, name == Self(type).name else { return nil }
        self.init(type)
    }

    /// FFmpeg's name for the device, such as `vaapi`.
    public var name: String { av_hwdevice_get_type_name(type).map { String(cString: $0) } ?? "none" }

    /// The devices that this FFmpeg build supports, whether or not the machine has them.
    public static var built: [HardwareDevice] {
        var devices: [HardwareDevice] = []
        var type = av_hwdevice_iterate_types(AV_HWDEVICE_TYPE_NONE)
        while type != AV_HWDEVICE_TYPE_NONE {
            devices.append(HardwareDevice(type))
            type = av_hwdevice_iterate_types(type)
        }
        return devices
    }

    /// Returns the devices on which this FFmpeg build can decode a codec, whether or not the machine has them.
    ///
    /// - Parameter codec: FFmpeg's name for the codec, such as `h264`.
    public static func devices(decoding codec: String) -> [HardwareDevice] {
        guard let descriptor = avcodec_descriptor_get_by_name(codec) else { return [] }
        return built.filter { HardwareConfiguration(descriptor.pointee.id, on: $0) != nil }
    }

    /// The devices that are probably present: CUDA, VA-API, both or neither. Detected by checking for files in `/dev`,
    /// without loading a library.
    static var present: [HardwareDevice] {
        var devices: [HardwareDevice] = []
        if access("/dev/nvidiactl", R_OK | W_OK) == 0 { devices.append(HardwareDevice(AV_HWDEVICE_TYPE_CUDA)) }
        // Render nodes are numbered from 128 (drm(7)); checking the first few is enough.
        if access("/dev/dri", X_OK) == 0,
            (128..<136).contains(where: { access("/dev/dri/renderD\($0)", R_OK | W_OK) == 0 })
        {
            devices.append(HardwareDevice(AV_HWDEVICE_TYPE_VAAPI))
        }
        return devices
    }
}
