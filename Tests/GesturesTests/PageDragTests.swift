import Testing

@testable import Gestures

@Suite("What a dragged page is told") struct PageDragTests {
    private final class Told: PageDragObserver {
        var trace: [String] = []
        var onDrag: (() -> Void)?
        func willBeginDragging() { trace.append("will") }
        func didDrag(progress: Double) {
            trace.append("\(progress)")
            onDrag?()
        }
        func didEndDragging(popped: Bool) { trace.append(popped ? "popped" : "back") }
    }

    private let told = Told()
    private let reporter: PageDragReporter

    init() { reporter = PageDragReporter(observer: told) }

    @Test("willBegin, didDrag for every frame in which the progress changed, didEnd once the settle has ended")
    func order() {
        reporter.takeHold()
        for progress in [0, 0.1, 0.1, 0.3, 0.2, 0.2] { reporter.show(progress) }
        reporter.show(1)
        reporter.settleEnded(popped: true)
        #expect(told.trace == ["will", "0.1", "0.3", "0.2", "1.0", "popped"])
    }

    @Test("They come in this order at each drag")
    func again() {
        for _ in 0..<2 {
            reporter.takeHold()
            reporter.show(0.5)
            reporter.settleEnded(popped: false)
        }
        #expect(told.trace == ["will", "0.5", "back", "will", "0.5", "back"])
    }

    @Test("When a second hold interrupts the settle there is no second willBegin, and one didEnd")
    func interrupted() {
        reporter.takeHold()
        reporter.show(0.5)
        reporter.takeHold()
        reporter.show(0.4)
        reporter.settleEnded(popped: false)
        reporter.settleEnded(popped: false)
        #expect(told.trace == ["will", "0.5", "0.4", "back"])
    }

    @Test("Without a drag there is nothing to tell, and progress is a number from 0 to 1")
    func bounds() {
        reporter.show(0.5)
        reporter.settleEnded(popped: true)
        reporter.takeHold()
        for progress in [Double.nan, -3, 7, .infinity] { reporter.show(progress) }
        #expect(told.trace == ["will", "1.0"])
    }

    @Test("A page that ends the drag while it is told hears nothing more of it")
    func reentrant() {
        told.onDrag = { [reporter] in reporter.settleEnded(popped: true) }
        reporter.takeHold()
        reporter.show(0.5)
        reporter.show(0.6)
        #expect(told.trace == ["will", "0.5", "popped"])
    }
}
