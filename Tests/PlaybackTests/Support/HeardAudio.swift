import Foundation
import GlissadePlatform
import GlissadeTime
import Synchronization

@testable import GlissadeAudio
@testable import GlissadeMedia
@testable import GlissadePlayback

/// What is heard of a file's audio, from its first sample to its last: read, decoded and queued as for a sound server, but
/// as fast as it can be decoded.
struct HeardAudio {
    /// The left channel, at 48 kHz.
    private(set) var samples: [Float]
    /// The media time of the first sample.
    private(set) var start: MediaTime?
    private(set) var problems: [PlaybackProblem]
    /// The length that the player shows at the end, as far as it was read.
    private(set) var readLength: Duration

    static let rate = 48_000.0
    var seconds: Double { Double(samples.count) / Self.rate }

    /// Takes the place of the audio output.
    private final class Sink: AudioSink {
        private struct State: ~Copyable {
            var queue = SampleQueue(format: .standard, capacity: .seconds(4))
            var samples: [Float] = []
            var start: MediaTime?
            var hasFinished = false
            var generation = 0
        }

        private let state = Monitor(State())
        let format = AudioFormat.standard

        func waitUntilReady(until deadline: HostTime) {}

        func write(
            _ samples: UnsafeBufferPointer<Float>, as format: AudioFormat, startingAt media: MediaTime, speed: Double,
            generation: Int
        ) -> AudioWriteResult {
            state.update { state in
                guard generation == state.generation else { return }
                if state.start == nil { state.start = media }
                var (rest, media) = (samples, media)
                while !rest.isEmpty {
                    let done = state.queue.push(rest, startingAt: media, speed: speed)
                    media = media + format.duration(ofFrames: Double(done) * speed)
                    rest = UnsafeBufferPointer(rebasing: rest[(done * 2)...])
                    var pulled = [Float](repeating: 0, count: 2 * (state.queue.writeIndex - state.queue.readIndex))
                    let count = pulled.count / 2
                    pulled.withUnsafeMutableBufferPointer { buffer in
                        if let target = buffer.baseAddress { _ = state.queue.pull(count, into: target) }
                    }
                    state.samples += stride(from: 0, to: pulled.count, by: 2).map { pulled[$0] }
                }
            }
            return .accepted
        }

        func finish(generation: Int) {
            state.update { if $0.generation == generation { $0.hasFinished = true } }
        }

        func begin(_ generation: Int) {
            state.update { state in
                (state.samples, state.start, state.hasFinished) = ([], nil, false)
                state.queue = SampleQueue(format: .standard, capacity: .seconds(4))
                state.generation = generation
            }
        }

        /// Waits for the end, or until there are `enough` samples.
        func wait(for enough: Int) -> (samples: [Float], start: MediaTime?)? {
            state.wait(until: .now() + .seconds(60)) {
                $0.hasFinished || $0.samples.count >= enough ? ($0.samples, $0.start) : nil
            }
        }
    }

    struct Failure: Error { var reason: String }

