import Foundation
import GlissadeGeometry
import GlissadeLayers
import GlissadeMedia
import GlissadePlatform
import Testing
import GlissadeTime

@testable import GlissadeApp
@testable import GlissadePresentation

/// The panel of figures over the film.
@Suite("Statistics overlay")
@MainActor struct StatisticsTests {
    private let log = FrameLog()
    private let overlay: StatisticsOverlay

    init() {
        overlay = StatisticsOverlay(log: log)
        overlay.layout(Size(width: 1280, height: 720))
    }

    private func at(_ milliseconds: Int) -> HostTime { HostTime(nanoseconds: Int64(milliseconds) * 1_000_000) }

    private func present(_ milliseconds: Int, draw: Int = 2) {
        log.recordPresent(draw: .milliseconds(draw), swap: .milliseconds(1), at: at(milliseconds))
    }

    private func value(_ label: String) -> String? { overlay.lines.first { $0.label == label }?.value }

    private var bars: [Layer] {
        // The graph is the only layer of the panel that has layers.
        overlay.layer.sublayers.first { !$0.sublayers.isEmpty }?.sublayers.prefix(IntervalGraph.barCount).map { $0 }
            ?? []
    }

    @Test("While hidden, the overlay is not drawn, needs no frames and collects nothing")
    func hidden() {
        var asked = 0
        overlay.update(now: at(0)) {
            asked += 1; return .init()
        }
        #expect(overlay.layer.isHidden && !log.keepsRecent && asked == 0 && overlay.lines.isEmpty)
        overlay.isShown = true
        overlay.update(now: at(0)) {
            asked += 1; return .init()
        }
        #expect(!overlay.layer.isHidden && log.keepsRecent && asked == 1)
        overlay.isShown = false
        overlay.update(now: at(1000)) {
            asked += 1; return .init()
        }
        #expect(overlay.layer.isHidden && !log.keepsRecent && asked == 1)
    }

    @Test("The figures are updated four times a second")
    func timeout() {
        overlay.isShown = true
        var asked: [Int] = []
        for time in stride(from: 0, to: 1000, by: 16) {
            present(time)
            overlay.update(now: at(time)) {
                asked.append(time); return .init()
            }
        }
        #expect(asked == [0, 256, 512, 768])
        // Shown once more, it says at once how it stands.
        overlay.isShown = false
        overlay.isShown = true
        overlay.update(now: at(1000)) {
            asked.append(1000); return .init()
        }
        #expect(asked.last == 1000)
    }

    @Test("The graph advances with each presented frame, the newest at the right, and reuses its layers")
    func graph() {
        overlay.isShown = true
        overlay.update(now: at(0)) { .init() }
        let before = bars
        #expect(before.count == IntervalGraph.barCount && before.allSatisfy(\.isHidden))
        var time = 0
        for interval in [0, 10, 20, 40] {
            time += interval
            present(time)
            overlay.update(now: at(time)) { .init() }
        }
        #expect(bars.filter { !$0.isHidden }.count == 3)
        let heights = bars.suffix(3).map(\.frame.size.height)
        #expect(heights == [10, 20, 40].map { IntervalGraph.length(of: .milliseconds($0)) })
        #expect(zip(before, bars).allSatisfy { $0 === $1 })
        for frame in 1...500 { present(time + frame * 16) }
        overlay.update(now: at(time + 9000)) { .init() }
        #expect(bars.allSatisfy { !$0.isHidden })
    }

    @Test("The bars are as long as the intervals, limited to the graph")
    func lengths() {
        #expect(IntervalGraph.length(of: .milliseconds(25)) == IntervalGraph.height / 2)
        #expect(IntervalGraph.length(of: .seconds(5)) == IntervalGraph.height)
        #expect(IntervalGraph.length(of: .zero) == 1)
        #expect(IntervalGraph.length(of: .seconds(-1)) == 1)
    }

    @Test("Times are the median and the maximum of the last second")
    func costs() {
        overlay.isShown = true
        present(0, draw: 99)
        for frame in 0..<50 { present(2000 + frame * 20, draw: frame == 30 ? 9 : 2) }
        overlay.update(now: at(2990)) { .init() }
        #expect(overlay.lines.contains(.init("Draw", "2.0 ms", detail: "max 9.0 ms")))
        #expect(overlay.lines.contains(.init("Swap", "1.0 ms", detail: "max 1.0 ms")))
        #expect(value("Upload") == "–")
        overlay.update(now: at(9000)) { .init() }
        #expect(value("Draw") == "–", "nothing was drawn of late")
    }

