import GlissadeAudio
import GlissadeTime

/// Where decoded audio goes: the audio output, or what takes its place in a test. See `AudioOutput` for the meaning of
/// each member.
///
/// Threads: `write`, `finish` and `waitUntilReady` are called on the decoder's thread.
protocol AudioSink: Sendable {
    var format: AudioFormat { get }
    func waitUntilReady(until deadline: HostTime)
    func write(
        _ samples: UnsafeBufferPointer<Float>, as format: AudioFormat, startingAt media: MediaTime, speed: Double,
        generation: Int
    ) -> AudioWriteResult
    func finish(generation: Int)
}

extension AudioOutput: AudioSink {}
