import Host
import Motion
import Picture

/// Rooms for pictures of one size in memory that is shown from: lent to who makes pictures, claimed by who shows them, free again
/// when neither has them. Shared by any threads.
final class PictureShelf: PictureMemory {
    /// One for the picture on show, two for those that wait, are about to be shown or are being made. One more is lent, the
    /// first time, after a wait for one that may be let go meanwhile: each takes memory from when it is first lent.
    static let usualCount = 3
    static let count = usualCount + 1

    let size: PixelSize
    /// From one room to the next; whole pages, so that none is touched by two.
    let stride: Int
    private let memory: SharedMemory
    private let patience: Duration
    private let state = Monitor(State())

    private struct State {
        /// How many have each room.
        var holders = [Int](repeating: 0, count: count)
        /// How many are lent without a wait: all, once the last has taken its memory.
        var readyCount = usualCount

        mutating func takeFirst(of count: Int) -> Int? {
            guard let room = holders.prefix(count).firstIndex(of: 0) else { return nil }
            holders[room] = 1
            readyCount = max(readyCount, room + 1)
            return room
        }
    }

    /// - Parameters:
    ///   - memory: of at least `count` times `stride(of: size)` bytes.
    ///   - patience: how long it is waited before more than are usual are lent.
    init(_ size: PixelSize, in memory: SharedMemory, patience: Duration = .milliseconds(10)) {
        self.size = size
        self.memory = memory
        self.patience = patience
        stride = Self.stride(of: size)
    }

    static func stride(of size: PixelSize) -> Int { (size.width * size.height * 4 + 4095) & ~4095 }

    func address(of room: Int) -> UnsafeMutableRawPointer { memory.address + room * stride }

    func take(_ size: PixelSize) -> UnsafeMutableRawPointer? {
        guard size == self.size else { return nil }
        let room =
            state.wait(until: .now() + patience) { $0.takeFirst(of: $0.readyCount) }
            ?? state.withLock { $0.takeFirst(of: Self.count) }
        return room.map(address(of:))
    }

    func giveBack(_ memory: UnsafeMutableRawPointer) {
        if let room = room(at: memory) { release(room) }
    }

    /// Keeps the room that begins at `address` from being lent; nil where none does.
    func claim(at address: UnsafeRawPointer) -> Int? {
        guard let room = room(at: address) else { return nil }
        state.withLock { $0.holders[room] += 1 }
        return room
    }

    func release(_ room: Int) { state.update { $0.holders[room] -= 1 } }

    private func room(at address: UnsafeRawPointer) -> Int? {
        let offset = address - UnsafeRawPointer(memory.address)
        guard offset >= 0, offset < Self.count * stride, offset % stride == 0 else { return nil }
        return offset / stride
    }
}
