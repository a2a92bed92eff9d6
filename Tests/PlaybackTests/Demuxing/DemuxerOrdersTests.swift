import GlissadeTime
import Testing

@testable import GlissadePlayback

@Suite("What the demuxer is asked to do") struct DemuxerOrdersTests {
    private typealias Order = PacketBuffer.Order

    private func seek(_ generation: Int) -> Order {
        .seek(PacketBuffer.SeekOrder(generation: generation, target: .zero, mode: .exact))
    }

    private func at(_ seconds: Int) -> HostTime { HostTime(nanoseconds: Int64(seconds) * 1_000_000_000) }

    /// A word for each order that is taken until none is left, or until one repeats.
    private func taken(_ orders: inout DemuxerOrders, isDue: Bool = true) -> [String] {
        var names: [String] = []
        while let order = orders.take(isDue: { _ in isDue }), names.count < 5 {
            switch order {
            case .read: names.append("read")
            case .seek(let order): names.append("seek \(order.generation)")
            case .select: names.append("select")
            case .retry: names.append("retry")
            case .variant(let index, _): names.append("variant \(index)")
            case .stop: return names + ["stop"]
            }
        }
        return names
    }

    @Test("Orders are carried out by urgency, and a later order replaces one of its kind")
    func urgency() {
        var orders = DemuxerOrders()
        for order in [.variant(1, by: at(0)), .select, seek(1), .retry, seek(2), .variant(3, by: at(0)), .select] {
            orders.add(order)
        }
        #expect(orders.isInterrupted && orders.isSeeking && orders.hasVariant)
        #expect(taken(&orders) == ["seek 2", "retry", "select", "variant 3"])
        #expect(!orders.isInterrupted && !orders.hasVariant && taken(&orders) == [])
    }

    @Test("After a stop there is no other order, and it is never used up")
    func stopping() {
        var orders = DemuxerOrders()
        orders.add(seek(1))
        orders.add(.stop)
        orders.add(seek(2))
        #expect(orders.isStopped && orders.isInterrupted && !orders.isSeeking)
        for _ in 0..<3 { #expect(taken(&orders) == ["stop"]) }
    }

    @Test("A change of variant waits until it is due, and does not hold up orders that come later")
    func variants() {
        var orders = DemuxerOrders()
        orders.add(.variant(1, by: at(7)))
        var deadline: HostTime?
        let early = orders.take {
            deadline = $0
            return false
        }
        #expect(early == nil && deadline == at(7))
        orders.add(.select)
        #expect(taken(&orders, isDue: false) == ["select"])
        #expect(orders.hasVariant && !orders.isInterrupted)
        #expect(taken(&orders) == ["variant 1"])
    }

    @Test("At the end nothing is read until a seek is taken, and neither rest nor loss undoes the end")
    func ending() {
        var orders = DemuxerOrders()
        orders.end()
        orders.rest(true)
        orders.rest(false)
        orders.lose("gone")
        orders.setReconnecting(true)
        #expect(orders.reading == .ended && orders.isDone && !orders.canRead && orders.loss == nil)
        orders.add(seek(1))
        #expect(orders.reading == .ended, "the demuxer has not begun the seek")
        #expect(taken(&orders) == ["seek 1"])
        #expect(orders.reading == .active)
        orders.end()
        orders.continueAfterEnd()
        #expect(orders.reading == .active)
    }

    @Test("While it rests, the demuxer reads nothing until it is told to go on, or until a seek")
    func resting() {
        var orders = DemuxerOrders()
        orders.rest(true)
        #expect(orders.isDone && !orders.canRead && !orders.hasEnded)
        orders.continueAfterEnd()
        #expect(orders.reading == .resting)
        orders.rest(false)
        #expect(orders.canRead)
        orders.rest(true)
        orders.add(seek(1))
        #expect(taken(&orders) == ["seek 1"] && orders.canRead)
        orders.rest(true)
        orders.end()
        #expect(orders.hasEnded)
    }

    @Test("A lost connection ends reading, and both a retry and a seek take it back at once")
    func losing() {
        for (order, name) in [(Order.retry, "retry"), (seek(1), "seek 1")] {
            var orders = DemuxerOrders()
            orders.setReconnecting(true)
            #expect(orders.reading == .reconnecting && orders.canRead)
            orders.lose("refused")
            orders.setReconnecting(false)
            #expect(orders.loss == "refused" && !orders.canRead && !orders.isDone)
            orders.rest(true)
            orders.add(.select)
            #expect(orders.loss == "refused")
            orders.add(order)
            #expect(orders.loss == nil && orders.canRead)
            // Before the order is begun, the connection may be lost once more.
            orders.lose("again")
            #expect(orders.loss == "again")
            #expect(taken(&orders) == [name, "select"] && orders.loss == nil)
        }
    }
}
