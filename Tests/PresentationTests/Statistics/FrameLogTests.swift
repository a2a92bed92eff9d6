import Testing
import GlissadeTime

@testable import GlissadePresentation

/// What the log makes of what it is told.
@Suite("Frame log")
struct FrameLogTests {
    private func at(_ milliseconds: Double) -> HostTime { HostTime(nanoseconds: Int64(milliseconds * 1e6)) }

    private func show(_ log: FrameLog, due: Double, at time: Double, frameDuration: Duration) {
        log.recordShown(
            presentationTime: MediaTime(seconds: due / 1000), due: at(due), frameDuration: frameDuration, at: at(time))
    }

    @Test("Without measurements the report is empty")
    func empty() {
        let log = FrameLog()
        #expect(log.lateness.summary == nil)
        #expect(log.intervals.summary == nil)
        #expect(log.audioOffsets.summary == nil)
        #expect(log.firstFrame == nil)
        #expect(log.presentCount == 0)
    }

    @Test("Percentiles are exact to three digits")
    func percentiles() throws {
        let log = FrameLog()
        for milliseconds in (1...1000).shuffled() { log.recordUpload(.milliseconds(milliseconds)) }
        let times = try #require(log.uploads.summary)
        for (measured, right) in [(times.p50, 500.0), (times.p95, 950), (times.p99, 990), (times.max, 1000)] {
            #expect(abs(measured - right) <= right / 500)
        }
    }

    @Test("Negative times count as zero, and those over 100 s as 100 s")
    func clamped() throws {
        let log = FrameLog()
        log.recordUpload(.milliseconds(-5))
        #expect(try #require(log.uploads.summary).max == 0)
        log.recordUpload(.seconds(1_000_000))
        #expect(abs(try #require(log.uploads.summary).max - 100_000) < 100)
    }

    @Test("An interval is measured between two presents, and not across a pause")
    func intervals() throws {
        let log = FrameLog()
        for time in [0.0, 20, 40] { log.recordPresent(draw: .zero, swap: .zero, at: at(time)) }
        log.interrupt()
        for time in [60_000.0, 60_020] { log.recordPresent(draw: .zero, swap: .zero, at: at(time)) }
        let times = try #require(log.intervals.summary)
        #expect(log.presentCount == 5)
        #expect(abs(times.max - 20) < 0.1)
    }

    @Test("A frame on screen one refresh too long is repeated, unless it filled a dropped frame's place")
    func repeated() {
        let log = FrameLog()
        let sixtieth = Duration.microseconds(16_667)
        for (due, seen) in [(0.0, 0.0), (16.7, 16.7), (33.3, 50), (50, 66.7), (83.3, 100)] {
            show(log, due: due, at: seen, frameDuration: sixtieth)
        }
        // The third came a refresh late. Before the last, one was dropped: due and seen are as far apart.
        #expect(log.repeatedCount == 1)
        #expect(log.shownCount == 5)
    }

    @Test("The alternating two and three refreshes of 24 fps video are no repeats")
    func pulldown() {
        let log = FrameLog()
        var seen = 0.0
        for frame in 0..<48 {
            show(log, due: Double(frame) * 1000 / 24, at: seen, frameDuration: .seconds(1) / 24)
            seen += frame.isMultiple(of: 2) ? 50 : 33.333
        }
        #expect(log.repeatedCount == 0)
    }

    @Test("A pause, a seek and a frame on time are no repeats")
    func interruptedRepeats() {
        let log = FrameLog(keepsRows: true)
        show(log, due: 0, at: 1, frameDuration: .milliseconds(40))
        log.interrupt()
        show(log, due: 40, at: 5000, frameDuration: .milliseconds(40))
        log.recordShown(presentationTime: .zero, due: nil, frameDuration: .milliseconds(40), at: at(6000))
        show(log, due: 6010, at: 7000, frameDuration: .milliseconds(40))
        #expect(log.repeatedCount == 0)
        #expect(log.rows.map(\.due) == [at(0), at(40), nil, at(6010)])
        #expect(log.rows.map(\.visible) == [at(1), at(5000), at(6000), at(7000)])
        #expect(log.firstFrame == at(1))
    }

    @Test("Frames are logged only on request")
    func rows() {
        let log = FrameLog()
        show(log, due: 0, at: 1, frameDuration: .milliseconds(40))
        #expect(log.rows.isEmpty)
        #expect(log.shownCount == 1)
    }

    @Test("Audio ahead and behind of the video counts by its distance")
    func audioOffset() throws {
        let log = FrameLog()
        log.recordAudioOffset(.milliseconds(-12))
        log.recordAudioOffset(.milliseconds(12))
        let times = try #require(log.audioOffsets.summary)
        #expect(abs(times.p50 - 12) < 0.1)
        #expect(abs(times.max - 12) < 0.1)
    }
}
