import GlissadeGeometry
import Testing
import GlissadeTime

@testable import GlissadeNavigation

@Suite("Frame of the floating window") struct FloatingFrameTests {
    private let wide = Size(width: 16, height: 9)
    private let frame = Rect(x: 1000, y: 500, width: 320, height: 180)
    private let screen = Rect(x: 0, y: 30, width: 1920, height: 1050)

    // MARK: - Dragging

    @Test("Dragged from anywhere the window keeps its size and may leave the screen")
    func moved() {
        let moved = FloatingFrame(frame, aspect: wide).moved(by: Point(x: -2000, y: 7.5))
        #expect(moved.frame == Rect(x: -1000, y: 507.5, width: 320, height: 180))
    }

    @Test("A new window is moved up above others that it would cover, as far as there is space")
    func above() {
        let window = FloatingFrame(Rect(x: 1576, y: 876, width: 320, height: 180), aspect: wide)
        func top(_ others: Rect...) -> Double {
            let moved = window.above(others, in: screen).frame
            #expect(moved.minX == 1576 && moved.size == window.frame.size)
            return moved.minY
        }
        // Beside it, or only touching: it stays.
        #expect(top(Rect(x: 1200, y: 876, width: 320, height: 180)) == 876)
        #expect(top(Rect(x: 1576, y: 696, width: 320, height: 180)) == 876)
        #expect(top(Rect(x: 1800, y: 900, width: 60, height: 60)) == 900 - 12 - 180)
        // Above the first one it would cover the second one, whatever their order.
        let (lower, upper) = (
            Rect(x: 1576, y: 876, width: 320, height: 180), Rect(x: 1600, y: 700, width: 90, height: 90)
        )
        #expect(top(lower, upper) == 700 - 12 - 180)
        #expect(top(upper, lower) == 700 - 12 - 180)
        #expect(top(Rect(x: 1000, y: 222, width: 900, height: 800)) == 30)
        #expect(top(Rect(x: 1000, y: 221, width: 900, height: 800)) == 876, "there is no space above it")
    }

    @Test(
        "Dragging a corner keeps the opposite corner and the aspect ratio", arguments: FloatingFrame.Corner.allCases
    )
    func resized(corner: FloatingFrame.Corner) {
        let outwards = Point(x: corner.isLeft ? -160 : 160, y: corner.isTop ? -90 : 90)
        for (fraction, size) in [(1.0, Size(width: 480, height: 270)), (-0.25, Size(width: 280, height: 157.5))] {
            let new = FloatingFrame(frame, aspect: wide).resized(from: corner, by: outwards.scaled(by: fraction)).frame
            #expect((new.size - size).magnitude < 1e-9)
            #expect(abs((corner.isLeft ? new.maxX : new.minX) - (corner.isLeft ? 1320 : 1000)) < 1e-9)
            #expect(abs((corner.isTop ? new.maxY : new.minY) - (corner.isTop ? 680 : 500)) < 1e-9)
        }
    }

    @Test("The window is at least 160×90 and at most as large as a texture, with the opposite corner fixed")
    func limits() {
        let window = FloatingFrame(frame, aspect: wide)
        let small = window.resized(from: .topLeft, by: Point(x: 5000, y: 5000)).frame
        #expect(small == Rect(x: 1160, y: 590, width: 160, height: 90))
        let large = window.resized(from: .bottomRight, by: Point(x: 1e8, y: 1e8)).frame
        #expect(large == Rect(x: 1000, y: 500, width: 16384, height: 9216))
        let free = FloatingFrame(frame).resized(from: .bottomRight, by: Point(x: -9999, y: 20)).frame
        #expect(free == Rect(x: 1000, y: 500, width: 160, height: 200))
    }

    @Test("Portrait windows are at least 160 wide, and aspect ratios are limited to 20 to 1")
    func proportions() {
        let upright = FloatingFrame(frame, aspect: Size(width: 9, height: 16))
        let small = upright.resized(from: .bottomRight, by: Point(x: -5000, y: -5000)).frame.size
        #expect((small - Size(width: 160, height: 160 * 16 / 9.0)).magnitude < 1e-9)
        let thread = FloatingFrame(frame, aspect: Size(width: 1e12, height: 1e-12))
        let size = thread.resized(from: .bottomRight, by: Point(x: -1e6, y: -1e6)).frame.size
        #expect((size - Size(width: 1800, height: 90)).magnitude < 1e-6)
    }

    @Test("The corners have resize zones of 16 points, everything else moves the window, and outside is nothing")
    func corners() {
        let size = Size(width: 320, height: 180)
        for (x, y, corner) in [
            (0, 0, FloatingFrame.Corner.topLeft), (15, 15, .topLeft), (304, 0, .topRight), (319, 15, .topRight),
            (0, 164, .bottomLeft), (319, 179, .bottomRight), (304, 164, .bottomRight),
        ] as [(Double, Double, FloatingFrame.Corner)] {
            #expect(FloatingFrame.corner(at: Point(x: x, y: y), in: size) == corner)
        }
        for (x, y) in [(16.0, 0.0), (0, 16), (303, 0), (160, 90), (-1, 0), (320, 0), (.nan, 0), (0, .infinity)] {
            #expect(FloatingFrame.corner(at: Point(x: x, y: y), in: size) == nil)
        }
        #expect(FloatingFrame.corner(at: Point(x: 4, y: 4), in: Size(width: 9, height: 9)) == nil)
        #expect(FloatingFrame.corner(at: .zero, in: .zero) == nil)
    }

