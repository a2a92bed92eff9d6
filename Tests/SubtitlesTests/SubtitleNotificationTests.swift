import GlissadePlatform
import GlissadeTestSupport
import Testing

@testable import GlissadeSubtitles

@MainActor @Suite("Subtitle notifications", .serialized) struct SubtitleNotificationTests {
    @Test("The frame loop is woken when embedded subtitles are selected and when they are removed")
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

    @Test("An unreadable subtitle file is reported to its caller, and the former subtitles stay")
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
