import GlissadeGeometry
import Glibc
import GlissadePlatform
import Testing
import GlissadeTime

@testable import GlissadeRendering

/// Memory for pictures, kept while they are shown.
@Suite("Allocated frame memory") struct FrameMemoryTests {
    private static let size = PixelSize(width: 33, height: 31)

    private func makeSlots(timeout: Duration = .milliseconds(1)) throws -> FrameSlots {
        let memory = try #require(
            PrivatePicturesMemory(FrameSlots.stride(of: Self.size) * FrameSlots.count))
        return FrameSlots(Self.size, in: memory, timeout: timeout)
    }

    @Test("Slots are taken one by one, lowest first, page-aligned, and again when returned")
    func lends() throws {
        let slots = try makeSlots()
        #expect(FrameSlots.stride(of: Self.size) == 4096, "33 × 31 × 4 is 4092")
        #expect(FrameSlots.stride(of: PixelSize(width: 32, height: 32)) == 4096)
        #expect(FrameSlots.stride(of: PixelSize(width: 33, height: 32)) == 8192)
        let rooms = (0..<FrameSlots.count).map { _ in slots.take(Self.size) }
        #expect(rooms == (0..<FrameSlots.count).map { slots.address(of: $0) })
        #expect(slots.take(Self.size) == nil, "all are taken")
        for number in [2, 0] { slots.giveBack(slots.address(of: number)) }
        #expect(slots.take(Self.size) == rooms[0])
        #expect(slots.take(Self.size) == rooms[2])
        for room in rooms.compactMap({ $0 }) { memset(room, 9, 4092) }
    }

    @Test("No slot is given for frames of another size, and only the start of a frame can be claimed")
    func refuses() throws {
        let slots = try makeSlots()
        for size in [(33, 30), (31, 33), (0, 0), (1, 1023)] {
            #expect(slots.take(PixelSize(width: size.0, height: size.1)) == nil)
        }
        let first = UnsafeRawPointer(slots.address(of: 0))
        for offset in [-4096, -1, 1, 64, 4095, 4096 * FrameSlots.count] {
            #expect(slots.claim(at: first + offset) == nil)
        }
        #expect(slots.claim(at: first + 4096 * (FrameSlots.count - 1)) == FrameSlots.count - 1)
    }

    @Test("A slot on screen is not given until every claim on it has been released")
    func claims() throws {
        let slots = try makeSlots()
        let room = try #require(slots.take(Self.size))
        #expect(slots.claim(at: room) == 0)
        slots.giveBack(room)
        #expect(slots.claim(at: room) == 0)
        slots.release(0)
        let other = try #require(slots.take(Self.size))
        #expect(other == slots.address(of: 1))
        slots.release(0)
        #expect(slots.take(Self.size) == room)
        // Let go while it is still taken: a frame that is kept for another size.
        #expect(slots.claim(at: other) == 1)
        slots.release(1)
        #expect(slots.take(Self.size) == slots.address(of: 2))
    }

    @Test("A request beyond the usual number waits for a buffer to be released")
    func waits() throws {
        let slots = try makeSlots(timeout: .seconds(60))
        let rooms = (0..<FrameSlots.usualCount).compactMap { _ in slots.take(Self.size) }
        #expect(rooms.count == FrameSlots.usualCount)
        let thread = try! NamedThread(name: "shows") { slots.giveBack(slots.address(of: 1)) }
        #expect(slots.take(Self.size) == slots.address(of: 1))
        thread.join()
    }
}