    /// Plays the default audio track of `path` at `speed`.
    ///
    /// - Parameters:
    ///   - place: Where to begin, from the start of the media.
    ///   - isAgain: Whether the media has been played to its end before.
    ///   - beforeSeek: Called before playback goes on at `place`.
    ///   - length: How much of a loop to hear; nil to play once.
    init(
        _ path: String, speed: Double = 1, from place: Duration? = nil, again isAgain: Bool = false,
        beforeSeek: () throws -> Void = {}, looping length: Duration? = nil
    ) throws {
        silenceFFmpeg()
        let (sink, packets) = (Sink(), PacketBuffer())
        packets.isLooping = length != nil
        let began = Monitor<MediaTime?>(nil)
        let problems = Monitor<[PlaybackProblem]>([])
        let report: @Sendable (PlaybackProblem) -> Void = { problem in problems.withLock { $0.append(problem) } }
        let demuxer = Demuxer(
            location: path, packets: packets, subtitles: SubtitleSelection(track: nil), report: report)
        let decoder = AudioDecoder(packets: packets, output: sink, report: report, wake: {})
        decoder.setSpeed(speed)
        let decoding = Monitor<NamedThread?>(nil)
        let reading = try NamedThread(name: "demuxer") {
            demuxer.run(wantsAudio: true, audioTrack: nil) { outcome, _, streams in
                if case .opened(let info) = outcome { began.update { $0 = info.startTime } }
                guard let first = streams.first,
                    let thread = try? NamedThread(
                        name: "audio",
                        {
                            let context = try? first.configuration.openDecoder(threads: 1)
                            decoder.run(context, track: first.track, streams: streams)
                        })
                else {
                    sink.finish(generation: 0)
                    return (false, false)
                }
                decoding.withLock { $0 = thread }
                packets.activate(.audio, track: first.track)
                // Without a decoder, no audio ends.
                if (try? first.configuration.openDecoder(threads: 1)) == nil { sink.finish(generation: 0) }
                return (false, true)
            }
        }
        let enough = length.map { Int($0.inSeconds * Self.rate) } ?? .max
        var heard = place == nil || isAgain ? sink.wait(for: enough) : ([], nil)
        if let place, let start = began.wait(until: .now() + .seconds(60), { $0 }) {
            sink.begin(1)
            try beforeSeek()
            let target = start + place
            packets.seek(PacketBuffer.SeekOrder(generation: 1, target: target, mode: .exact))
            heard = sink.wait(for: enough)
            // As the output does, leaves out what was decoded before the target.
            if let (samples, first) = heard, let first, first < target {
                heard = (Array(samples.dropFirst(Int((target - first).inSeconds * Self.rate))), target)
            }
        }
        packets.stop()
        reading.join()
        decoding.withLock { $0 }?.join()
        guard let heard else { throw Failure(reason: "the audio does not end") }
        (samples, start) = heard
        self.problems = problems.withLock { $0 }
        readLength = demuxer.readLength.length
    }
}

// MARK: - What a tone shows

extension HeardAudio {
    /// The part from `start` to `end`, in seconds.
    func part(from start: Double, to end: Double) -> HeardAudio {
        var part = self
        let (first, last) = (Int(start * Self.rate), Int(end * Self.rate))
        part.samples = Array(samples[min(first, samples.count)..<min(last, samples.count)])
        return part
    }

    /// The frequency of a tone from `start` to `end`, in seconds.
    func frequency(from start: Double, to end: Double) -> Double {
        let part = part(from: start, to: end).samples
        return Double(zip(part, part.dropFirst()).count { $0 < 0 && $1 >= 0 }) / (end - start)
    }

    /// The longest part without sound, in seconds, between the first sound and the last.
    var longestSilence: Double {
        var (longest, length, hasBegun) = (0, 0, false)
        for sample in samples {
            if abs(sample) < 1e-4 {
                length += 1
            } else {
                if hasBegun { longest = max(longest, length) }
                (length, hasBegun) = (0, true)
            }
        }
        return Double(longest) / Self.rate
    }

    /// The largest change, in radians, of the phase of a tone of `frequency` from each 10 ms to the next, compared with
    /// a tone that goes on. The ends, where the tone is not whole, are left out.
    func largestPhaseJump(at frequency: Double) -> Double {
        let window = Int(Self.rate / 100)
        let phases = stride(from: 4 * window, to: samples.count - 5 * window, by: window).map { first in
            var (real, imaginary) = (0.0, 0.0)
            for index in first..<first + window {
                let angle = 2 * Double.pi * frequency * Double(index) / Self.rate
                real += Double(samples[index]) * cos(angle)
                imaginary -= Double(samples[index]) * sin(angle)
            }
            return atan2(imaginary, real)
        }
        return zip(phases, phases.dropFirst()).map { abs(remainder($1 - $0, 2 * .pi)) }.max() ?? .infinity
    }

    /// The largest difference of neighboring samples, in parts of the largest sample.
    var largestStep: Double {
        let peak = samples.lazy.map { abs($0) }.max() ?? 0
        return Double(zip(samples, samples.dropFirst()).lazy.map { abs($1 - $0) }.max() ?? 0) / Double(max(peak, 1e-9))
    }
}