    @Test("Every known value is shown, and unknown ones have no line")
    func lines() {
        overlay.isShown = true
        overlay.update(now: at(0)) { .init() }
        #expect(overlay.lines.map(\.label) == ["Frames", "Upload", "Draw", "Swap", "Interval"])
        #expect(value("Frames") == "0 shown   0 repeated")
        var figures = StatisticsOverlay.Figures()
        figures.file = "film.mkv"
        figures.videoCodec = "h264 High"
        figures.container = "matroska"
        figures.codedSize = PixelSize(width: 1920, height: 1080)
        figures.shownSize = PixelSize(width: 1280, height: 720)
        figures.frameRate = 24000.0 / 1001
        figures.speed = 1.5
        figures.decoder = "h264 (software)"
        figures.audioCodec = "aac"
        figures.audioOffset = .microseconds(-3240)
        figures.due = 1000
        figures.dropped = 5
        figures.queuedFrames = 3
        figures.queuedBytes = 3 << 20
        overlay.update(now: at(300)) { figures }
        #expect(value("File") == "film.mkv")
        #expect(value("Video") == "h264 High   in matroska")
        #expect(value("Decoder") == "h264 (software)")
        #expect(value("Size") == "1920×1080   → 1280×720")
        #expect(value("Rate") == "23.976 frames/s   × 1.50")
        #expect(value("A/V") == "−3.2 ms")
        #expect(value("Frames") == "0 shown   5 dropped (0.5 %)   0 repeated")
        #expect(value("Queues") == "3 frames   3.0 MiB")
        figures.audioOffset = nil
        overlay.update(now: at(600)) { figures }
        #expect(value("A/V") == "–", "a line that comes and goes would make the panel jump")
        figures.queuedFrames = 1
        overlay.update(now: at(900)) { figures }
        #expect(value("Queues") == "1 frame   3.0 MiB")
    }

    @Test("A display whose refreshes are measured shows its rate to three decimals, and what sets the pace")
    func display() {
        overlay.isShown = true
        var figures = StatisticsOverlay.Figures()
        figures.frameRate = 24000.0 / 1001
        figures.refreshRate = 60
        figures.displayFactor = 1.001
        overlay.update(now: at(0)) { figures }
        #expect(value("Display") == "60.000 Hz   sets the pace, × 1.0010")
        figures.refreshRate = 59.94006
        figures.displayFactor = nil
        overlay.update(now: at(300)) { figures }
        #expect(value("Display") == "59.940 Hz   audio sets the pace")
    }

    @Test("Once the overlay is shown, no frame rasterizes more than a few lines")
    func staggered() {
        overlay.isShown = true
        overlay.update(now: at(0)) { .init() }
        var before = texts
        var changes: [Int] = []
        for time in stride(from: 16, to: 500, by: 16) {
            log.recordUpload(.milliseconds(time))
            present(time, draw: time)
            overlay.update(now: at(time)) { .init() }
            changes.append(zip(before, texts).filter { $0 != $1 }.count)
            before = texts
        }
        // A line has a value and a detail.
        #expect(changes.max() ?? 0 <= 2 * StatisticsOverlay.linesPerFrame)
        #expect(changes.reduce(0, +) > 4)
    }

    private var texts: [Layer.Content] { overlay.layer.sublayers.map(\.content) }

    @Test("Absurd values are not shown")
    func nonsense() {
        #expect(StatisticsText.number(.nan, 1) == "–" && StatisticsText.number(.infinity, 3) == "–")
        #expect(StatisticsText.number(1e300, 3) == "–")
        #expect(StatisticsText.number(-0.04, 1) == "0.0")
        #expect(StatisticsText.number(25, 3) == "25" && StatisticsText.number(-1.5, 1) == "-1.5")
        #expect(StatisticsText.number(59.94, 3) == "59.940")
    }

    @Test("The overlay stays on the page, however small the page is")
    func small() {
        overlay.isShown = true
        overlay.update(now: at(0)) { .init(file: "film", info: nil) }
        for size in [Size(width: 1280, height: 720), Size(width: 200, height: 100), Size(width: 10, height: 10), .zero]
        {
            overlay.layout(size)
            let frame = overlay.layer.frame
            #expect(frame.size.width >= 0 && frame.size.height >= 0)
            #expect(frame.size.isEmpty || frame.maxX <= size.width && frame.maxY <= size.height)
        }
    }

    @Test("Values from opening the media are shown")
    func media() throws {
        let figures = StatisticsOverlay.Figures(
            file: "sample.mp4", info: try MediaInfo(opening: SteppedProgram.sample))
        #expect(figures.file == "sample.mp4" && figures.videoCodec?.hasPrefix("h264") == true)
        #expect(figures.codedSize?.isEmpty == false && figures.frameRate != nil)
        #expect(figures.container != nil && figures.pixelFormat != nil)
    }
}
