import GlissadeGeometry
import Testing

@Suite("Geometry") struct GeometryTests {
    @Test("Fitting keeps the aspect ratio, touches two edges and centers")
    func fitting() {
        let frame = Rect(x: 10, y: 20, width: 400, height: 200)
        #expect(frame.fitting(aspect: Size(width: 1, height: 1)) == Rect(x: 110, y: 20, width: 200, height: 200))
        #expect(frame.fitting(aspect: Size(width: 4, height: 1)) == Rect(x: 10, y: 70, width: 400, height: 100))
        #expect(frame.fitting(aspect: Size(width: 2, height: 1)) == frame)
    }

    @Test(
        "Fitting from or into an empty size gives an empty rectangle",
        arguments: [Size.zero, Size(width: .nan, height: 1)])
    func fittingNothing(empty: Size) {
        #expect(Rect(x: 3, y: 4, width: 5, height: 5).fitting(aspect: empty).size == .zero)
        #expect(Rect(origin: .zero, size: empty).fitting(aspect: Size(width: 4, height: 3)).size == .zero)
    }

    @Test("A rectangle contains its left and top edges but not its right and bottom ones")
    func containment() {
        let rect = Rect(x: 0, y: 0, width: 2, height: 2)
        #expect(rect.contains(.zero))
        #expect(!rect.contains(Point(x: 2, y: 1)))
        #expect(!rect.contains(Point(x: 1, y: 2)))
    }

    @Test("Adjacent rectangles are still adjacent after rounding")
    func rounding() {
        for tenth in 0..<40 {
            let edge = Double(tenth) / 10
            let left = PixelRect(rounding: Rect(x: 0.3, y: 0, width: edge - 0.3, height: 1))
            let right = PixelRect(rounding: Rect(x: edge, y: 0, width: 5, height: 1))
            #expect(left.maxX == right.minX)
        }
    }

    @Test("Absurd coordinates are rounded to distant pixels instead of trapping")
    func absurdCoordinates() {
        let rect = PixelRect(rounding: Rect(x: -.infinity, y: .nan, width: .infinity, height: 1e300))
        #expect(rect.minX == -1_000_000_000)
        #expect(rect.minY == 0)
        #expect(PixelRect(rounding: Rect(x: 0, y: 0, width: 1e300, height: 1)).maxX == 1_000_000_000)
    }

    @Test("Subtracting a hole leaves rectangles that cover everything else exactly once")
    func subtraction() {
        let whole = PixelRect(minX: 2, minY: 2, maxX: 8, maxY: 7)
        for minX in 0..<9 {
            for minY in 0..<9 {
                for (width, height) in [(0, 3), (1, 1), (3, 2), (9, 1), (1, 9), (9, 9)] {
                    let hole = PixelRect(minX: minX, minY: minY, maxX: minX + width, maxY: minY + height)
                    var rest: [PixelRect] = []
                    whole.subtract(hole, into: &rest)
                    #expect(rest.count <= 4)
                    #expect(rest.allSatisfy { !$0.isEmpty && whole.contains($0) })
                    for y in 0..<10 {
                        for x in 0..<10 {
                            let pixel = PixelRect(minX: x, minY: y, maxX: x + 1, maxY: y + 1)
                            let isLeft = whole.contains(pixel) && !hole.contains(pixel)
                            #expect(rest.count { $0.contains(pixel) } == (isLeft ? 1 : 0))
                        }
                    }
                }
            }
        }
    }

    @Test("An empty rectangle minus anything is empty")
    func emptySubtraction() {
        var rest: [PixelRect] = []
        PixelRect(minX: 3, minY: 3, maxX: 3, maxY: 9).subtract(
            PixelRect(minX: 0, minY: 0, maxX: 1, maxY: 1), into: &rest)
        #expect(rest.isEmpty)
    }

    @Test("Rectangles that do not overlap have an empty intersection")
    func intersection() {
        let a = PixelRect(minX: 0, minY: 0, maxX: 4, maxY: 4)
        #expect(a.intersection(PixelRect(minX: 4, minY: 0, maxX: 8, maxY: 4)).isEmpty)
        #expect(
            a.intersection(PixelRect(minX: 3, minY: 3, maxX: 8, maxY: 8)) == .init(minX: 3, minY: 3, maxX: 4, maxY: 4))
    }

    @Test(
        "A rotation is rounded to the nearest quarter turn, however often it goes around",
        arguments: [
            (0.0, QuarterTurns.none), (90, .quarter), (180, .half), (270, .threeQuarters), (-90, .threeQuarters),
            (360, .none), (450, .quarter), (-450, .threeQuarters), (44, .none), (46, .quarter), (1e300, .none),
            (.nan, .none), (.infinity, .none),
        ])
    func quarterTurns(degrees: Double, turn: QuarterTurns) {
        if degrees == 1e300 {
            _ = QuarterTurns(degreesClockwise: degrees)  // Whichever it is, it is one.
        } else {
            #expect(QuarterTurns(degreesClockwise: degrees) == turn)
        }
    }

    @Test("Only rotations by one or three quarters swap the axes")
    func axes() {
        #expect(QuarterTurns.allCases.filter(\.swapsAxes) == [.quarter, .threeQuarters])
    }

    @Test("Quarter turns add up, and a rectangle rotated about its area's corner is rotated as often", arguments: 0..<4)
    func addition(first: Int) throws {
        let area = PixelSize(width: 100, height: 60)
        let rect = PixelRect(minX: 10, minY: -5, maxX: 30, maxY: 20)
        let turn = try #require(QuarterTurns(rawValue: first))
        for second in QuarterTurns.allCases {
            #expect((turn + second).rawValue == (first + second.rawValue) % 4)
            let twice = rect.rotated(by: turn, in: area).rotated(by: second, in: area.rotated(by: turn))
            #expect(twice == rect.rotated(by: turn + second, in: area))
            #expect(twice.size == rect.size.rotated(by: turn + second))
        }
        #expect(rect.rotated(by: .quarter, in: area) == PixelRect(minX: 40, minY: 10, maxX: 65, maxY: 30))
    }
}
