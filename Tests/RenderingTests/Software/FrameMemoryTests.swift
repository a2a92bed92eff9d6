import Geometry
import Glibc
import Platform
import Testing
import Time

@testable import Rendering

/// Memory that is lent for pictures, and kept while they are shown.
@Suite("Lent frame memory") struct FrameMemoryTests {
    private static let size = PixelSize(width: 33, height: 31)

    private func lent(timeout: Duration = .milliseconds(1)) throws -> FrameSlots {
        let memory = try #require(
            PrivatePicturesMemory(FrameSlots.stride(of: Self.size) * FrameSlots.count))
        return FrameSlots(Self.size, in: memory, timeout: timeout)
    }

    @Test("Buffers are lent one by one, lowest first, page-aligned, and again when returned")
    func lends() throws {
        let lent = try lent()
        #expect(FrameSlots.stride(of: Self.size) == 4096, "33 × 31 × 4 is 4092")
        #expect(FrameSlots.stride(of: PixelSize(width: 32, height: 32)) == 4096)
        #expect(FrameSlots.stride(of: PixelSize(width: 33, height: 32)) == 8192)
        let rooms = (0..<FrameSlots.count).map { _ in lent.take(Self.size) }
        #expect(rooms == (0..<FrameSlots.count).map { lent.address(of: $0) })
        #expect(lent.take(Self.size) == nil, "all are lent")
        for number in [2, 0] { lent.giveBack(lent.address(of: number)) }
        #expect(lent.take(Self.size) == rooms[0])
        #expect(lent.take(Self.size) == rooms[2])
        for room in rooms.compactMap({ $0 }) { memset(room, 9, 4092) }
    }

    @Test("No buffer is lent for frames of another size, and only the start of a frame can be claimed")
    func refuses() throws {
        let lent = try lent()
        for size in [(33, 30), (31, 33), (0, 0), (1, 1023)] {
            #expect(lent.take(PixelSize(width: size.0, height: size.1)) == nil)
        }
        let first = UnsafeRawPointer(lent.address(of: 0))
        for offset in [-4096, -1, 1, 64, 4095, 4096 * FrameSlots.count] {
            #expect(lent.claim(at: first + offset) == nil)
        }
        #expect(lent.claim(at: first + 4096 * (FrameSlots.count - 1)) == FrameSlots.count - 1)
    }

    @Test("A buffer on screen is not lent until every claim on it has been released")
    func claims() throws {
        let lent = try lent()
        let room = try #require(lent.take(Self.size))
        #expect(lent.claim(at: room) == 0)
        lent.giveBack(room)
        #expect(lent.claim(at: room) == 0)
        lent.release(0)
        let other = try #require(lent.take(Self.size))
        #expect(other == lent.address(of: 1))
        lent.release(0)
        #expect(lent.take(Self.size) == room)
        // Let go while it is still lent: a frame that is kept for another size.
        #expect(lent.claim(at: other) == 1)
        lent.release(1)
        #expect(lent.take(Self.size) == lent.address(of: 2))
    }

    @Test("A request beyond the usual number waits for a buffer to be released")
    func waits() throws {
        let lent = try lent(timeout: .seconds(60))
        let rooms = (0..<FrameSlots.usualCount).compactMap { _ in lent.take(Self.size) }
        #expect(rooms.count == FrameSlots.usualCount)
        let thread = try! Platform.Thread(name: "shows") { lent.giveBack(lent.address(of: 1)) }
        #expect(lent.take(Self.size) == lent.address(of: 1))
        thread.join()
    }
}
