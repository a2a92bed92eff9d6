/// What the output takes: interleaved 32-bit floats, channels in WAVE's order (front left, front right, centre, …).
public struct AudioFormat: Hashable, Sendable {
    /// Frames a second; a frame is one sample of each channel.
    public var sampleRate: Int
    public var channelCount: Int

    public init(sampleRate: Int, channelCount: Int) {
        self.sampleRate = sampleRate
        self.channelCount = channelCount
    }

    /// Assumed as long as no device says otherwise.
    public static let standard = AudioFormat(sampleRate: 48000, channelCount: 2)

    func frames(in nanoseconds: Int64) -> Int { Int(Double(nanoseconds) / 1e9 * Double(sampleRate)) }
    func nanoseconds(of frames: Int) -> Int64 { Int64((Double(frames) / Double(sampleRate) * 1e9).rounded()) }
}
