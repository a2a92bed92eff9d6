import Testing

@testable import GlissadeWindowing

@Suite("Scrolling by valuators") struct ScrollDevicesTests {
    private var devices = ScrollDevices()

    init() {
        devices.setAxes([
            .init(device: 7, number: 2, isVertical: false, increment: 15),
            .init(device: 7, number: 3, isVertical: true, increment: 15),
            .init(device: 8, number: 3, isVertical: true, increment: -120),
            .init(device: 9, number: 3, isVertical: true, increment: 0),
            .init(device: 10, number: 3, isVertical: true, increment: .nan),
        ])
    }

    private mutating func scroll(_ device: UInt16, _ values: (UInt8, Double)...) -> ScrollDevices.Scroll? {
        var motion = XInputEvent.Motion(device: device, time: 0)
        for (number, value) in values {
            (motion.numbers[motion.count], motion.distances[motion.count]) = (number, value)
            motion.count += 1
        }
        return devices.scroll(of: motion)
    }

    @Test("A touchpad scrolls by exact parts of a notch, opposite to its valuators")
    mutating func exact() {
        #expect(scroll(7, (2, 1.5), (3, -7.5)) == .init(deltaX: -0.1, deltaY: 0.5))
        #expect(scroll(7, (3, 30)) == .init(deltaX: 0, deltaY: -2), "also by a whole notch, once it is known")
    }

    @Test("A touchpad's zero ends the scroll")
    mutating func end() {
        _ = scroll(7, (3, 1))
        #expect(scroll(7, (3, 0)) == .init(isEnd: true))
    }

    @Test("A wheel scrolls by whole notches, which are left to its buttons, until it scrolls by a part of one")
    mutating func wheel() {
        #expect(scroll(8, (3, 120)) == nil && scroll(8, (3, -360)) == nil && scroll(8, (3, 0)) == nil)
        #expect(scroll(8, (3, -60)) == .init(deltaX: 0, deltaY: -0.5))
        devices.setAxes([.init(device: 8, number: 3, isVertical: true, increment: 120)])
        #expect(scroll(8, (3, 120)) == .init(deltaX: 0, deltaY: -1))
        devices.setAxes([])
        devices.setAxes([.init(device: 8, number: 3, isVertical: true, increment: 120)])
        #expect(scroll(8, (3, 120)) == nil, "another device with the same number")
    }

    @Test("Unknown devices, other valuators, useless increments and distances beyond reason do no harm")
    mutating func hostile() {
        #expect(scroll(9, (3, 1)) == nil && scroll(10, (3, 1)) == nil && scroll(11, (3, 1)) == nil)
        #expect(scroll(7, (4, 1)) == nil)
        _ = scroll(7, (3, 1))
        #expect(scroll(7, (3, -1e300)) == .init(deltaX: 0, deltaY: ScrollDevices.longestScroll))
        #expect(scroll(7, (3, .infinity)) == .init(isEnd: true))
    }
}
