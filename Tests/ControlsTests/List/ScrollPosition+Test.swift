import GlissadeTime

@testable import GlissadeControls

/// What the tests of scrolling measure with.
extension ScrollPosition {
    static let start = HostTime(nanoseconds: 1_000_000_000)

    static func at(_ seconds: Double) -> HostTime { start + .seconds(seconds) }

    /// 5000 points of content in a viewport of 500: offsets from 0 to 4500.
    static func test(at offset: Double = 0) -> ScrollPosition {
        var position = ScrollPosition()
        position.setLengths(content: 5000, viewport: 500)
        position.jump(to: offset)
        return position
    }

    static func offset(of position: ScrollPosition, at seconds: Double) -> Double {
        var position = position
        position.advance(to: at(seconds))
        return position.offset
    }

    /// Points a second around that time, measured from outside.
    static func speed(of position: ScrollPosition, at seconds: Double) -> Double {
        (offset(of: position, at: seconds + 1e-6) - offset(of: position, at: seconds)) / 1e-6
    }
}
