import CFFmpeg
import Motion
import Synchronization

/// An opened container, owned by the demuxer's thread.
///
/// What a file may reach: a file given by path may open itself and nothing else, whatever it contains (a playlist, a
/// reference to another file, a host). An address may open addresses, and no files.
struct MediaInput: ~Copyable {
    let context: UnsafeMutablePointer<AVFormatContext>
    private let gate: Unmanaged<Gate>

    /// What FFmpeg asks while it opens and reads.
    private final class Gate: Sendable {
        /// The one name that may be opened; nil where the protocol list alone decides.
        let onlyName: String?
        let isInterrupted: @Sendable () -> Bool

        init(onlyName: String?, isInterrupted: @escaping @Sendable () -> Bool) {
            self.onlyName = onlyName
            self.isInterrupted = isInterrupted
        }
    }

    /// Whether an argument is an address rather than a path: it names a protocol other than `file`.
    static func isAddress(_ location: String) -> Bool {
        let bytes = Array(location.utf8)
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), colon > 1, bytes[colon...].starts(with: "://".utf8)
        else { return false }
        let scheme = bytes[..<colon]
        return !scheme.elementsEqual("file".utf8) && scheme.allSatisfy(isSchemeByte)
    }

    /// RFC 3986, 3.1: letters, digits, and three signs.
    private static func isSchemeByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."): true
        default: false
        }
    }

    /// Opens `location`, a path or an address, and finds out what is in it. Blocks; `isInterrupted` can end it.
    init(location: String, isInterrupted: @escaping @Sendable () -> Bool) throws(PlaybackError) {
        let isAddress = Self.isAddress(location)
        // Without the prefix a path with a colon in it would be taken for a protocol.
        let name = isAddress ? location : location.hasPrefix("file://") ? location : "file:" + location
        guard let context = avformat_alloc_context() else { fatalError("out of memory for a demuxer") }
        let gate = Unmanaged.passRetained(Gate(onlyName: isAddress ? nil : name, isInterrupted: isInterrupted))
        context.pointee.opaque = gate.toOpaque()
        context.pointee.interrupt_callback = AVIOInterruptCB(
            callback: { opaque in
                guard let opaque else { return 0 }
                return Unmanaged<Gate>.fromOpaque(opaque).takeUnretainedValue().isInterrupted() ? 1 : 0
            }, opaque: gate.toOpaque())
        if !isAddress { context.pointee.io_open = Self.openOnlyItself }
        context.pointee.flags |= AVFMT_FLAG_GENPTS

        var options: OpaquePointer?
        av_dict_set(&options, "protocol_whitelist", isAddress ? Self.addressProtocols : "file", 0)
        defer { av_dict_free(&options) }
        var opened: UnsafeMutablePointer<AVFormatContext>? = context
        // On failure `avformat_open_input` frees the context.
        var code = avformat_open_input(&opened, name, nil, &options)
        guard code >= 0 else {
            gate.release()
            throw .cannotOpen(reason: Self.reason(code))
        }
        code = avformat_find_stream_info(context, nil)
        guard code >= 0 else {
            avformat_close_input(&opened)
            gate.release()
            throw .cannotOpen(reason: Self.reason(code))
        }
        self.context = context
        self.gate = gate
    }

    deinit {
        var context: UnsafeMutablePointer<AVFormatContext>? = context
        avformat_close_input(&context)
        gate.release()
    }

    func stream(_ index: Int) -> UnsafeMutablePointer<AVStream>? {
        guard index >= 0, index < Int(context.pointee.nb_streams) else { return nil }
        return context.pointee.streams[index]
    }

    /// The best stream of a kind, as FFmpeg ranks them; nil where there is none with a known codec.
    func bestStream(_ type: AVMediaType, relatedTo other: Int? = nil) -> Int? {
        let index = av_find_best_stream(context, type, -1, CInt(other ?? -1), nil, 0)
        return index >= 0 ? Int(index) : nil
    }

    /// Where time begins on the container's own time line.
    var startTime: MediaTime {
        let start = context.pointee.start_time
        return start == glissade_nopts() ? .zero : MediaTime(nanoseconds: start &* 1000)
    }

    private static let addressProtocols = "http,https,httpproxy,tcp,tls,udp,rtp,rtmp,rtmps,rtmpt,rtmpts,rtmpe,crypto,data"

    private static let openOnlyItself:
        @convention(c) (
            UnsafeMutablePointer<AVFormatContext>?, UnsafeMutablePointer<UnsafeMutablePointer<AVIOContext>?>?,
            UnsafePointer<CChar>?, CInt, UnsafeMutablePointer<OpaquePointer?>?
        ) -> CInt = { context, io, url, flags, options in
            guard let context, let io, let url, let opaque = context.pointee.opaque else { return -1 }
            let gate = Unmanaged<Gate>.fromOpaque(opaque).takeUnretainedValue()
            guard gate.onlyName == String(cString: url) else { return glissade_averror_from_errno(EACCES) }
            return avio_open2(io, url, flags, &context.pointee.interrupt_callback, options)
        }

    /// FFmpeg's reason, in words that fit behind a file's name.
    private static func reason(_ code: CInt) -> String {
        code == glissade_averror_invaliddata() ? "not a media file, or damaged beyond reading" : describe(code: code)
    }
}
