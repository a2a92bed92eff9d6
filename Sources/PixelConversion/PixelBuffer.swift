import Geometry
import Media
import Picture
import Platform
import Time

/// Keeps the memory of pictures that were given back, so that a stream of pictures of one size allocates only at first; what it
/// does not need any more goes.
///
/// Shared by any threads.
///
/// Threads: the converting thread takes; any thread gives back by dropping a picture. None waits.
final class PixelBufferPool: Sendable {
    private struct Idle: ~Copyable {
        var buffers: [UnsafeMutableRawPointer] = []
        var byteCount = 0
        /// How many were taken and not given back.
        var lent = 0
        var surplus = PoolTrimmer()
        deinit { for buffer in buffers { buffer.deallocate() } }
    }

    /// More than this many idle buffers are surplus from a fuller queue.
    private static let idleLimit = 4
    /// Rows and planes begin on cache lines, which the SIMD copies like.
    static let alignment = 64

    private let idle = Monitor(Idle())
    /// How long it is waited for a buffer that is about to be given back.
    private static let patience = Duration.milliseconds(4)
    private let onlyGrows: Bool
    private let usualCount: Int

    /// - Parameters:
    ///   - onlyGrows: buffers are as large as the largest that was asked for: for pictures whose size changes all the time.
    ///   - usualCount: where so many are lent, one more is made only after a wait of some milliseconds: for who is ahead
    ///     of those that give back.
    init(onlyGrows: Bool = false, usualCount: Int = .max) {
        self.onlyGrows = onlyGrows
        self.usualCount = usualCount
    }

    /// A buffer of at least `byteCount` bytes with arbitrary content.
    func take(byteCount: Int) -> PixelBuffer {
        var byteCount = byteCount
        func reuse(_ idle: inout Idle) -> UnsafeMutableRawPointer? {
            if onlyGrows { byteCount = max(byteCount, idle.byteCount) }
            return idle.byteCount == byteCount ? idle.buffers.popLast() : nil
        }
        // Freed outside of the lock, which the frame loop takes too: memory goes back to the system.
        var spare: [UnsafeMutableRawPointer] = []
        func letGo(_ idle: inout Idle) {
            let count = idle.surplus.took(leaving: idle.buffers.count)
            spare += idle.buffers.prefix(count)
            idle.buffers.removeFirst(count)
        }
        var reused: UnsafeMutableRawPointer?
        let isTaken: Void? = idle.wait(until: usualCount == .max ? nil : .now() + Self.patience) { idle in
            reused = reuse(&idle)
            guard reused != nil || idle.lent < usualCount else { return nil }
            idle.lent += 1
            letGo(&idle)
            return ()
        }
        if isTaken == nil { idle.withLock { $0.lent += 1 } }
        for buffer in spare { buffer.deallocate() }
        let memory = reused ?? .allocate(byteCount: byteCount, alignment: Self.alignment)
        return PixelBuffer(memory: memory, byteCount: byteCount, owner: .pool(self))
    }

    /// How many are kept for the next that ask.
    var idleCount: Int { idle.withLock { $0.buffers.count } }

    fileprivate func giveBack(_ memory: UnsafeMutableRawPointer, byteCount: Int) {
        // Freed outside of the lock, as in `take`.
        var spare: [UnsafeMutableRawPointer] = []
        idle.update { idle in
            idle.lent -= 1
            if onlyGrows ? idle.byteCount < byteCount : idle.byteCount != byteCount {
                swap(&spare, &idle.buffers)
                idle.byteCount = byteCount
                idle.surplus = PoolTrimmer()
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

/// Memory for a picture, owned by whoever holds it; it goes back to where it was taken.
///
/// Threads: one owner at a time, on any thread.
package struct PixelBuffer: ~Copyable, @unchecked Sendable {
    // @unchecked: the owner is unique.
    let memory: UnsafeMutableRawPointer
    package let byteCount: Int
    private let owner: Owner

    fileprivate enum Owner {
        case pool(PixelBufferPool)
        case lender(any FrameAllocator)
    }

    fileprivate init(memory: UnsafeMutableRawPointer, byteCount: Int, owner: Owner) {
        self.memory = memory
        self.byteCount = byteCount
        self.owner = owner
    }

    /// Memory for a picture of `size` in BGRA that `lender` has; nil where it has none.
    init?(of size: PixelSize, from lender: any FrameAllocator) {
        guard let memory = lender.take(size) else { return nil }
        self.init(memory: memory, byteCount: size.width * size.height * 4, owner: .lender(lender))
    }

    deinit {
        switch owner {
        case .pool(let pool): pool.giveBack(memory, byteCount: byteCount)
        case .lender(let lender): lender.giveBack(memory)
        }
    }
}
