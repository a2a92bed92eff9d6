import Host
import Motion
import Picture

/// Rooms for pictures of one size in memory that is shown from: lent to who makes pictures, claimed by who shows them, free again
/// when neither has them. Shared by any threads.
final class PictureShelf: PictureMemory {
    /// One for the picture on show, two for those that wait, are about to be shown or are being made. One more is lent only after a
    /// wait for the one on show, which the frame loop is about to let go: each takes memory from when it is first lent.
    static let usualCount = 3
    static let count = usualCount + 1

    let size: PixelSize
    /// From one room to the next; whole pages, so that none is touched by two.
    let stride: Int
    private let memory: SharedMemory
    private let patience: Duration
    /// How many have each room.
    private let holders = Monitor([Int](repeating: 0, count: count))

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
        func takeFirst(_ holders: inout [Int], of count: Int) -> Int? {
            guard let room = holders.prefix(count).firstIndex(of: 0) else { return nil }
            holders[room] = 1
            return room
        }
        let room =
            holders.wait(until: .now() + patience) { takeFirst(&$0, of: Self.usualCount) }
            ?? holders.withLock { takeFirst(&$0, of: Self.count) }
        return room.map(address(of:))
    }

    func giveBack(_ memory: UnsafeMutableRawPointer) {
        if let room = room(at: memory) { release(room) }
    }

    /// Keeps the room that begins at `address` from being lent; nil where none does.
    func claim(at address: UnsafeRawPointer) -> Int? {
        guard let room = room(at: address) else { return nil }
        holders.withLock { $0[room] += 1 }
        return room
    }

    func release(_ room: Int) { holders.update { $0[room] -= 1 } }

    private func room(at address: UnsafeRawPointer) -> Int? {
        let offset = address - UnsafeRawPointer(memory.address)
        guard offset >= 0, offset < Self.count * stride, offset % stride == 0 else { return nil }
        return offset / stride
    }
}
