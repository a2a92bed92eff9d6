import GlissadePlatform
import Testing
import GlissadeTestSupport
import GlissadeTime

@testable import GlissadePlayback

@MainActor @Suite("Frames for another thread", .serialized) struct FrameFeedTests {
    /// The numbers of the frames that another thread takes by `time`, all that come.
    private func take(_ harness: PlaybackHarness, _ count: Int) -> [Int] {
        let feed = harness.player.feed
        var (numbers, taken): ([Int], Int) = ([], harness.shown.count)
        for _ in 0..<count {
            guard eventually(within: PlaybackHarness.timeout, { feed.nextDue != nil }), let due = feed.nextDue,
                let frame = feed.take(by: due)
            else { break }
            #expect(frame.number > taken)
            taken = frame.number
            numbers.append(Shown(frame).number)
            feed.didShowFrame()
        }
        return numbers
    }

    /// The number of the newest frame that is due by `time`; nil if there is none.
    private func take(_ harness: PlaybackHarness, by time: HostTime = .now() + .seconds(100)) -> Int? {
        guard let frame = harness.player.feed.take(by: time) else { return nil }
        return Shown(frame).number
    }

    @Test("What another thread takes is not taken again, and all frames are counted")
    func shared() throws {
        let harness = PlaybackHarness(try Clips.film())
        harness.run { harness.shown.count == 10 }
        #expect(take(harness, 5) == Array(10..<15))
        #expect(harness.runToEnd())
        #expect(harness.numbers == Array(0..<10) + Array(15..<100))
        #expect(harness.player.counts == .init(due: 100, dropped: 0))
    }

    @Test("Frames that are late are dropped and counted, as on the main thread")
    func lateFrames() throws {
        let harness = PlaybackHarness(try Clips.film())
        harness.run { harness.shown.count == 10 }
        #expect(eventually(within: PlaybackHarness.timeout) { harness.player.pipeline.frames.head().second != nil })
        let second = try #require(harness.player.pipeline.frames.head().second)
        let due = try #require(harness.player.feed.dueTime(of: second))
        #expect(take(harness, by: due) == 11)
        #expect(harness.runToEnd())
        #expect(harness.player.counts == .init(due: 100, dropped: 1))
    }

    @Test("While the film does not run nothing can be taken: before the start, paused, after a seek, at the end")
    func closed() throws {
        let harness = PlaybackHarness(try Clips.film())
        let feed = harness.player.feed
        #expect(feed.nextDue == nil && take(harness) == nil)
        harness.run { harness.shown.count == 10 }
        #expect(feed.isOpen)
        #expect(take(harness, 2) == [10, 11])
        harness.player.pause(now: harness.now)
        #expect(!feed.isOpen && take(harness) == nil)
        harness.player.play(now: harness.now)
        harness.nextFrame()
        #expect(take(harness, 1).count == 1)
        harness.player.seek(to: .seconds(2), mode: .exact, now: harness.now)
        #expect(!feed.isOpen && take(harness) == nil)
        // What was taken before the seek does not count as its first frame.
        #expect(harness.nextFrame()?.number == 50)
        #expect(harness.runToEnd())
        #expect(!feed.isOpen)
    }

    @Test("Frames at and beyond the end of a loop are left to the main thread")
    func loop() throws {
        let harness = PlaybackHarness(try Clips.film())
        harness.run { harness.shown.count == 2 }
        harness.player.setLoopRange(from: .zero, to: .milliseconds(400), now: harness.now)
        harness.run { harness.last?.number == 8 }
        #expect(eventually(within: PlaybackHarness.timeout) { harness.player.pipeline.frames.head().first != nil })
        #expect(take(harness) == 9)
        #expect(take(harness) == nil)
    }
}
