import GlissadeGeometry
import Glibc
import GlissadePicture
import GlissadePlatform
import GlissadeTime

/// Memory for frames of one size, divided into slots. A producer fills a slot, which a surface or the display then
/// reads without a copy. A slot becomes free when its last hold is released.
///
/// Threads: any. `take` may wait up to `timeout` for a free slot.
final class FrameSlots: FrameAllocator, PictureHolds, @unchecked Sendable {
    // @unchecked: the holders of a slot synchronize access to the content of its memory.

    /// The usual number of slots: one for the visible frame, and two for frames that are queued or being produced. An
    /// extra slot is used if no other slot becomes free while `take` waits. A slot takes up memory only once it has
    /// been taken.
    static let usualCount = 3
    static let count = usualCount + 1

    let size: PixelSize
    /// The number of bytes from one slot to the next: whole pages.
    private let stride: Int
    private let memory: any PicturesMemory
    private let timeout: Duration
    private let state = Monitor(State())

    private struct State {
        /// The number of holds on each slot.
        var holders = [Int](repeating: 0, count: count)
        /// The number of slots that `take` uses without waiting first. Includes the extra slot once that has been
        /// taken.
        var readyCount = usualCount

        mutating func takeFirst(of count: Int) -> Int? {
            guard let index = holders.prefix(count).firstIndex(of: 0) else { return nil }
            holders[index] = 1
            readyCount = max(readyCount, index + 1)
            return index
        }
    }

    /// - Parameters:
    ///   - memory: Memory for `count` frames at intervals of `stride(of: size)`, used for nothing else.
    ///   - timeout: How long `take` waits for a free slot before it takes the extra one.
    init(_ size: PixelSize, in memory: any PicturesMemory, timeout: Duration = .milliseconds(10)) {
        stride = Self.stride(of: size)
        self.memory = memory
        self.size = size
        self.timeout = timeout
    }

    /// Returns the number of bytes from one slot to the next, for frames of `size`: whole pages.
    static func stride(of size: PixelSize) -> Int { (size.width * size.height * 4 + 4095) & ~4095 }

    func address(of index: Int) -> UnsafeMutableRawPointer { memory.address + index * stride }

    func take(_ size: PixelSize) -> UnsafeMutableRawPointer? {
        guard size == self.size else { return nil }
        let index =
            state.wait(until: .now() + timeout) { $0.takeFirst(of: $0.readyCount) }
            ?? state.withLock { $0.takeFirst(of: Self.count) }
        guard let index else { return nil }
        guard memory.reserve((index + 1) * stride) else {
            release(index)
            return nil
        }
        return address(of: index)
    }

    func giveBack(_ memory: UnsafeMutableRawPointer) {
        if let index = index(at: memory) { release(index) }
    }

    /// Adds a hold on the slot whose memory starts at `address`, and returns the index of the slot; nil if no slot
    /// starts there.
    func claim(at address: UnsafeRawPointer) -> Int? {
        guard let index = index(at: address) else { return nil }
        hold(index)
        return index
    }

    func hold(_ index: Int) { state.withLock { $0.holders[index] += 1 } }
    func release(_ index: Int) { state.update { $0.holders[index] -= 1 } }

    private func index(at address: UnsafeRawPointer) -> Int? {
        let offset = address - UnsafeRawPointer(memory.address)
        guard offset >= 0, offset < Self.count * stride, offset % stride == 0 else { return nil }
        return offset / stride
    }
}

/// Memory for frames that is not shared with another process.
///
/// Threads: any. `FrameSlots` decides which thread may write to a frame.
final class PrivatePicturesMemory: PicturesMemory, @unchecked Sendable {
    // @unchecked: the address does not change.
    let address: UnsafeMutableRawPointer
    private let byteCount: Int

    /// Reserves `byteCount` bytes of address space; nil if there is not enough.
    init?(_ byteCount: Int) {
        let memory = mmap(
            nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
        guard let memory, memory != MAP_FAILED else { return nil }
        address = memory
        self.byteCount = byteCount
    }

    deinit { munmap(address, byteCount) }

    /// Does nothing: the kernel commits each page when it is first touched.
    func reserve(_ byteCount: Int) -> Bool { true }
}
