import Glibc
import Platform
import Testing
import TestSupport
import Time

@testable import Subtitles

/// What a sound server really plays while speed and track change.
@MainActor @Suite("Sound that changes", .serialized, .timeLimit(.minutes(10))) struct AudioChangeTests {
    /// A player whose sound goes to a server of the test's own, and an ear at that.
    private func listen(to path: String) throws -> (Viewing, MonitorRecorder, SoundServer) {
        let server = try SoundServer(rewinds: false)
        setenv("PULSE_SERVER", server.address, 1)
        defer { unsetenv("PULSE_SERVER") }
        let recorder = MonitorRecorder(server: server.address)
        let viewing = Viewing(path, audio: .server)
        #expect(viewing.run { viewing.player.isRunning })
        // The server is sought in the background, by its address of this moment.
        #expect(viewing.run { viewing.player.audioOffset(of: .zero, at: .now()) != nil })
        return (viewing, recorder, server)
    }

    /// Plays on, and gives the recording of so much media time.
    private func record(_ viewing: Viewing, _ recorder: MonitorRecorder, seconds: Double) -> ArraySlice<Float> {
        let first = recorder.recording.frameCount
        let wanted = first + Int(seconds * 48_000)
        #expect(viewing.run { recorder.recording.frameCount >= wanted })
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

    @Test("At half, and at twice, the speed the pitch is the same within a hundredth, and no sound is missing between")
    func pitch() throws {
        let path = try Clips.file(
            "long-tone.mkv",
            ffmpeg: FrameCode.source(seconds: 20) + FrameCode.tone + FrameCode.h264 + ["-c:a", "flac", "-t", "20"])
        let (viewing, recorder, server) = try listen(to: path)
        for speed in [2, 0.5, 1.5, 1] {
            viewing.player.setSpeed(speed, now: viewing.now)
            #expect(viewing.run { viewing.player.clock.speed == speed })
            let heard = record(viewing, recorder, seconds: 1)
            #expect(abs(frequency(heard) - 440) < 4.4, "at \(speed)")
            #expect(longestSilence(heard) < 14_400, "at \(speed)")
        }
        #expect(viewing.player.generation == 0 && viewing.problems.isEmpty)
        withExtendedLifetime(server) {}
    }

    @Test("Another track is heard in place of the first, with no silence between that one would call a gap")
    func tracks() throws {
        let path = try Clips.file(
            "long-tracks.mkv",
            ffmpeg: FrameCode.source(seconds: 20) + FrameCode.tone
                + ["-f", "lavfi", "-i", "sine=frequency=880:sample_rate=48000", "-map", "0", "-map", "1", "-map", "2"]
                + FrameCode.h264 + ["-c:a", "aac", "-t", "20"])
        let (viewing, recorder, server) = try listen(to: path)
        _ = record(viewing, recorder, seconds: 0.5)
        for (track, pitch) in [(2, 880.0), (1, 440)] {
            viewing.player.selectAudioTrack(track, now: viewing.now)
            let change = record(viewing, recorder, seconds: 1)
            #expect(longestSilence(change) < 14_400)
            #expect(abs(frequency(record(viewing, recorder, seconds: 0.5)) - pitch) < pitch / 100)
        }
        viewing.player.selectAudioTrack(nil, now: viewing.now)
        _ = record(viewing, recorder, seconds: 1)
        #expect(longestSilence(record(viewing, recorder, seconds: 0.3)) >= 14_400)
        viewing.player.selectAudioTrack(2, now: viewing.now)
        _ = record(viewing, recorder, seconds: 1)
        #expect(abs(frequency(record(viewing, recorder, seconds: 0.5)) - 880) < 8.8)
        #expect(viewing.numbers == viewing.numbers.sorted() && viewing.player.generation == 0)
        withExtendedLifetime(server) {}
    }
}
