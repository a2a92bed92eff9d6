import Audio
import Glibc

/// Plays sound faster or slower with its pitch kept, and every piece of it where it belongs.
///
/// Overlap and add, with waveform similarity (W. Verhelst, M. Roelands: "An overlap-add technique based on waveform
/// similarity (WSOLA) for high quality time-scale modification of speech", ICASSP 1993): windows are laid over each other
/// by half, each taken from near the place that belongs there, where it goes on best with what is heard before it.
///
/// The frame that comes out as number n belongs at the media time of frame n · `speed` that went in, on the average and
/// without drift: a window's middle is at most `tolerance` from there, whatever the sound is. FFmpeg's `atempo` promises
/// less: its windows stray by ±21 ms, to one side or the other as the sound and the speed are (7 ms ahead for noise at
/// half the speed, 9 ms behind at 1.46, up to 30 ms ahead after silence), which at half the speed is heard doubled.
///
/// On the audio decoder's thread.
struct TempoFilter {
    /// From the middle of a window to that of the next. What lies between is heard as one window has it or the other: up
    /// to a quarter of this beside its place at half the speed. The shorter the coarser the bass is.
    static let hopTime = 0.016
    /// The period of 67 Hz has a place to begin within it: low voices go on evenly.
    static let tolerance = 0.0075
    /// So much likeness a window gives up that is as far off as may be: of a steady tone, many windows are alike.
    private static let distancePenalty: Float = 0.1
    /// What is softer than this is alike as it is: −100 dB.
    private static let silence: Float = 1e-10

    private let channels: Int
    private let speed: Double
    /// In frames; `hop` and `reach`, how far a window may be from its place, are multiples of `grain`.
    private let hop: Int
    private let reach: Int
    /// Windows are compared at some 6 kHz first.
    private let grain: Int
    /// How much of the later window is heard, from the middle of the one to that of the other.
    private let rise: [Float]

    /// What went in, from frame `base` on.
    private var input: [Float] = []
    private var base = 0
    /// How many windows have been laid, beside the first one, and where the middle of the last one is.
    private var count = 0
    private var middle = 0
    private var output: [Float] = []
    // The ends that are to be laid over each other, of all channels together: as it would go on, and what there is.
    private var wanted: [Float] = []
    private var offered: [Float] = []

    /// - Parameter speed: positive.
    init(format: AudioFormat, speed: Double) {
        channels = format.channelCount
        self.speed = speed
        grain = max(1, format.sampleRate / 6_000)
        let rate = Double(format.sampleRate) / Double(grain)
        let (hop, reach) = (max(1, Int(rate * Self.hopTime)) * grain, Int(rate * Self.tolerance) * grain)
        (self.hop, self.reach) = (hop, reach)
        rise = (0..<hop).map { Float(0.5 - 0.5 * cos(Double.pi * (Double($0) + 0.5) / Double(hop))) }
    }

    private var end: Int { base + input.count / channels }

    /// Takes samples in and answers with what came out, which is copied where it is kept.
    mutating func process(_ samples: ArraySlice<Float>) -> ArraySlice<Float> {
        output.removeAll(keepingCapacity: true)
        input.append(contentsOf: samples)
        while addWindow() {}
        forget()
        return output[...]
    }

    /// What is left at the end.
    mutating func drain() -> ArraySlice<Float> {
        output.removeAll(keepingCapacity: true)
        let length = Int((Double(end) / speed).rounded()) - count * hop
        guard length > 0 else { return [] }
        input.append(contentsOf: repeatElement(0, count: (Int(Double(hop) * speed) + 2 * (hop + reach)) * channels))
        while output.count < length * channels, addWindow() {}
        return output.prefix(length * channels)
    }

    /// Lays another window, and puts out what is between its middle and that of the one before; false where what it takes
    /// has not come in.
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

    /// Passes from what begins at `old` over to what begins at `new`, both places among the samples.
    private static func blend(
        _ input: [Float], from old: Int, to new: Int, channels: Int, rise: [Float], into output: inout [Float]
    ) {
        input.withUnsafeBufferPointer { input in
            for (frame, fraction) in rise.enumerated() {
                for index in frame * channels..<(frame + 1) * channels {
                    let fading = input[old + index]
                    // Before the beginning there is silence.
                    let rising = new + index >= 0 ? input[new + index] : 0
                    output.append(fading + fraction * (rising - fading))
                }
            }
        }
    }

    /// How far from `place` the middle of the window is best, in frames; never further than `reach`, up to where the
    /// samples have come in.
    private mutating func bestOffset(from middle: Int, at place: Int) -> Int {
        let coarse = search(from: middle, at: place, offsets: -reach...reach, around: 0, grain: grain)
        guard grain > 1 else { return coarse }
        let near = max(-reach, coarse - grain + 1)...min(reach, coarse + grain - 1)
        return search(from: middle, at: place, offsets: near, around: coarse, grain: 1)
    }

    /// Tries `offsets` from the lowest on, `grain` by `grain`, by the likeness of means over `grain` frames; answers with
    /// `center` where none is like.
    private mutating func search(
        from middle: Int, at place: Int, offsets: ClosedRange<Int>, around center: Int, grain: Int
    ) -> Int {
        let (length, steps) = (hop / grain, (offsets.upperBound - offsets.lowerBound) / grain)
        // In frames that went in: the window whose middle is here is the first that is tried.
        let first = place + offsets.lowerBound
        Self.mix(input, from: middle - base, count: length, grain: grain, channels: channels, into: &wanted)
        Self.mix(
            input, from: first - hop - base, count: length + steps, grain: grain, channels: channels, into: &offered)
        var best = (likeness: -Float.infinity, step: (center - offsets.lowerBound) / grain)
        wanted.withUnsafeBufferPointer { wanted in
            offered.withUnsafeBufferPointer { offered in
                let loudness = Self.product(wanted, wanted, at: 0)
                let floor = Self.silence * Float(length)
                // Of the part that is compared; what comes in and what goes out is all that changes it.
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

    /// The sum of products of `a` and as many samples of `b` from `start` on.
    private static func product(_ a: UnsafeBufferPointer<Float>, _ b: UnsafeBufferPointer<Float>, at start: Int)
        -> Float
    {
        guard var left = a.baseAddress, var right = b.baseAddress.map({ $0 + start }) else { return 0 }
        // Four sums at once: a single one would have to be added up in order, which no compiler may change.
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

    /// Makes `target` the means over `grain` frames of all channels together, from the frame `first` of `input` on.
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
                    // The first channel weighs most, so that of two that are each other's opposite something is left.
                    sum += input[place]
                    for channel in 1..<max(1, channels) { sum += input[place + channel] * 0.6 }
                }
                target.append(sum / Float(grain))
            }
        }
    }

    /// Lets go of what no window will be taken from.
    private mutating func forget() {
        let place = Int((Double(count + 1) * Double(hop) * speed).rounded())
        let first = min(middle, place - reach - hop)
        // Not a few each time: what stays is moved.
        guard first - base > 4 * hop else { return }
        let gone = min(first - base, input.count / channels)
        input.removeFirst(gone * channels)
        base += gone
    }
}
