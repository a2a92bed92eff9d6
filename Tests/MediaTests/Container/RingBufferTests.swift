import Testing

@testable import GlissadeMedia

/// Counts those of its kind that are alive.
private final class Token {
    nonisolated(unsafe) static var alive = 0
    init() { Token.alive += 1 }
    deinit { Token.alive -= 1 }
}

@Suite("Ring buffer", .serialized) struct RingBufferTests {
    @Test("A ring buffer returns its elements in order, also when it wraps around")
    func ring() {
        var ring = RingBuffer<Int>(capacity: 3)
        var next = 0
        for number in 0..<20 {
            ring.append(number)
            #expect(ring.peek { $0 } == next)
            if ring.isFull {
                #expect(ring.peek(at: 2) { $0 } == number)
                #expect(ring.popFirst() == next)
                next += 1
            }
        }
        #expect(ring.count == 2)
        #expect(ring.peek(at: 2) { $0 } == nil)
        ring.removeAll()
        #expect(ring.isEmpty && ring.popFirst() == nil)
    }

    @Test("A ring buffer releases each of its elements once")
    func ringOwnership() {
        do {
            var ring = RingBuffer<Token>(capacity: 4)
            for _ in 0..<4 { ring.append(Token()) }
            _ = ring.popFirst()
            ring.append(Token())
            #expect(Token.alive == 4)
        }
        #expect(Token.alive == 0)
    }
}
