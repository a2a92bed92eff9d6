import Foundation
import GlissadeTestSupport
import GlissadeTime
import Testing

@testable import GlissadeMedia
@testable import GlissadePlayback

/// Films whose edit lists show parts of the media in another order.
@MainActor @Suite("Edit lists", .serialized) struct EditedFilmTests {
    /// A film of 200 frames with a single keyframe, so that every edit begins with frames that are only decoded. Its first
    /// frame has the media time 0.08 s.
    private func film(_ name: String, _ edits: [EditedMP4.Edit]) throws -> String {
        let source = try Clips.file(
            "unedited.mp4",
            ffmpeg: NumberedFrames.source(seconds: 8) + [
                "-c:v", "libx264", "-preset", "veryfast", "-g", "200", "-keyint_min", "200", "-sc_threshold", "0",
                "-bf", "2", "-b_strategy", "0",
            ])
        return try Clips.file(
            "edited-" + name + ".mp4", data: Data(EditedMP4.edited([UInt8](Clips.bytes(source)), edits)))
    }

    private struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var edits: [EditedMP4.Edit]
        var frames: [Int]
        var start = 0.0
        var testDescription: String { name }
    }

    private nonisolated static let cases = [
        Case(
            name: "three-parts", edits: [.init(1, from: 0.08), .init(1, from: 2.08), .init(1, from: 4.08)],
            frames: Array(0..<25) + Array(50..<75) + Array(100..<125)),
        Case(
            name: "backwards", edits: [.init(1, from: 5.08), .init(1, from: 1.08)],
            frames: Array(125..<150) + Array(25..<50)),
        Case(
            name: "repeated", edits: [.init(1, from: 3.08), .init(1, from: 3.08), .init(1, from: 3.08)],
            frames: Array(75..<100) + Array(75..<100) + Array(75..<100)),
        Case(
            name: "overlapping", edits: [.init(1, from: 2.08), .init(1, from: 2.48)],
            frames: Array(50..<75) + Array(60..<85)),
        Case(
            name: "empty", edits: [.init(2, from: nil), .init(1, from: 4.08)], frames: Array(100..<125), start: 2),
    ]

    @Test("Each edit shows its frames at its time, and the film lasts as long as all of them", arguments: cases)
    private func plays(_ edited: Case) throws {
        // Untimed: on a busy machine, the frames that are only decoded may take longer than those before them last.
        var options = PlayerOptions()
        options.isUntimed = true
        let harness = PlaybackHarness(try film(edited.name, edited.edits), options: options)
        #expect(harness.runToEnd())
        #expect(harness.player.state == .ended)
        #expect(harness.numbers == edited.frames)
        let length = edited.edits.map(\.length).reduce(0, +)
        let first = MediaTime.zero + .seconds(edited.start)
        for (index, frame) in harness.shown.enumerated() {
            // FFmpeg places the frames of later edits up to two frames later.
            #expect(abs((frame.time - first - .milliseconds(40 * index)).inSeconds) < 0.09)
        }
        let duration = try #require(harness.player.info?.duration)
        let start = try #require(harness.player.info?.startTime)
        #expect(abs((start + duration - .zero).inSeconds - length) < 0.09)
        #expect(harness.problems.isEmpty && harness.player.counts.dropped == 0)
    }

    @Test("A seek into a later edit shows its frame")
    func seeks() throws {
        let edited = Self.cases[0]
        let harness = PlaybackHarness(try film(edited.name, edited.edits), options: .paused)
        harness.nextFrame()
        for (milliseconds, number) in [(2_310, 105), (1_210, 52), (210, 5), (1_810, 67)] {
            let shown = try #require(harness.seek(to: .milliseconds(milliseconds)))
            #expect(abs(shown.number - number) <= 2, "at \(milliseconds) ms")
        }
        #expect(harness.problems.isEmpty)
    }
}
