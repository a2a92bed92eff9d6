import GlissadeCFFmpeg

extension InputResource {
    private static let bufferSize = 64 << 10

    /// Creates an I/O context through which FFmpeg reads the resource; nil if memory runs out. Release it with `free`.
    func makeContext() -> UnsafeMutablePointer<AVIOContext>? {
        let kept = Unmanaged.passRetained(self)
        guard let buffer = av_malloc(Self.bufferSize),
            let opaque = glissade_make_resource(location, contentType, kept.toOpaque())
        else {
            kept.release()
            return nil
        }
        let io = avio_alloc_context(
            buffer.assumingMemoryBound(to: UInt8.self), CInt(Self.bufferSize), 0, opaque,
            { opaque, buffer, size in
                guard let opaque, let buffer, size > 0 else { return glissade_averror_eof() }
                let target = UnsafeMutableRawBufferPointer(start: buffer, count: Int(size))
                do throws(ResourceFailure) {
                    let resource = InputResource.of(opaque)
                    let count = try resource.read(target)
                    resource.owner?.note(target, count, of: resource)
                    return count > 0 ? CInt(count) : glissade_averror_eof()
                } catch {
                    return error.code
                }
            }, nil, { opaque, offset, whence in opaque.map { InputResource.of($0).seek(offset, whence) } ?? -1 })
        guard let io else {
            av_free(buffer)
            glissade_free_resource(opaque)
            kept.release()
            return nil
        }
        glissade_name_resource(io)
        io.pointee.seekable = isSeekable ? AVIO_SEEKABLE_NORMAL : 0
        return io
    }

    private static func of(_ opaque: UnsafeMutableRawPointer) -> InputResource {
        // The pointer was set in `makeContext`.
        Unmanaged<InputResource>.fromOpaque(opaque.assumingMemoryBound(to: GlissadeResource.self).pointee.reader)
            .takeUnretainedValue()
    }

    /// Frees an I/O context that `makeContext` has created, and releases its resource.
    static func free(_ io: UnsafeMutablePointer<AVIOContext>) {
        if let opaque = io.pointee.opaque?.assumingMemoryBound(to: GlissadeResource.self) {
            Unmanaged<InputResource>.fromOpaque(opaque.pointee.reader).release()
            glissade_free_resource(opaque)
        }
        // FFmpeg may have replaced the buffer.
        av_freep(&io.pointee.buffer)
        var io: UnsafeMutablePointer<AVIOContext>? = io
        avio_context_free(&io)
    }
}

extension ResourceFailure {
    /// FFmpeg's error code for the failure.
    var code: CInt {
        switch self {
        case .interrupted: glissade_averror_exit()
        case .leadsToLocal: glissade_averror_from_errno(EACCES)
        default: glissade_averror_from_errno(EIO)
        }
    }
}