    // MARK: - On the screens

    @Test("The first time the window opens in the bottom right of the work area, 24 points from its edges")
    func initial() {
        let window = FloatingFrame.initial(preferredSize: Size(width: 480, height: 270), aspect: wide, workArea: screen)
        #expect(window.frame == Rect(x: 1416, y: 786, width: 480, height: 270))
    }

    @Test("A window of another aspect ratio, or too large for the screen, is fitted")
    func initialFitted() {
        let square = FloatingFrame.initial(
            preferredSize: Size(width: 400, height: 225), aspect: Size(width: 1, height: 1), workArea: screen)
        #expect(square.frame.size == Size(width: 300, height: 300))
        let tiny = Rect(x: 0, y: 0, width: 200, height: 200)
        let fitted = FloatingFrame.initial(preferredSize: Size(width: 480, height: 270), aspect: wide, workArea: tiny)
        #expect((fitted.frame - Rect(x: 24, y: 90.5, width: 152, height: 85.5)).magnitude < 1e-9)
    }

    @Test("A remembered frame is restored if its screen is still there")
    func restored() {
        let second = Rect(x: 1920, y: 0, width: 1280, height: 1024)
        for place in [frame, Rect(x: 2000, y: 0, width: 320, height: 180)] {
            #expect(restored(place, [screen, second]) == place)
        }
    }

    @Test(
        "If screens have changed the window is moved completely onto the nearest work area",
        arguments: [
            (Rect(x: 1800, y: 500, width: 320, height: 180), Rect(x: 1600, y: 500, width: 320, height: 180)),
            (Rect(x: -500, y: -500, width: 320, height: 180), Rect(x: 0, y: 30, width: 320, height: 180)),
            (Rect(x: 9000, y: 400, width: 320, height: 180), Rect(x: 2980, y: 400, width: 320, height: 180)),
            (Rect(x: 1950, y: 500, width: 320, height: 180), Rect(x: 2000, y: 500, width: 320, height: 180)),
        ])
    func clamped(remembered: Rect, expected: Rect) {
        let second = Rect(x: 2000, y: 0, width: 1300, height: 1024)
        let areas = remembered.minX == 1800 ? [screen] : [screen, second]
        #expect(restored(remembered, areas) == expected)
    }

    @Test("On a smaller screen the window shrinks and keeps its aspect ratio")
    func smallerScreen() {
        let small = Rect(x: 10, y: 10, width: 240, height: 400)
        let window = restored(frame, [small])
        #expect((window - Rect(x: 10, y: 275, width: 240, height: 135)).magnitude < 1e-9)
    }

    @Test("For an element of another aspect ratio the window keeps about its area and center")
    func otherAspect() {
        let window = FloatingFrame.restored(
            frame, preferredSize: .zero, aspect: Size(width: 1, height: 1), workAreas: [screen]
        ).frame
        #expect(abs(window.size.width - 240) < 1e-9 && window.size.width == window.size.height)
        #expect((window.centre - frame.centre).magnitude < 1e-9)
    }

    @Test("Without screens the frame is kept, and an invalid one is replaced by the default")
    func nothing() {
        #expect(restored(frame, []) == frame)
        #expect(restored(frame, [.zero, Rect(x: .nan, y: 0, width: 9, height: 9)]) == frame)
        for nonsense in [
            Rect.zero, Rect(x: .nan, y: 0, width: 320, height: 180), Rect(x: 0, y: 0, width: -5, height: 9),
            Rect(x: 0, y: 0, width: .infinity, height: 9), Rect(x: 1e300, y: 0, width: 320, height: 180),
        ] {
            #expect(restored(nonsense, [screen]) == Rect(x: 1576, y: 876, width: 320, height: 180))
            #expect(restored(nonsense, []).size == Size(width: 320, height: 180))
            #expect(FloatingFrame(nonsense, aspect: wide).frame == Rect(x: 0, y: 0, width: 160, height: 90))
        }
    }

    @Test("Non-finite and huge numbers change nothing", arguments: [Double.nan, .infinity, -.infinity, 1e300])
    func hostile(value: Double) {
        let window = FloatingFrame(frame, aspect: wide)
        for point in [Point(x: value, y: 0), Point(x: 0, y: value), Point(x: value, y: value)] {
            #expect(window.moved(by: point) == window)
            for corner in FloatingFrame.Corner.allCases {
                #expect(window.resized(from: corner, by: point) == window)
            }
        }
        for size in [Size(width: value, height: 9), Size(width: 9, height: value)] {
            let odd = FloatingFrame.initial(preferredSize: size, aspect: size, workArea: screen).frame
            #expect(odd.magnitude.isFinite && !odd.size.isEmpty && odd.maxX <= screen.maxX && odd.minX >= screen.minX)
        }
    }

    private func restored(_ frame: Rect, _ areas: [Rect]) -> Rect {
        FloatingFrame.restored(
            frame, preferredSize: Size(width: 320, height: 180), aspect: wide, workAreas: areas
        ).frame
    }
}
