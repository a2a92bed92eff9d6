import Glibc
import GlissadePlatform
import Testing
import GlissadeTestSupport
import GlissadeTime

/// What a sound server really plays while speed and track change.
@MainActor @Suite("Changes to playing audio", .serialized, .timeLimit(.minutes(10))) struct AudioChangeTests {
    /// A player whose audio goes to the test's own server, and a recorder of what that plays.
    private func listen(to path: String) throws -> (PlaybackHarness, MonitorRecorder, SoundServer) {
        let server = try SoundServer(rewinds: false)
        setenv("PULSE_SERVER", server.address, 1)
        defer { unsetenv("PULSE_SERVER") }
        let recorder = MonitorRecorder(server: server.address)
        let harness = PlaybackHarness(path, audio: .server)
        #expect(harness.run { harness.player.isRunning })
        // The server is sought in the background, by its address of this moment.
        #expect(harness.run { harness.player.audioOffset(of: .zero, at: .now()) != nil })
        return (harness, recorder, server)
    }

    /// Plays on, and gives the recording of so much media time.
    private func record(_ harness: PlaybackHarness, _ recorder: MonitorRecorder, seconds: Double) -> ArraySlice<Float> {
        let first = recorder.recording.frameCount
        let wanted = first + Int(seconds * 48_000)
        #expect(harness.run { recorder.recording.frameCount >= wanted })
        let recording = recorder.recording
        return (first..<recording.frameCount).map { recording[$0, 0] }[...]
    }

    /// By the rising zero crossings of what is not silent.
    private func frequency(_ samples: ArraySlice<Float>) -> Double {
        var crossings: [Int] = []
        for index in samples.indices.dropFirst() where samples[index - 1] < 0 && samples[index] >= 0 {
            crossings.append(index)
        }
        // The median of the periods, over ten each: a seam in between does not count.
        let periods = zip(crossings, crossings.dropFirst(10)).map { Double($1 - $0) / 10 }.sorted()
        return periods.isEmpty ? 0 : 48_000 / periods[periods.count / 2]
    }

    private func longestSilence(_ samples: ArraySlice<Float>) -> Int {
        var (longest, length) = (0, 0)
        for sample in samples {
            length = abs(sample) < 1e-4 ? length + 1 : 0
            longest = max(longest, length)
        }
        return longest
    }

    @Test("At half and double speed the pitch stays within one percent, and no audio is missing")
    func pitch() throws {
        let path = try Clips.file(
            "long-tone.mkv",
            ffmpeg: NumberedFrames.source(seconds: 40) + NumberedFrames.tone + NumberedFrames.h264 + [
                "-c:a", "flac", "-t", "40",
            ])
        let (harness, recorder, server) = try listen(to: path)
        for speed in [2, 0.5, 1.5, 1] {
            // A busy machine may interrupt the server, though not each time.
            let isWhole = (1...4).contains { _ in
                harness.player.setSpeed(speed * 1.1, now: harness.now)
                harness.player.setSpeed(speed, now: harness.now)
                #expect(harness.run { harness.player.clock.speed == speed })
                let heard = record(harness, recorder, seconds: 1)
                #expect(abs(frequency(heard) - 440) < 4.4, "at \(speed)")
                return longestSilence(heard) < 14_400
            }
            #expect(isWhole, "at \(speed)")
        }
        #expect(harness.player.generation == 0 && harness.problems.isEmpty)
        withExtendedLifetime(server) {}
    }

    @Test("Another audio track replaces the first without an audible gap")
    func tracks() throws {
        let path = try Clips.file(
            "long-tracks.mkv",
            ffmpeg: NumberedFrames.source(seconds: 20) + NumberedFrames.tone
                + ["-f", "lavfi", "-i", "sine=frequency=880:sample_rate=48000", "-map", "0", "-map", "1", "-map", "2"]
                + NumberedFrames.h264 + ["-c:a", "aac", "-t", "20"])
        let (harness, recorder, server) = try listen(to: path)
        _ = record(harness, recorder, seconds: 0.5)
        for (track, pitch) in [(2, 880.0), (1, 440)] {
            harness.player.selectAudioTrack(track, now: harness.now)
            let change = record(harness, recorder, seconds: 1)
            #expect(longestSilence(change) < 14_400)
            #expect(abs(frequency(record(harness, recorder, seconds: 0.5)) - pitch) < pitch / 100)
        }
        harness.player.selectAudioTrack(nil, now: harness.now)
        _ = record(harness, recorder, seconds: 1)
        #expect(longestSilence(record(harness, recorder, seconds: 0.3)) >= 14_400)
        harness.player.selectAudioTrack(2, now: harness.now)
        _ = record(harness, recorder, seconds: 1)
        #expect(abs(frequency(record(harness, recorder, seconds: 0.5)) - 880) < 8.8)
        #expect(harness.numbers == harness.numbers.sorted() && harness.player.generation == 0)
        withExtendedLifetime(server) {}
    }
}
