import GlissadeHistory
import Testing
import GlissadeTime

/// Where a film goes on.
@Suite("Resume policy")
struct ResumePolicyTests {
    @Test(
        "The last 5 % of a video, at most 30 s, count as its end",
        arguments: [
            (7200.0, 7169.9, false), (7200, 7170, true), (7200, 7200, true), (7200, 9000, true), (600, 569.9, false),
            (600, 570, true), (100, 94.9, false), (100, 95, true), (10, 9.4, false), (10, 9.5, true), (0, 0, false),
            (-5, 3, false),
        ])
    func end(duration: Double, position: Double, isFinished: Bool) {
        #expect(
            ResumePolicy.isFinished(at: MediaTime(seconds: position), of: .seconds(duration)) == isFinished)
        #expect(!ResumePolicy.isFinished(at: MediaTime(seconds: position), of: nil))
    }

    @Test(
        "A video left in its first 5 s or at its end starts at the beginning",
        arguments: [(0.0, false), (4.999, false), (5, true), (60, true), (94.9, true), (95, false), (-1, false)])
    func resume(position: Double, resumes: Bool) {
        let media = MediaIdentity(address: "https://example.org/a")
        let time = MediaTime(seconds: position)
        let entry = HistoryEntry(media: media, title: "", position: time, duration: .seconds(100))
        #expect(entry.resumePosition == (resumes ? time : nil))
        // One that was played to its end without a known length.
        let finished = HistoryEntry(media: media, title: "", position: time, isFinished: true)
        #expect(finished.resumePosition == nil)
    }
}
