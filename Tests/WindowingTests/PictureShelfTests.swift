import Glibc
import Host
import Motion
import Testing

@testable import Windowing

/// Rooms that are lent for pictures, and kept while they are shown.
@Suite struct PictureShelfTests {
    private static let size = PixelSize(width: 33, height: 31)

    private func shelf(patience: Duration = .milliseconds(1)) throws -> PictureShelf {
        let byteCount = PictureShelf.stride(of: Self.size) * PictureShelf.count
        let id = shmget(IPC_PRIVATE, byteCount, 0o600 | IPC_CREAT)
        let address = try #require(shmat(id, nil, 0))
        shmctl(id, IPC_RMID, nil)
        return PictureShelf(Self.size, in: SharedMemory(address), patience: patience)
    }

    @Test("rooms are lent one by one, lowest first, each page by itself, and again when they come back")
    func lends() throws {
        let shelf = try shelf()
        #expect(PictureShelf.stride(of: Self.size) == 4096, "33 × 31 × 4 is 4092")
        #expect(PictureShelf.stride(of: PixelSize(width: 32, height: 32)) == 4096)
        #expect(PictureShelf.stride(of: PixelSize(width: 33, height: 32)) == 8192)
        let rooms = (0..<PictureShelf.count).map { _ in shelf.take(Self.size) }
        #expect(rooms == (0..<PictureShelf.count).map { shelf.address(of: $0) })
        #expect(shelf.take(Self.size) == nil, "all are lent")
        for number in [2, 0] { shelf.giveBack(shelf.address(of: number)) }
        #expect(shelf.take(Self.size) == rooms[0])
        #expect(shelf.take(Self.size) == rooms[2])
        for room in rooms.compactMap({ $0 }) { memset(room, 9, 4092) }
    }

    @Test("nothing is lent for pictures of another size, and nothing claimed but where a room begins")
    func refuses() throws {
        let shelf = try shelf()
        for size in [(33, 30), (31, 33), (0, 0), (1, 1023)] {
            #expect(shelf.take(PixelSize(width: size.0, height: size.1)) == nil)
        }
        let first = UnsafeRawPointer(shelf.address(of: 0))
        for offset in [-4096, -1, 1, 64, 4095, 4096 * PictureShelf.count] {
            #expect(shelf.claim(at: first + offset) == nil)
        }
        #expect(shelf.claim(at: first + 4096 * (PictureShelf.count - 1)) == PictureShelf.count - 1)
    }

    @Test("what is shown is not lent, though who made it gave it back, until as many let it go as claimed it")
    func claims() throws {
        let shelf = try shelf()
        let room = try #require(shelf.take(Self.size))
        #expect(shelf.claim(at: room) == 0)
        shelf.giveBack(room)
        #expect(shelf.claim(at: room) == 0)
        shelf.release(0)
        let other = try #require(shelf.take(Self.size))
        #expect(other == shelf.address(of: 1))
        shelf.release(0)
        #expect(shelf.take(Self.size) == room)
        // Let go while it is still lent: a frame that is kept for another size.
        #expect(shelf.claim(at: other) == 1)
        shelf.release(1)
        #expect(shelf.take(Self.size) == shelf.address(of: 2))
    }

    @Test("who asks for more than are usual has the one that is let go meanwhile")
    func waits() throws {
        let shelf = try shelf(patience: .seconds(60))
        let rooms = (0..<PictureShelf.usualCount).compactMap { _ in shelf.take(Self.size) }
        #expect(rooms.count == PictureShelf.usualCount)
        let thread = try! Host.Thread(name: "shows") { shelf.giveBack(shelf.address(of: 1)) }
        #expect(shelf.take(Self.size) == shelf.address(of: 1))
        thread.join()
    }
}
