import Testing
import GlissadeTime

@testable import GlissadeControls

@Suite("Row visibility notifications") struct RowVisibilityTests {
    typealias Change = RowVisibility<Int>.Change

    /// Rows of 100 points, seen through 300.
    struct List {
        var visibility = RowVisibility<Int>()
        var told: [Int: [Change]] = [:]
        var order = Array(0..<600)
        var viewport = 300.0

        mutating func show(at offset: Double) {
            let frames = order.enumerated().map { RowFrame(id: $1, top: Double($0) * 100, height: 100) }
            show(frames, from: offset)
        }

        mutating func show(_ frames: [RowFrame<Int>], from offset: Double) {
            var told = told
            visibility.update(frames, from: offset, to: offset + viewport) { told[$0, default: []].append($1) }
            self.told = told
        }

        mutating func forget() { told = [:] }
    }

    @Test("A row that appears gets willAppear, then the visible fraction, then didAppear")
    func comingIn() {
        var list = List()
        list.show(at: 0)
        list.forget()
        for offset in [25.0, 50, 75, 100] { list.show(at: offset) }
        #expect(
            list.told[3] == [
                .willAppear, .appearing(0.25), .appearing(0.5), .appearing(0.75), .appearing(1), .didAppear,
            ])
    }

    @Test("A row that disappears gets willDisappear, then the visible fraction, then didDisappear")
    func goingOut() {
        var list = List()
        list.show(at: 0)
        list.forget()
        for offset in [25.0, 50, 75, 100] { list.show(at: offset) }
        #expect(
            list.told[0] == [
                .willDisappear, .disappearing(0.25), .disappearing(0.5), .disappearing(0.75), .disappearing(1),
                .didDisappear,
            ])
        #expect(list.told[1] == nil)
    }

    @Test("A list at rest sends no notifications")
    func still() {
        var list = List()
        list.show(at: 30)
        list.forget()
        list.show(at: 30)
        #expect(list.told.isEmpty)
    }

    @Test("A row that reverses midway gets the opposite will notification and continues from there")
    func turning() {
        var list = List()
        list.show(at: 0)
        list.forget()
        for offset in [50.0, 25, 75, 0] { list.show(at: offset) }
        #expect(
            list.told[3] == [
                .willAppear, .appearing(0.5), .willDisappear, .disappearing(0.75), .willAppear, .appearing(0.75),
                .willDisappear, .disappearing(1), .didDisappear,
            ])
        #expect(
            list.told[0] == [
                .willDisappear, .disappearing(0.5), .willAppear, .appearing(0.75), .willDisappear, .disappearing(0.75),
                .willAppear, .appearing(1), .didAppear,
            ])
    }

    @Test("A jump sends all notifications of a row at once")
    func jump() {
        var list = List()
        list.show(at: 0)
        list.forget()
        list.show(at: 50_000)
        #expect(list.told[0] == [.willDisappear, .disappearing(1), .didDisappear])
        #expect(list.told[500] == [.willAppear, .appearing(1), .didAppear])
    }

    @Test("Re-sorting does not notify a row that is visible as much as before")
    func reorder() {
        var list = List()
        list.show(at: 0)
        list.forget()
        list.order.swapAt(0, 2)
        list.show(at: 0)
        #expect(list.told.isEmpty)
        list.order.swapAt(0, 500)
        list.show(at: 0)
        #expect(list.told.keys.sorted() == [2, 500])
        #expect(list.told[2] == [.willDisappear, .disappearing(1), .didDisappear])
    }

    @Test("A removed row has disappeared, and the one that takes its place has appeared")
    func removal() {
        var list = List()
        list.show(at: 0)
        list.forget()
        list.order.remove(at: 1)
        list.show(at: 0)
        #expect(list.told[1] == [.willDisappear, .disappearing(1), .didDisappear])
        #expect(list.told[3] == [.willAppear, .appearing(1), .didAppear])
        #expect(list.told.count == 2)
    }

    @Test("A list without rows or without height has nothing visible", arguments: [0.0, -5, .nan])
    func nothing(viewport: Double) {
        var list = List()
        list.show(at: 0)
        list.forget()
        list.viewport = viewport
        list.show(at: 0)
        #expect(list.told.keys.sorted() == [0, 1, 2])
        #expect(list.visibility.fraction(of: 0) == 0)
    }

    @Test("Shrinking the view makes rows disappear")
    func resize() {
        var list = List()
        list.show(at: 0)
        list.forget()
        list.viewport = 250
        list.show(at: 0)
        #expect(list.told == [2: [.willDisappear, .disappearing(0.5)]])
    }

    @Test("A row taller than the view counts as fully visible if it fills the view")
    func high() {
        var list = List()
        list.show([RowFrame(id: 1, top: 0, height: 900)], from: 100)
        #expect(list.told[1] == [.willAppear, .appearing(1), .didAppear])
        list.forget()
        list.show([RowFrame(id: 1, top: 0, height: 900)], from: 750)
        #expect(list.told[1] == [.willDisappear, .disappearing(0.5)])
    }

    @Test("Of two rows with the same identity the first counts")
    func twins() {
        var list = List()
        let frames = [RowFrame(id: 1, top: 0, height: 100), RowFrame(id: 1, top: 250, height: 100)]
        list.show(frames, from: 0)
        list.show(frames, from: 0)
        #expect(list.told[1] == [.willAppear, .appearing(1), .didAppear])
    }

    @Test("Rows of absurd size are not visible and do no harm")
    func absurd() {
        var list = List()
        let sizes: [(Double, Double)] = [
            (.nan, 100), (0, .nan), (0, 0), (0, -100), (.infinity, 100), (-.infinity, 100), (1e308, 1e308),
        ]
        list.show(
            sizes.enumerated().map { RowFrame(id: $0, top: $1.0, height: $1.1) } + [
                RowFrame(id: 99, top: 0, height: 100)
            ], from: 0)
        #expect(list.told.keys.sorted() == [99])
    }

    @Test("Every will and did notification comes once and in turn, however the list is scrolled, sorted and resized")
    func balance() {
        var random = SystemRandomNumberGenerator()
        var list = List()
        for step in 0..<1500 {
            switch Int.random(in: 0..<6, using: &random) {
            case 0: list.order.swapAt(Int.random(in: 0..<20), Int.random(in: 0..<20))
            case 1: list.viewport = Double.random(in: 0...500)
            case 2 where list.order.count > 30: list.order.remove(at: Int.random(in: 0..<20))
            default: break
            }
            list.show(at: Double.random(in: step % 7 == 0 ? 0...50_000 : 0...600))
        }
        list.order = []
        list.show(at: 0)
        for (_, changes) in list.told {
            var state = "out"
            for change in changes {
                let next: String? =
                    switch (change, state) {
                    case (.willAppear, "out"), (.willAppear, "going"), (.appearing, "coming"): "coming"
                    case (.didAppear, "coming"): "in"
                    case (.willDisappear, "in"), (.willDisappear, "coming"), (.disappearing, "going"): "going"
                    case (.didDisappear, "going"): "out"
                    default: nil
                    }
                #expect(next != nil, "\(change) in \(state)")
                state = next ?? state
            }
            #expect(state == "out")
        }
    }
}
