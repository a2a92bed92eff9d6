import Geometry
import Glibc
import Picture
import Platform
import Time

/// Memory for pictures of one size, lent to who makes them and claimed by who shows them, so that none is copied: free again when
/// neither has it. Shared by any threads.
///
/// Threads: the thread that makes frames takes, and may wait a few milliseconds; the main thread claims; any thread may
/// hold and release.
final class LentPictures: FrameAllocator, PictureHolds, @unchecked Sendable {
    // @unchecked: what lies in the memory is the business of whom it is lent to.

    /// One for the picture on show, two for those that wait, are about to be shown or are being made. One more is lent, the
    /// first time, after a wait for one that may be let go meanwhile: each takes memory from when it is first lent.
    static let usualCount = 3
    static let count = usualCount + 1

    let size: PixelSize
    /// From one picture to the next, in bytes; whole pages, so that none is touched by two.
    private let stride: Int
    private let memory: any PicturesMemory
    private let patience: Duration
    private let state = Monitor(State())

    private struct State {
        /// How many have each picture.
        var holders = [Int](repeating: 0, count: count)
        /// How many are lent without a wait: all, once the last has taken its memory.
        var readyCount = usualCount

        mutating func takeFirst(of count: Int) -> Int? {
            guard let index = holders.prefix(count).firstIndex(of: 0) else { return nil }
            holders[index] = 1
            readyCount = max(readyCount, index + 1)
            return index
        }
    }

    /// - Parameters:
    ///   - memory: for `count` pictures of `size`, which nobody else lends.
    ///   - patience: how long it is waited before more than are usual are lent.
    init(_ size: PixelSize, in memory: any PicturesMemory, patience: Duration = .milliseconds(10)) {
        stride = Self.stride(of: size)
        self.memory = memory
        self.size = size
        self.patience = patience
    }

    /// From one picture of a size to the next, in bytes.
    static func stride(of size: PixelSize) -> Int { (size.width * size.height * 4 + 4095) & ~4095 }

    func address(of index: Int) -> UnsafeMutableRawPointer { memory.address + index * stride }

    func take(_ size: PixelSize) -> UnsafeMutableRawPointer? {
        guard size == self.size else { return nil }
        let index =
            state.wait(until: .now() + patience) { $0.takeFirst(of: $0.readyCount) }
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

    /// Keeps the picture that begins at `address` from being lent, until it is released; nil where none does.
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

/// Memory for pictures that no other process has a part in.
///
/// Threads: any thread may use the memory; who may write to a picture is up to `LentPictures`.
final class PrivatePicturesMemory: PicturesMemory, @unchecked Sendable {
    // @unchecked: the address does not change.
    let address: UnsafeMutableRawPointer
    private let byteCount: Int

    /// Reserves addresses. Nil where there are none.
    init?(_ byteCount: Int) {
        let memory = mmap(
            nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
        guard let memory, memory != MAP_FAILED else { return nil }
        address = memory
        self.byteCount = byteCount
    }

    deinit { munmap(address, byteCount) }

    /// The system gives it page by page.
    func reserve(_ byteCount: Int) -> Bool { true }
}
