import GlissadeGeometry
import GlissadeGestures
import GlissadeLayers
import Testing
import GlissadeTime

@testable import GlissadeControls

@Suite("List with leading rows of their own height") @MainActor struct ListHeightTests {
    @Test("The first rows have their own height, and the others follow below")
    func places() throws {
        let numbers = NumberList(1000)
        numbers.list.heights = RowHeights(200, leading: 3, of: 40)
        #expect(numbers.shown == Array(0..<5))
        #expect(numbers.list.frame(of: 2) == Rect(x: 0, y: 80, width: 1000, height: 40))
        #expect(numbers.list.frame(of: 3) == Rect(x: 0, y: 120, width: 1000, height: 200))
        #expect(numbers.row(4)?.layer.presentationFrame(at: .zero).minY == 320)
        #expect(numbers.list.scroll.contentLength == 3 * 40 + 997 * 200)
        numbers.list.jump(to: 130)
        #expect(numbers.shown == Array(3..<6))
        #expect(numbers.list.frame(of: 3).minY == -10)
        #expect(numbers.list.frame(of: 0).minY == -130)
    }

    @Test("A press hits the row beneath it, whatever its height")
    func hits() {
        let numbers = NumberList(1000)
        numbers.list.heights = RowHeights(200, leading: 3, of: 40)
        for (y, row) in [(0.0, 0), (39, 0), (40, 1), (119, 2), (120, 3), (319, 3), (320, 4)] {
            #expect(numbers.list.row(at: Point(x: 500, y: y)) == row)
        }
    }

    @Test("A press beside the rows' content hits nothing")
    func beside() {
        let numbers = NumberList(10)
        numbers.list.contentWidth = 600
        for (x, row) in [(199.0, nil), (201, 0), (799, 0), (801, nil)] as [(Double, Int?)] {
            #expect(numbers.list.row(at: Point(x: x, y: 10)) == row)
        }
    }

    @Test("More leading rows than rows, and invalid heights, are accepted")
    func absurd() {
        let numbers = NumberList(3)
        numbers.list.heights = RowHeights(.nan, leading: 50, of: -7)
        #expect(numbers.list.scroll.contentLength == 3)
        numbers.list.heights = RowHeights(100, leading: -1, of: 5)
        #expect(numbers.list.scroll.contentLength == 300)
        numbers.rowCount = 0
        numbers.list.heights = RowHeights(100, leading: 2, of: 5)
        numbers.list.reload()
        #expect(numbers.list.scroll.contentLength == 0 && numbers.shown.isEmpty)
    }

    @Test("The selected row is scrolled into view whatever its height")
    func selection() {
        let numbers = NumberList(100)
        numbers.list.heights = RowHeights(400, leading: 2, of: 40)
        numbers.list.select(3, now: numbers.now)
        numbers.settle()
        #expect(numbers.list.scroll.offset == 380)  // two rows of 40 and two of 400, less the view's 500
        numbers.list.select(0, now: numbers.now)
        numbers.settle()
        #expect(numbers.list.scroll.offset == 0)
    }
}
