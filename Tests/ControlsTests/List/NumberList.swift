import GlissadeGeometry
import GlissadeLayers
import GlissadeTime

@testable import GlissadeControls

/// A row that logs its states and sizes.
@MainActor final class NumberRow: ListRow {
    var states: [State] = []
    var sizes: [Size] = []
    var number: Int?

    override func layout(size: Size) { sizes.append(size) }
    override func setState(_ state: State) { states.append(state) }
}

/// A list of numbers, 1000×500 points with rows of 50, and its time.
@MainActor final class NumberList: ListSource {
    var rowCount: Int
    var made: [NumberRow] = []
    var configured: [Int] = []
    var activated: [Int] = []
    let list: ListView
    var now = HostTime(nanoseconds: 1_000_000_000)

    init(_ count: Int, rowHeight: Double = 50) {
        rowCount = count
        list = ListView(rowHeight: rowHeight)
        list.source = self
        list.layout(Rect(x: 0, y: 0, width: 1000, height: 500))
        _ = list.advance(to: now)
    }

    func makeRow() -> ListRow {
        let row = NumberRow()
        made.append(row)
        return row
    }

    func configure(_ row: ListRow, at index: Int) {
        (row as? NumberRow)?.number = index
        configured.append(index)
    }

    func activate(_ index: Int, now: HostTime) { activated.append(index) }

    /// The row that shows `index` now.
    func row(_ index: Int) -> NumberRow? { made.first { $0.index == index } }

    /// What is on the screen, the topmost first.
    var shown: [Int] {
        made.filter { $0.layer.superlayer != nil }.compactMap(\.index).sorted()
    }

    @discardableResult func advance(_ milliseconds: Int = 10) -> Bool {
        now = now + .milliseconds(milliseconds)
        return list.advance(to: now)
    }

    /// Until nothing moves.
    func settle() { for _ in 0..<400 where list.isAnimating { advance() } }
}
