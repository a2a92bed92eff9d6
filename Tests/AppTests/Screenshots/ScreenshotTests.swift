import Testing
import GlissadeTime

@testable import GlissadeApp

/// When ordered screenshots fall due.
@Suite("Timed screenshots")
@MainActor struct ScreenshotTests {
    private func orders(_ times: Double...) -> Screenshots {
        Screenshots(times.map { .init(time: .seconds($0), path: "\($0).png") })
    }

    private func due(_ screenshots: inout Screenshots, _ position: Double, for duration: Double = 0.04) -> [String] {
        screenshots.takeDue(position: .seconds(position), duration: .seconds(duration)).map(\.path)
    }

    @Test("A screenshot captures the frame on screen at its time, once")
    func within() {
        var screenshots = orders(0.05, 0.04, 0.08)
        #expect(due(&screenshots, 0) == [])
        #expect(due(&screenshots, 0.04) == ["0.04.png", "0.05.png"])
        #expect(due(&screenshots, 0.08) == ["0.08.png"])
        #expect(due(&screenshots, 0.12) == [])
        #expect(screenshots.isEmpty)
    }

    @Test("A screenshot of a dropped frame captures the next one, and a frame of zero duration is an instant")
    func missed() {
        var screenshots = orders(0.05, 1)
        #expect(due(&screenshots, 0.12) == ["0.05.png"])
        #expect(due(&screenshots, 0.99, for: 0) == [])
        #expect(screenshots.missed == ["1.0.png: not written: playback ended before 1.0 s"])
    }
}
