import GlissadeGeometry
import GlissadePicture
import GlissadePlatform
import GlissadeTime

/// Recycles memory for frames, and frees memory that is no longer needed.
///
/// Threads: the converting thread takes buffers, which may block for a few milliseconds. Any thread may return a buffer
/// by releasing its frame.
final class PixelBufferPool: Sendable {
    private struct Idle: ~Copyable {
        var buffers: [UnsafeMutableRawPointer] = []
        var byteCount = 0
        /// The number of buffers that have been taken and not returned yet.
        var takenCount = 0
        var trimmer = PoolTrimmer()
        deinit { for buffer in buffers { buffer.deallocate() } }
    }

    /// The maximum number of idle buffers to keep. Further buffers are freed when they are returned.
    private static let idleLimit = 4
    /// The alignment of buffers and scratch rows in bytes: one cache line, for fast SIMD copies.
    static let alignment = 64

    private let idle = Monitor(Idle())
    /// How long to wait for a buffer that is about to be returned.
    private static let timeout = Duration.milliseconds(4)
    private let onlyGrows: Bool
    private let usualCount: Int

    /// - Parameters:
    ///   - onlyGrows: Whether the size of buffers only grows, for frames whose size keeps changing.
    ///   - usualCount: Once this many buffers are in use, `take` waits a few milliseconds for a returned buffer before
    ///     it allocates another. The wait slows down a producer that runs ahead of the consumer.
    init(onlyGrows: Bool = false, usualCount: Int = .max) {
        self.onlyGrows = onlyGrows
        self.usualCount = usualCount
    }

    /// Returns a buffer of at least `byteCount` bytes with undefined content, reused if possible.
    func take(byteCount: Int) -> PixelBuffer {
        var byteCount = byteCount
        func reuse(_ idle: inout Idle) -> UnsafeMutableRawPointer? {
            if onlyGrows { byteCount = max(byteCount, idle.byteCount) }
            return idle.byteCount == byteCount ? idle.buffers.popLast() : nil
        }
        // Freed outside of the lock, which the frame loop also takes: returning memory to the system takes time.
        var spare: [UnsafeMutableRawPointer] = []
        func trim(_ idle: inout Idle) {
            let count = idle.trimmer.trimCount(afterTaking: idle.buffers.count)
            spare += idle.buffers.prefix(count)
            idle.buffers.removeFirst(count)
        }
        var reused: UnsafeMutableRawPointer?
        let isTaken: Void? = idle.wait(until: usualCount == .max ? nil : .now() + Self.timeout) { idle in
            reused = reuse(&idle)
            guard reused != nil || idle.takenCount < usualCount else { return nil }
            idle.takenCount += 1
            trim(&idle)
            return ()
        }
        if isTaken == nil { idle.withLock { $0.takenCount += 1 } }
        for buffer in spare { buffer.deallocate() }
        let memory = reused ?? .allocate(byteCount: byteCount, alignment: Self.alignment)
        return PixelBuffer(memory: memory, byteCount: byteCount, owner: .pool(self))
    }

    /// The number of buffers kept for reuse.
    var idleCount: Int { idle.withLock { $0.buffers.count } }

    fileprivate func giveBack(_ memory: UnsafeMutableRawPointer, byteCount: Int) {
        // Freed outside of the lock, as in `take`.
        var spare: [UnsafeMutableRawPointer] = []
        idle.update { idle in
            idle.takenCount -= 1
            if onlyGrows ? idle.byteCount < byteCount : idle.byteCount != byteCount {
                swap(&spare, &idle.buffers)
                idle.byteCount = byteCount
                idle.trimmer = PoolTrimmer()
            }
            if idle.byteCount == byteCount, idle.buffers.count < Self.idleLimit {
                idle.buffers.append(memory)
            } else {
                spare.append(memory)
            }
        }
        for buffer in spare { buffer.deallocate() }
    }
}

/// Memory for a frame, with a unique owner. When the buffer is released, its memory returns to the pool or allocator
/// from which it came.
///
/// Threads: one owner at a time, on any thread.
package struct PixelBuffer: ~Copyable, @unchecked Sendable {
    // @unchecked: the owner is unique.
    let memory: UnsafeMutableRawPointer
    package let byteCount: Int
    private let owner: Owner

    fileprivate enum Owner {
        case pool(PixelBufferPool)
        case allocator(any FrameAllocator)
    }

    fileprivate init(memory: UnsafeMutableRawPointer, byteCount: Int, owner: Owner) {
        self.memory = memory
        self.byteCount = byteCount
        self.owner = owner
    }

    /// Takes memory for a BGRA frame of `size` from `allocator`; nil if `allocator` provides none.
    init?(of size: PixelSize, from allocator: any FrameAllocator) {
        guard let memory = allocator.take(size) else { return nil }
        self.init(memory: memory, byteCount: size.width * size.height * 4, owner: .allocator(allocator))
    }

    deinit {
        switch owner {
        case .pool(let pool): pool.giveBack(memory, byteCount: byteCount)
        case .allocator(let allocator): allocator.giveBack(memory)
        }
    }
}
