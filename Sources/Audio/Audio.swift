public import Host
public import Motion
public struct AudioFormat: Hashable, Sendable { public var sampleRate: Int; public var channelCount: Int }
public struct AudioPosition: Sendable { public var mediaTime: MediaTime; public var generation: Int; public var isServerLed: Bool }
public final class AudioOutput: Sendable {
    public enum Backend: Sendable { case pulse, silent }
    public enum WriteResult: Sendable { case accepted, formatChanged, flushed, stopped }
    public init(backend: Backend, applicationName: String, streamName: String) {}
    public var format: AudioFormat { AudioFormat(sampleRate: 48000, channelCount: 2) }
    public func write(_ s: UnsafeBufferPointer<Float>, startingAt: MediaTime, speed: Double, generation: Int) -> WriteResult { .accepted }
    public func flush(generation: Int) {}
    public func finish(generation: Int) {}
    public func start(from: MediaTime, generation: Int) {}
    public func pause() {}
    public func resume() {}
    public var volume: Double { get { 1 } set {} }
    public var isMuted: Bool { get { false } set {} }
    public func position(at: HostTime) -> AudioPosition? { nil }
    public func stop() {}
}
