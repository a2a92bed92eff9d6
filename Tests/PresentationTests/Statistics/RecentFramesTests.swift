import Testing
import GlissadeTime

@testable import GlissadePresentation

/// The last frames, for one who looks on.
@Suite("Recent frames")
struct RecentFramesTests {
    private func at(_ milliseconds: Int) -> HostTime { HostTime(nanoseconds: Int64(milliseconds) * 1_000_000) }

    @Test("Frames are recorded only while requested")
    func onlyWhileAsked() {
        let log = FrameLog()
        log.recordPresent(draw: .zero, swap: .zero, at: at(0))
        #expect(log.recent == nil && !log.keepsRecent)
        log.keepsRecent = true
        log.recordPresent(draw: .zero, swap: .zero, at: at(20))
        #expect(log.recent?.count == 1)
        log.keepsRecent = true
        #expect(log.recent?.count == 1)
        log.keepsRecent = false
        #expect(log.recent == nil)
    }

    @Test("Each frame has its interval and cost, and none has an interval across a pause")
    func frames() {
        let log = FrameLog()
        log.keepsRecent = true
        log.recordUpload(.milliseconds(1))
        log.recordUpload(.milliseconds(2))
        log.recordPresent(draw: .milliseconds(3), swap: .milliseconds(4), at: at(0))
        log.recordPresent(draw: .milliseconds(5), swap: .milliseconds(6), at: at(20))
        log.interrupt()
        log.recordPresent(draw: .milliseconds(7), swap: .milliseconds(8), at: at(900))
        let frames = (0..<4).map { log.recent?[back: $0] }
        #expect(frames.map { $0?.interval } == [nil, .milliseconds(20), nil, nil])
        #expect(frames.map { $0?.upload } == [nil, nil, .milliseconds(3), nil])
        #expect(frames.map { $0?.draw } == [.milliseconds(7), .milliseconds(5), .milliseconds(3), nil])
        #expect(frames.map { $0?.visible } == [at(900), at(20), at(0), nil])
        #expect(log.recent?[back: -1] == nil && log.recent?[back: .max] == nil)
    }

    @Test("If there are too many frames the newest are kept")
    func full() {
        let log = FrameLog()
        log.keepsRecent = true
        for frame in 0..<1000 { log.recordPresent(draw: .milliseconds(frame), swap: .zero, at: at(frame)) }
        #expect(log.recent?.count == RecentFrames.capacity)
        for back in 0..<RecentFrames.capacity { #expect(log.recent?[back: back]?.visible == at(999 - back)) }
        #expect(log.recent?[back: RecentFrames.capacity] == nil)
    }

    @Test("Median and maximum are those since a given time")
    func times() {
        let log = FrameLog()
        log.keepsRecent = true
        for (index, draw) in [90, 5, 1, 9, 2, 3].enumerated() {
            log.recordPresent(draw: .milliseconds(draw), swap: .zero, at: at(index * 10))
        }
        #expect(
            log.recent?.times(since: at(10)) { $0.draw }
                == RecentFrames.Times(median: .milliseconds(3), longest: .milliseconds(9)))
        #expect(log.recent?.times(since: at(10)) { $0.upload } == nil)
        #expect(log.recent?.times(since: at(1000)) { $0.draw } == nil)
    }
}
