import GlissadeCFFmpeg
import Glibc
import GlissadePlatform
import Synchronization

/// A pool of frame buffers for FFmpeg's `get_buffer2`. Returns unused memory to the system.
///
/// FFmpeg's own pool never shrinks: it keeps as many frames as were ever in use at once.
///
/// Threads: FFmpeg's decoder threads take blocks, each of which holds one frame. Any thread may return a block by
/// freeing its frame. The lock is not held while memory is allocated or freed.
package final class FramePool: Sendable {
    /// The layout of a frame within a block. A block starts with a header, which holds the block's size. The header is
    /// not part of the buffer given to FFmpeg.
    struct Layout: Equatable {
        var format: AVPixelFormat
        var width: CInt
        var height: CInt
        /// The number of bytes per row of each plane; 0 for a missing plane.
        var strides: [CInt]
        /// The offset of each plane from the start of the block, in bytes.
        var offsets: [Int]
        /// The size of the whole block, in bytes.
        var size: Int

        /// Computes the layout of a frame. Nil if FFmpeg should allocate the frame itself, because the frame is not in
        /// main memory, has a palette, or has an implausible size.
        ///
        /// - Parameters:
        ///   - context: An open decoder that supports custom buffers (`AV_CODEC_CAP_DR1`).
        ///   - width, height: The coded size in pixels.
        init?(_ context: UnsafeMutablePointer<AVCodecContext>, format: AVPixelFormat, width: CInt, height: CInt) {
            guard let descriptor = av_pix_fmt_desc_get(format),
                descriptor.pointee.flags & UInt64(AV_PIX_FMT_FLAG_HWACCEL | AV_PIX_FMT_FLAG_PAL) == 0
            else { return nil }
            // The limit is above any plausible size, and low enough to avoid overflow.
            guard (1...1 << 20).contains(width), (1...1 << 20).contains(height) else { return nil }
            var (columns, rows) = (width, height)
            var alignments = [CInt](repeating: 1, count: Int(AV_NUM_DATA_POINTERS))
            avcodec_align_dimensions2(context, &columns, &rows, &alignments)
            // Derive the strides of all planes from one width, since decoders may rely on their ratio. Each alignment
            // is a power of two of at most a few hundred bytes, so some multiple of 16 columns satisfies all of them.
            var strides = [CInt](repeating: 0, count: 4)
            columns = (columns + 15) & ~15
            let widest = columns + 1024
            repeat {
                guard columns <= widest, av_image_fill_linesizes(&strides, format, columns) >= 0 else { return nil }
                columns += 16
            } while zip(strides, alignments).contains { $0 % max($1, 1) != 0 }
            var sizes = [Int](repeating: 0, count: 4)
            guard av_image_fill_plane_sizes(&sizes, format, rows, strides.map { Int($0) }) >= 0 else { return nil }
            var end = FramePool.alignment
            offsets = sizes.map { size in
                defer {
                    let length = size == 0 ? 0 : size + FramePool.padding
                    end += (length + FramePool.alignment - 1) / FramePool.alignment * FramePool.alignment
                }
                return end
            }
            for index in 0..<4 where sizes[index] == 0 { strides[index] = 0 }
            (self.format, self.width, self.height, self.strides, self.size) = (format, width, height, strides, end)
        }
    }

    /// The result of a request for a frame's memory.
    private enum Allocation {
        case block(UnsafeMutableRawPointer, Layout)
        /// FFmpeg should allocate the frame itself.
        case elsewhere
        /// There is not enough memory or budget.
        case none
    }

    private struct State: ~Copyable {
        /// The layout of the last frame; nil before the first frame.
        var layout: Layout?
        /// The free blocks, of `layout.size` bytes each. The most recently returned block is reused first.
        var free: [Block] = []
        var trimmer = PoolTrimmer()
        var isEnded = false
        /// Whether the budget has refused a block since the last call to `takeRefusal`.
        var hasRefused = false
    }

    /// A block that no frame uses.
    private struct Block: @unchecked Sendable {
        // @unchecked: plain memory, which any thread may free.
        let memory: UnsafeMutableRawPointer
    }

    /// The alignment of blocks and planes, in bytes. It is large enough for the widest vector instructions.
    static let alignment = 64
    /// The number of bytes that decoders may access beyond the end of a plane.
    private static let padding = 128
    private let state = Mutex(State())
    private let budget: ByteBudget

    /// Creates an empty pool.
    ///
    /// - Parameter budget: The memory budget for all blocks, including free ones.
    init(budget: ByteBudget = ByteBudget(limit: MemoryBudget.standard.pictures)) { self.budget = budget }

    /// Returns whether the budget has refused a block since the last call. May be called on any thread.
    package func takeRefusal() -> Bool {
        state.withLock { state in
            defer { state.hasRefused = false }
            return state.hasRefused
        }
    }

    /// Makes `context` allocate its frames from this pool. Call before opening `context`. Keep the pool until `context`
    /// is freed. Frames may outlive both.
    func attach(to context: UnsafeMutablePointer<AVCodecContext>) {
        context.pointee.opaque = Unmanaged.passUnretained(self).toOpaque()
        context.pointee.get_buffer2 = Self.getBuffer
        glissade_take_frames_on_any_thread(context)
    }

    /// The total size of the free blocks, in bytes.
    var freeBytes: Int { state.withLock { $0.free.count * ($0.layout?.size ?? 0) } }

    /// Frees all free blocks, and makes the pool free every block that is returned later. Call when the decoder is
    /// closed.
    func end() {
        let blocks = state.withLock { state in
            state.isEnded = true
            defer { state.free = [] }
            return state.free
        }
        for block in blocks { release(block.memory) }
    }

    private static let getBuffer:
        @convention(c) (UnsafeMutablePointer<AVCodecContext>?, UnsafeMutablePointer<AVFrame>?, CInt) -> CInt = {
            context, frame, flags in
            guard let context, let frame, let opaque = context.pointee.opaque,
                context.pointee.codec_type == AVMEDIA_TYPE_VIDEO
            else { return avcodec_default_get_buffer2(context, frame, flags) }
            // The frame size may change mid-stream.
            guard MemoryBudget.fits(width: frame.pointee.width, height: frame.pointee.height) else {
                return glissade_averror_from_errno(EINVAL)
            }
            guard (context.pointee.codec?.pointee.capabilities ?? 0) & AV_CODEC_CAP_DR1 != 0 else {
                return avcodec_default_get_buffer2(context, frame, flags)
            }
            let pool = Unmanaged<FramePool>.fromOpaque(opaque).takeUnretainedValue()
            return switch pool.take(for: frame, of: context) {
            case .block(let memory, let layout): pool.fill(frame, memory, layout)
            case .elsewhere: avcodec_default_get_buffer2(context, frame, flags)
            case .none: glissade_averror_from_errno(ENOMEM)
            }
        }

    /// Takes a free block for `frame`, or allocates a block if none is free. Frees blocks that are no longer needed.
    private func take(
        for frame: UnsafeMutablePointer<AVFrame>, of context: UnsafeMutablePointer<AVCodecContext>
    ) -> Allocation {
        let (format, width, height) = (
            AVPixelFormat(rawValue: frame.pointee.format), frame.pointee.width, frame.pointee.height
        )
        let known = state.withLock { $0.layout }
        guard
            let layout = known.flatMap({
                $0.format == format && $0.width == width && $0.height == height ? $0 : nil
            }) ?? Layout(context, format: format, width: width, height: height)
        else { return .elsewhere }
        let (block, spare) = state.withLock { state in
            var spare: [Block] = []
            if state.layout != layout {
                state.layout = layout
                swap(&spare, &state.free)
                state.trimmer = PoolTrimmer()
            }
            let block = state.free.popLast()
            let count = state.trimmer.trimCount(afterTaking: state.free.count)
            spare += state.free.prefix(count)
            state.free.removeFirst(count)
            return (block, spare)
        }
        for block in spare { release(block.memory) }
        if let block { return .block(block.memory, layout) }
        guard budget.take(layout.size) else {
            state.withLock { $0.hasRefused = true }
            return .none
        }
        var memory: UnsafeMutableRawPointer?
        guard posix_memalign(&memory, Self.alignment, layout.size) == 0, let memory else {
            budget.give(back: layout.size)
            return .none
        }
        // Clear the block, so that missing parts of a damaged frame show black, green or an earlier frame, but never
        // other memory contents.
        memset(memory, 0, layout.size)
        memory.storeBytes(of: layout.size, as: Int.self)
        return .block(memory, layout)
    }

    /// Frees a block, and gives its bytes back to the budget.
    private func release(_ memory: UnsafeMutableRawPointer) {
        let size = memory.load(as: Int.self)
        free(memory)
        budget.give(back: size)
    }

    private func fill(
        _ frame: UnsafeMutablePointer<AVFrame>, _ memory: UnsafeMutableRawPointer, _ layout: Layout
    ) -> CInt {
        let bytes = memory.assumingMemoryBound(to: UInt8.self)
        let buffer = av_buffer_create(
            bytes + Self.alignment, layout.size - Self.alignment,
            { opaque, data in
                guard let opaque, let data else { return }
                let memory = UnsafeMutableRawPointer(data - FramePool.alignment)
                Unmanaged<FramePool>.fromOpaque(opaque).takeRetainedValue().give(back: memory)
            }, Unmanaged.passRetained(self).toOpaque(), 0)
        guard let buffer else {
            Unmanaged.passUnretained(self).release()
            release(memory)
            return glissade_averror_from_errno(ENOMEM)
        }
        frame.pointee.buf.0 = buffer
        withUnsafeMutableBytes(of: &frame.pointee.data) { data in
            withUnsafeMutableBytes(of: &frame.pointee.linesize) { strides in
                let planes = data.bindMemory(to: UnsafeMutablePointer<UInt8>?.self)
                let lines = strides.bindMemory(to: CInt.self)
                for index in planes.indices {
                    let isPlane = index < 4 && layout.strides[index] != 0
                    planes[index] = isPlane ? bytes + layout.offsets[index] : nil
                    lines[index] = isPlane ? layout.strides[index] : 0
                }
            }
        }
        glissade_set_extended_data(frame)
        return 0
    }

    private func give(back memory: UnsafeMutableRawPointer) {
        let size = memory.load(as: Int.self)
        let isKept = state.withLock { state in
            guard !state.isEnded, state.layout?.size == size else { return false }
            state.free.append(Block(memory: memory))
            return true
        }
        if !isKept { release(memory) }
    }
}
