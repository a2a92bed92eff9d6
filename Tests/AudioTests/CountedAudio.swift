import GlissadeAudio
import GlissadePlatform
import Synchronization
import GlissadeTestSupport
import GlissadeTime

/// Sound that tells, in every frame, which frame it is: the left channel counts, the right one counts the left's rounds.
/// All values are exact in a `Float` and far from silence.
enum CountedAudio {
    static let round = 8192

    static func chunk(from first: Int, frames: Int, channels: Int) -> [Float] {
        var samples = [Float](repeating: 0, count: frames * channels)
        for frame in 0..<frames {
            samples[frame * channels] = Float((first + frame) % round + 1) / 16384
            if channels > 1 { samples[frame * channels + 1] = Float((first + frame) / round + 1) / 16384 }
        }
        return samples
    }

    /// The number of a recorded frame; nil for silence.
    static func number(_ recording: Recording, _ frame: Int) -> Int? {
        let low = Int((recording[frame, 0] * 16384).rounded())
        let high = Int((recording[frame, 1] * 16384).rounded())
        return low > 0 && high > 0 ? (high - 1) * round + low - 1 : nil
    }

    /// The numbers of all frames that are not silence, in the order heard.
    static func numbers(_ recording: Recording) -> [Int] {
        (0..<recording.frameCount).compactMap { number(recording, $0) }
    }

    /// The number of the last frame that is not silence.
    static func heardAtEnd(_ recording: Recording) -> Int? {
        (0..<recording.frameCount).last { number(recording, $0) != nil }.flatMap { number(recording, $0) }
    }

    /// How many frames of silence the recording ends with.
    static func silenceAtEnd(_ recording: Recording) -> Int {
        let last = (0..<recording.frameCount).last { number(recording, $0) != nil }
        return recording.frameCount - 1 - (last ?? -1)
    }

    /// Where the numbers do not go up by one.
    static func breaks(_ numbers: [Int]) -> [(Int, Int)] {
        zip(numbers, numbers.dropFirst()).filter { $1 != $0 + 1 }.map { ($0, $1) }
    }
}

/// A decoder thread: writes counted sound whose frame n belongs at n / rate of the media, as fast as it is taken, until
/// the end, a flush or a stop of the output.
final class Feeder: Sendable, CustomReflectable {
    /// What a failing expectation looks at: the lock within would end the program.
    var customMirror: Mirror { Mirror(self, children: []) }

    /// What the thread and the test share.
    private final class Shared: Sendable {
        let formatChanges = Atomic(0)
        let isHalted = Atomic(false)
        /// How far the media has been taken, in seconds.
        let taken = Monitor(0.0)
    }

    private let shared = Shared()
    private let thread: NamedThread

    /// How often the output wanted another format.
    var formatChanges: Int { shared.formatChanges.load(ordering: .relaxed) }

    /// - Parameters:
    ///   - end: where the media ends: then `finish`.
    ///   - skip: media that is missing.
    init(
        _ output: AudioOutput, generation: Int, from start: Double = 0, to end: Double = 60,
        skip: Range<Double> = 0..<0
    ) {
        thread = try! NamedThread(name: "feeder") { [shared] in
            var format = output.format
            var seconds = start
            while seconds < end, !shared.isHalted.load(ordering: .relaxed) {
                if skip.contains(seconds) { seconds = skip.upperBound }
                let first = Int((seconds * Double(format.sampleRate)).rounded())
                let chunk = CountedAudio.chunk(from: first, frames: 1024, channels: format.channelCount)
                let result = chunk.withUnsafeBufferPointer {
                    output.write(
                        $0, as: format, startingAt: MediaTime(seconds: seconds), speed: 1, generation: generation)
                }
                switch result {
                case .accepted:
                    seconds = Double(first + 1024) / Double(format.sampleRate)
                    shared.taken.update { $0 = seconds }
                case .formatChanged:
                    format = output.format
                    shared.formatChanges.add(1, ordering: .relaxed)
                case .flushed, .stopped: return
                }
            }
            if seconds >= end { output.finish(generation: generation) }
        }
    }

    /// Sleeps until the media up to `seconds` has been taken.
    func hasWritten(to seconds: Double, atMost bound: Duration = .seconds(10)) -> Bool {
        shared.taken.wait(until: .now() + bound) { $0 >= seconds ? true : nil } ?? false
    }

    /// Writes no more, as a decoder does that has got stuck.
    func halt() { shared.isHalted.store(true, ordering: .relaxed) }

    /// Waits for the thread; the output must have been stopped or flushed, or the end reached.
    func join() { thread.join() }
}

/// A decoder thread of one steady value, 0.5, to measure loudness by.
final class ToneFeeder: Sendable {
    private let thread: NamedThread

    init(_ output: AudioOutput) {
        thread = try! NamedThread(name: "feeder") {
            let format = output.format
            let chunk = [Float](repeating: 0.5, count: 1024 * format.channelCount)
            var frame = 0
            var result = AudioWriteResult.accepted
            while result == .accepted {
                let media = MediaTime(seconds: Double(frame) / Double(format.sampleRate))
                result = chunk.withUnsafeBufferPointer {
                    output.write($0, as: format, startingAt: media, speed: 1, generation: 0)
                }
                frame += 1024
            }
        }
    }

    /// Waits for the thread; the output must have been stopped.
    func join() { thread.join() }
}
