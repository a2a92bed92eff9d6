package import CFFmpeg
import Glibc

/// Whether pictures are decoded by hardware, through FFmpeg's hwaccels. A value; any thread.
///
/// What the hardware decodes is brought down into memory, and goes on from there like any picture. Off by itself: the way
/// down costs a copy of each picture, and drivers err in ways that no player sees; it pays for large pictures and for
/// processors that cannot keep up.
public enum HardwareDecoding: Hashable, Sendable {
    case off
    /// On a device that the machine shows to have, for codecs that are dear to decode in software. Where there is no such
    /// device nothing is tried, and nothing is said.
    case automatic
    /// On this kind of device, whatever the codec.
    case on(HardwareDevice)

    /// `no`, `auto`, or a device's name.
    public init?(name: String) {
        switch name {
        case "no": self = .off
        case "auto": self = .automatic
        default:
            guard let device = HardwareDevice(name: name) else { return nil }
            self = .on(device)
        }
    }

    /// What `init(name:)` takes, as far as it makes sense with this FFmpeg.
    public static var names: [String] { ["auto", "no"] + HardwareDevice.built.map(\.name) }

    /// The devices to be tried for a codec, one after the other.
    package func candidates(for codec: AVCodecID) -> [HardwareDevice] {
        switch self {
        case .off: return []
        case .on(let device): return [device]
        case .automatic:
            guard Self.dearCodecs.contains(codec.rawValue) else { return [] }
            return HardwareDevice.present.filter { HardwareConfiguration(codec, on: $0) != nil }
        }
    }

    /// Older ones take a processor little, and drivers more of their errors.
    private static let dearCodecs = Set(
        [AV_CODEC_ID_H264, AV_CODEC_ID_HEVC, AV_CODEC_ID_VP9, AV_CODEC_ID_AV1].map(\.rawValue))
}

/// A kind of device that decodes: FFmpeg's `AVHWDeviceType`. A value; any thread.
public struct HardwareDevice: Hashable, Sendable {
    private let rawValue: UInt32

    package var type: AVHWDeviceType { AVHWDeviceType(rawValue) }

    package init(_ type: AVHWDeviceType) { rawValue = type.rawValue }

    /// A name as FFmpeg has it, `vaapi`, say; nil for one that it does not know.
    public init?(name: String) {
        let type = av_hwdevice_find_type_by_name(name)
        // It ignores case, and the list of names does not.
        guard type != AV_HWDEVICE_TYPE_NONE, name == Self(type).name else { return nil }
        self.init(type)
    }

    /// The name as FFmpeg has it: `vaapi`.
    public var name: String { av_hwdevice_get_type_name(type).map { String(cString: $0) } ?? "none" }

    /// Those that this FFmpeg was built with.
    public static var built: [HardwareDevice] {
        var devices: [HardwareDevice] = []
        var type = av_hwdevice_iterate_types(AV_HWDEVICE_TYPE_NONE)
        while type != AV_HWDEVICE_TYPE_NONE {
            devices.append(HardwareDevice(type))
            type = av_hwdevice_iterate_types(type)
        }
        return devices
    }

    /// Those of them by which this FFmpeg can decode a codec, `h264`, say, where the machine has one.
    public static func devices(decoding codec: String) -> [HardwareDevice] {
        guard let descriptor = avcodec_descriptor_get_by_name(codec) else { return [] }
        return built.filter { HardwareConfiguration(descriptor.pointee.id, on: $0) != nil }
    }

    /// Those that are likely to be there, by what the kernel shows in `/dev`: a few looks, and no library is loaded.
    static var present: [HardwareDevice] {
        var devices: [HardwareDevice] = []
        if access("/dev/nvidiactl", R_OK | W_OK) == 0 { devices.append(HardwareDevice(AV_HWDEVICE_TYPE_CUDA)) }
        // Render nodes are numbered from 128 on (drm(7)); the first few tell.
        if access("/dev/dri", X_OK) == 0,
            (128..<136).contains(where: { access("/dev/dri/renderD\($0)", R_OK | W_OK) == 0 })
        {
            devices.append(HardwareDevice(AV_HWDEVICE_TYPE_VAAPI))
        }
        return devices
    }
}
