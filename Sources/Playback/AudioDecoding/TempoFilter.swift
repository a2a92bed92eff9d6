import GlissadeAudio
import Glibc

/// Changes the tempo of audio without changing its pitch or letting it drift in time. A frame here is one sample of
/// each channel.
///
/// Uses WSOLA (W. Verhelst, M. Roelands: "An overlap-add technique based on waveform similarity (WSOLA) for high
/// quality time-scale modification of speech", ICASSP 1993). The output is the sum of windows of the input that overlap
/// by half. Each window is taken near its nominal position, at the offset at which it best continues the previous
/// window.
///
/// Output frame n nominally has the media time of input frame n · `speed`. A window's center deviates from that by at
/// most `tolerance`. FFmpeg's `atempo` deviates by up to 21 ms, and by up to 42 ms at half speed.
///
/// Confined to the audio decoder's thread.
struct TempoFilter {
    /// The hop: the time between window centers in the output, in seconds. A shorter hop makes the bass rougher.
    static let hopTime = 0.016
    /// The largest offset of a window from its nominal position, in seconds, to either side. The whole range of 15 ms
    /// is one period at 67 Hz, which is enough for low voices.
    static let tolerance = 0.0075
    /// The advantage in similarity that a window at the largest offset needs over one at its nominal position. In a
    /// steady tone, many windows are alike, and the nearest one should be chosen.
    private static let distancePenalty: Float = 0.1
    /// The mean power (−100 dB) below which audio hardly affects the comparison.
    private static let silence: Float = 1e-10

    private let channels: Int
    private let speed: Double
    /// The distance between window centers, in output frames; a multiple of `grain`.
    private let hop: Int
    /// The largest offset of a window from its nominal position, in frames; a multiple of `grain`.
    private let reach: Int
    /// The number of frames averaged into one value for the coarse search, which compares windows at about 6 kHz.
    private let grain: Int
    /// The weight of the later of two overlapping windows, for each frame between their centers.
    private let rise: [Float]

    /// The input samples that are still needed, starting at input frame `base`.
    private var input: [Float] = []
    private var base = 0
    /// The number of windows placed after the first.
    private var count = 0
    /// The center of the last window, in input frames.
    private var middle = 0
    private var output: [Float] = []
    // The two signals that a search compares, with all channels mixed: the natural continuation, and the candidates.
    private var wanted: [Float] = []
    private var offered: [Float] = []

    /// Creates a filter that speeds audio up by the factor `speed`, which must be positive.
    init(format: AudioFormat, speed: Double) {
        channels = format.channelCount
        self.speed = speed
        grain = max(1, format.sampleRate / 6_000)
        let rate = Double(format.sampleRate) / Double(grain)
        let (hop, reach) = (max(1, Int(rate * Self.hopTime)) * grain, Int(rate * Self.tolerance) * grain)
        (self.hop, self.reach) = (hop, reach)
        rise = (0..<hop).map { index -> Float in
            let angle = Double.pi * (Double(index) + 0.5) / Double(hop)
            return Float(0.5 - 0.5 * cos(angle))
        }
    }

    private var end: Int { base + input.count / channels }

    /// Takes interleaved samples, and returns the new output that can be computed from the input so far.
    mutating func process(_ samples: ArraySlice<Float>) -> ArraySlice<Float> {
        output.removeAll(keepingCapacity: true)
        input.append(contentsOf: samples)
        while addWindow() {}
        forget()
        return output[...]
    }

    /// Returns the output that is still missing at the end of the audio. Must be the last call.
    mutating func drain() -> ArraySlice<Float> {
        output.removeAll(keepingCapacity: true)
        let length = Int((Double(end) / speed).rounded()) - count * hop
        guard length > 0 else { return [] }
        input.append(contentsOf: repeatElement(0, count: (Int(Double(hop) * speed) + 2 * (hop + reach)) * channels))
        while output.count < length * channels, addWindow() {}
        return output.prefix(length * channels)
    }

    /// Places another window, and outputs the audio from the previous window's center to the new window's center.
    /// Returns false if there is not enough input.
    private mutating func addWindow() -> Bool {
        let place = Int((Double(count + 1) * Double(hop) * speed).rounded())
        guard max(place + reach, middle + hop) <= end else { return false }
        let next = place + bestOffset(from: middle, at: place)
        Self.blend(
            input, from: (middle - base) * channels, to: (next - hop - base) * channels, channels: channels, rise: rise,
            into: &output)
        middle = next
        count += 1
        return true
    }

    /// Appends to `output` a crossfade, `rise.count` frames long, from the samples of `input` at index `old` to those
    /// at index `new`.
    private static func blend(
        _ input: [Float], from old: Int, to new: Int, channels: Int, rise: [Float], into output: inout [Float]
    ) {
        input.withUnsafeBufferPointer { input in
            for (frame, fraction) in rise.enumerated() {
                for index in frame * channels..<(frame + 1) * channels {
                    let fading = input[old + index]
                    // Before the start there is silence.
                    let rising = new + index >= 0 ? input[new + index] : 0
                    output.append(fading + fraction * (rising - fading))
                }
            }
        }
    }

