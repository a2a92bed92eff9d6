import Platform
import TestSupport
import Testing

@testable import Subtitles

@MainActor @Suite("Telling of subtitles", .serialized) struct SubtitleNotificationTests {
    @Test("The frame loop is woken when subtitles of the media are chosen, and when they are taken away")
    func wakes() throws {
        let count = Monitor(0)
        let subtitles = Subtitles(wake: { count.update { $0 += 1 } })
        _ = try SubtitleFeed(try Clips.tracks(), to: subtitles)
        #expect(count.withLock { $0 } == 1 && subtitles.isActive)
        subtitles.select(nil, of: nil)
        #expect(count.withLock { $0 } == 2 && !subtitles.isActive)
        subtitles.select(nil, of: nil)
        #expect(count.withLock { $0 } == 2)
    }

    @Test("A file that cannot be read is told of where it was asked for, and what was shown before stays")
    func failure() throws {
        let harness = SubtitleHarness()
        let feed = try SubtitleFeed(try Clips.tracks(), to: harness.subtitles)
        feed.feed(harness.subtitles)
        #expect(harness.current(1.5) == "one 1" && harness.place(at: 1.5) != nil)
        guard case .failed = harness.open("\(Clips.folder.path)/nowhere.srt") else {
            Issue.record("it did not fail")
            return
        }
        #expect(harness.current(1.5) == "one 1" && harness.place(at: 2.5) != nil)
        #expect(harness.problems.isEmpty)
    }
}
