import GlissadeCFFmpeg
import GlissadeMedia
import GlissadePlatform

/// A subtitle container that FFmpeg reads from memory. Confined to the thread that reads it.
struct MemoryInput: ~Copyable {
    let context: UnsafeMutablePointer<AVFormatContext>
    private let input: UnsafeMutablePointer<AVIOContext>
    private let bytes: Unmanaged<Bytes>

    private final class Bytes {
        let bytes: [UInt8]
        var position = 0
        init(_ bytes: [UInt8]) { self.bytes = bytes }

        func read(_ buffer: UnsafeMutablePointer<UInt8>, _ size: Int) -> CInt {
            let count = min(size, bytes.count - position)
            guard count > 0 else { return glissade_averror_eof() }
            bytes.withUnsafeBufferPointer { buffer.update(from: $0.baseAddress! + position, count: count) }
            position += count
            return CInt(count)
        }

        func seek(_ offset: Int64, _ whence: CInt) -> Int64 {
            let base: Int
            switch whence & ~AVSEEK_FORCE {
            case AVSEEK_SIZE: return Int64(bytes.count)
            case SEEK_SET: base = 0
            case SEEK_CUR: base = position
            case SEEK_END: base = bytes.count
            default: return -1
            }
            let (sum, isNonsense) = Int64(base).addingReportingOverflow(offset)
            guard !isNonsense, (0...Int64(bytes.count)).contains(sum) else { return -1 }
            position = Int(sum)
            return sum
        }
    }

    /// Opens the container in `data`. Detects the format from the content alone.
    ///
    /// - Parameters:
    ///   - pictures: The file with the pictures, if `data` is a VobSub index. It is the only file that FFmpeg opens.
    ///   - frameRate: The frame rate of the film, in frames per second, for formats that count frames and do not say
    ///     how long one is; nil if unknown.
    init(_ data: [UInt8], pictures: BytePath? = nil, frameRate: Double? = nil) throws(PlaybackError) {
        MemoryBudget.limitAllocations()
        let bytes = Unmanaged.passRetained(Bytes(data))
        let size = 1 << 15
        var opened = avformat_alloc_context()
        var buffer = av_malloc(size)
        guard let context = opened, let memory = buffer,
            let input = avio_alloc_context(
                memory.assumingMemoryBound(to: UInt8.self), CInt(size), 0, bytes.toOpaque(),
                { opaque, buffer, size in
                    guard let opaque, let buffer else { return glissade_averror_eof() }
                    return Unmanaged<Bytes>.fromOpaque(opaque).takeUnretainedValue().read(buffer, Int(size))
                }, nil,
                { opaque, offset, whence in
                    guard let opaque else { return -1 }
                    return Unmanaged<Bytes>.fromOpaque(opaque).takeUnretainedValue().seek(offset, whence)
                })
        else {
            avformat_free_context(opened)
            av_freep(&buffer)
            bytes.release()
            throw .outOfMemory
        }
        context.pointee.pb = input
        // Without this flag, closing a context that failed to open would also close the I/O context.
        context.pointee.flags |= AVFMT_FLAG_CUSTOM_IO
        context.pointee.io_open = { _, _, _, _, _ in glissade_averror_from_errno(EACCES) }
        var format: UnsafePointer<AVInputFormat>?
        var code = av_probe_input_buffer2(input, &format, "subtitles", nil, 0, 0)
        let formats = pictures == nil ? MediaFormats.ofSubtitles : MediaFormats.ofVobSub
        if code >= 0, let found = format, MediaFormats.contains(found.pointee.name, in: formats) {
            code = Self.open(&opened, found, pictures: pictures, frameRate: frameRate)
            if code >= 0 { code = StreamProbing.findStreams(in: context) }
        } else {
            code = glissade_averror_invaliddata()
        }
        guard code >= 0 else {
            avformat_close_input(&opened)
            Self.free(input)
            bytes.release()
            throw .cannotOpen(
                reason: code == glissade_averror_invaliddata() ? "not subtitles, or damaged" : describe(code: code))
        }
        self.context = context
        self.input = input
        self.bytes = bytes
    }

    deinit {
        var context: UnsafeMutablePointer<AVFormatContext>? = context
        avformat_close_input(&context)
        Self.free(input)
        bytes.release()
    }

    /// Opens the context for `format`. Returns FFmpeg's result code, which is negative on failure. On failure,
    /// `context` may be nil, because avformat_open_input frees it.
    private static func open(
        _ context: inout UnsafeMutablePointer<AVFormatContext>?, _ format: UnsafePointer<AVInputFormat>,
        pictures: BytePath?, frameRate: Double?
    ) -> CInt {
        var options = OptionDictionary()
        for (name, value) in [
            ("format_whitelist", pictures == nil ? MediaFormats.ofSubtitles : MediaFormats.ofVobSub),
            ("codec_whitelist", MediaFormats.decodersOfSubtitles),
            ("max_streams", String(MemoryBudget.streams)),
        ] {
            let code = options.set(name, value)
            if code < 0 { return code }
        }
        if let frameRate, String(cString: format.pointee.name) == "microdvd" {
            let code = options.set("subfps", "\(frameRate)")
            if code < 0 { return code }
        }
        if let pictures {
            let code = options.set("protocol_whitelist", "file")
            // The demuxer opens this file by itself, and takes over the whitelists.
            let name = "file:".utf8.map { CChar(bitPattern: $0) } + pictures.bytes.map { CChar(bitPattern: $0) } + [0]
            let result = code < 0 ? code : av_dict_set(&options.pointer, "sub_name", name, 0)
            if result < 0 { return result }
        }
        return avformat_open_input(&context, "subtitles", format, &options.pointer)
    }

    private static func free(_ input: UnsafeMutablePointer<AVIOContext>) {
        // FFmpeg may have replaced the buffer since the context was allocated.
        av_freep(&input.pointee.buffer)
        var input: UnsafeMutablePointer<AVIOContext>? = input
        avio_context_free(&input)
    }
}