    /// Returns the offset from `place`, in frames, at which a window best continues the audio around `middle`. The
    /// offset is at most `reach` to either side.
    private mutating func bestOffset(from middle: Int, at place: Int) -> Int {
        let coarse = search(from: middle, at: place, offsets: -reach...reach, around: 0, grain: grain)
        guard grain > 1 else { return coarse }
        let near = max(-reach, coarse - grain + 1)...min(reach, coarse + grain - 1)
        return search(from: middle, at: place, offsets: near, around: coarse, grain: 1)
    }

    /// Returns the offset from `place`, one of `offsets`, at which a window is most similar to the audio around
    /// `middle`. Returns `center` if the samples cannot be compared. Tries every `grain`th offset, and compares
    /// averages over `grain` frames.
    private mutating func search(
        from middle: Int, at place: Int, offsets: ClosedRange<Int>, around center: Int, grain: Int
    ) -> Int {
        let (length, steps) = (hop / grain, (offsets.upperBound - offsets.lowerBound) / grain)
        // The position of the first window tried, in input frames.
        let first = place + offsets.lowerBound
        Self.mix(input, from: middle - base, count: length, grain: grain, channels: channels, into: &wanted)
        Self.mix(
            input, from: first - hop - base, count: length + steps, grain: grain, channels: channels, into: &offered)
        var best = (likeness: -Float.infinity, step: (center - offsets.lowerBound) / grain)
        wanted.withUnsafeBufferPointer { wanted in
            offered.withUnsafeBufferPointer { offered in
                let loudness = Self.product(wanted, wanted, at: 0)
                let floor = Self.silence * Float(length)
                // The energy of the compared part, updated as samples enter and leave it.
                var energy = Double(Self.product(UnsafeBufferPointer(rebasing: offered[..<length]), offered, at: 0))
                for step in 0...steps {
                    let offset = Float(first + step * grain - place) / Float(max(1, self.reach))
                    let likeness =
                        Self.product(wanted, offered, at: step)
                        / ((loudness + floor) * (Float(max(0, energy)) + floor)).squareRoot()
                        - Self.distancePenalty * offset * offset
                    if step < steps {
                        let (out, new) = (Double(offered[step]), Double(offered[step + length]))
                        energy += new * new - out * out
                    }
                    if likeness > best.likeness { best = (likeness, step) }
                }
            }
        }
        return offsets.lowerBound + best.step * grain
    }

    /// Returns the dot product of `a` and the part of `b` that starts at `start` and is as long as `a`.
    private static func product(_ a: UnsafeBufferPointer<Float>, _ b: UnsafeBufferPointer<Float>, at start: Int)
        -> Float
    {
        guard var left = a.baseAddress, var right = b.baseAddress.map({ $0 + start }) else { return 0 }
        // Four sums at once, because the compiler may not reorder the additions of a single sum.
        var (first, second, third, fourth): (Float, Float, Float, Float) = (0, 0, 0, 0)
        let end = left + a.count
        while left + 4 <= end {
            first += left[0] * right[0]
            second += left[1] * right[1]
            third += left[2] * right[2]
            fourth += left[3] * right[3]
            left += 4
            right += 4
        }
        while left < end {
            first += left[0] * right[0]
            left += 1
            right += 1
        }
        return first + second + third + fourth
    }

    /// Mixes the channels of `input`, and fills `target` with `count` averages over `grain` frames each. Starts at
    /// frame `first`.
    private static func mix(
        _ input: [Float], from first: Int, count: Int, grain: Int, channels: Int, into target: inout [Float]
    ) {
        target.removeAll(keepingCapacity: true)
        let frames = input.count / channels
        input.withUnsafeBufferPointer { input in
            for number in 0..<count {
                var sum: Float = 0
                let begin = min(max(0, first + number * grain), frames)
                for frame in begin..<min(max(begin, first + (number + 1) * grain), frames) {
                    let place = frame * channels
                    // The first channel weighs most, so that channels in opposite phase do not cancel out.
                    sum += input[place]
                    for channel in 1..<max(1, channels) { sum += input[place + channel] * 0.6 }
                }
                target.append(sum / Float(grain))
            }
        }
    }

    /// Drops input that no later window will use.
    private mutating func forget() {
        let place = Int((Double(count + 1) * Double(hop) * speed).rounded())
        let first = min(middle, place - reach - hop)
        // Drops only large pieces, since the rest has to be moved.
        guard first - base > 4 * hop else { return }
        let gone = min(first - base, input.count / channels)
        input.removeFirst(gone * channels)
        base += gone
    }
}
