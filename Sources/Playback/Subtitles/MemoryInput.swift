import CFFmpeg

/// A container opened from bytes in memory, owned by the thread that reads it.
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

    /// Finds out what `data` is, by its content alone.
    init(_ data: [UInt8]) throws(PlaybackError) {
        let bytes = Unmanaged.passRetained(Bytes(data))
        let size = 1 << 15
        guard let context = avformat_alloc_context(), let buffer = av_malloc(size),
            let input = avio_alloc_context(
                buffer.assumingMemoryBound(to: UInt8.self), CInt(size), 0, bytes.toOpaque(),
                { opaque, buffer, size in
                    guard let opaque, let buffer else { return glissade_averror_eof() }
                    return Unmanaged<Bytes>.fromOpaque(opaque).takeUnretainedValue().read(buffer, Int(size))
                }, nil,
                { opaque, offset, whence in
                    guard let opaque else { return -1 }
                    return Unmanaged<Bytes>.fromOpaque(opaque).takeUnretainedValue().seek(offset, whence)
                })
        else { fatalError("out of memory for a demuxer") }
        context.pointee.pb = input
        // Closing a context that was never opened would else close what it was given as though it were FFmpeg's own.
        context.pointee.flags |= AVFMT_FLAG_CUSTOM_IO
        context.pointee.io_open = { _, _, _, _, _ in glissade_averror_from_errno(EACCES) }
        var opened: UnsafeMutablePointer<AVFormatContext>? = context
        var format: UnsafePointer<AVInputFormat>?
        var code = av_probe_input_buffer2(input, &format, "subtitles", nil, 0, 0)
        if code >= 0, let found = format, Self.mayOpen(found) {
            code = avformat_open_input(&opened, "subtitles", found, nil)
            if code >= 0 { code = avformat_find_stream_info(context, nil) }
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

    /// Formats that only say where the content is, or whose demuxers do not read what they are given.
    private static func mayOpen(_ format: UnsafePointer<AVInputFormat>) -> Bool {
        let names: Set<String> = ["concat", "dash", "hls", "imf", "image2", "sdp", "vobsub"]
        return format.pointee.flags & AVFMT_NOFILE == 0 && !names.contains(String(cString: format.pointee.name))
    }

    private static func free(_ input: UnsafeMutablePointer<AVIOContext>) {
        // FFmpeg may have put another buffer in the place of the one that it was given.
        av_freep(&input.pointee.buffer)
        var input: UnsafeMutablePointer<AVIOContext>? = input
        avio_context_free(&input)
    }
}
