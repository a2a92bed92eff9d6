import GlissadeAudio
import Foundation
import Testing

@testable import GlissadePlayback

/// What the tempo filter makes of sounds whose every piece can be told.
@Suite("Changing the tempo") struct TempoTests {
    private static let rate = 48_000
    private static let speeds = [0.5, 0.75, 1.1, 1.46, 2]

    /// What comes out of `samples`, given in pieces of `piece` frames, with what is left at the end.
    private func stretched(
        _ samples: [Float], speed: Double, channels: Int = 1, rate: Int = TempoTests.rate, piece: Int = 1024
    ) -> [Float] {
        var filter = TempoFilter(format: AudioFormat(sampleRate: rate, channelCount: channels), speed: speed)
        var output: [Float] = []
        var place = 0
        while place < samples.count {
            let end = min(samples.count, place + piece * channels)
            output += filter.process(samples[place..<end])
            place = end
        }
        return output + filter.drain()
    }

    /// Noise that is the same in every run.
    private func noise(_ count: Int) -> [Float] {
        var state: UInt32 = 1
        return (0..<count).map { _ in
            state = state &* 1_664_525 &+ 1_013_904_223
            return Float(state >> 8) / Float(1 << 23) - 1
        }
    }

    /// Where the middles of the bursts are, in seconds.
    private static let bursts = (0..<12).map { 0.3 + 0.217 * Double($0) }

    /// Three seconds of `bed` with bursts of 12 ms above it.
    private func bursts(on bed: (Int) -> Double) -> [Float] {
        var samples = (0..<3 * Self.rate).map { Float(bed($0)) }
        for burst in Self.bursts {
            for index in Int((burst - 0.006) * Double(Self.rate))...Int((burst + 0.006) * Double(Self.rate)) {
                let off = Double(index) / Double(Self.rate) - burst
                samples[index] += Float(0.25 * (1 + cos(2 * .pi * off / 0.012)) * cos(2 * .pi * 3000 * off))
            }
        }
        return samples
    }

    /// How long after its time each burst is heard, in ms, by its energy; without those of which too little is left.
    private func lateness(_ output: [Float], speed: Double) -> [Double] {
        Self.bursts.compactMap { burst in
            let (begin, end) = ((burst - 0.09) / speed, (burst + 0.09) / speed)
            var (sum, moment) = (0.0, 0.0)
            for index in Int(begin * Double(Self.rate))..<min(output.count, Int(end * Double(Self.rate))) {
                let energy = Double(output[index] * output[index])
                guard energy > 0.01 else { continue }
                sum += energy
                moment += energy * Double(index)
            }
            return sum > 10 ? (moment / sum / Double(Self.rate) - burst / speed) * 1000 : nil
        }
    }

    @Test("A burst is heard at its place, on silence, noise, a tone and a hum", arguments: speeds)
    func places(speed: Double) {
        let hiss = noise(3 * Self.rate)
        let beds: [(String, (Int) -> Double)] = [
            ("silence", { _ in 0 }), ("noise", { Double(hiss[$0]) * 0.02 }),
            ("a tone", { 0.05 * sin(2 * .pi * 440 * Double($0) / Double(Self.rate)) }),
            ("a hum", { 0.05 * sin(2 * .pi * 70 * Double($0) / Double(Self.rate)) }),
        ]
        for (name, bed) in beds {
            let late = lateness(stretched(bursts(on: bed), speed: speed), speed: speed)
            // What is played in less time than it took leaves something out.
            #expect(late.count >= (speed <= 1 ? Self.bursts.count : 4), "on \(name)")
            let mean = late.reduce(0, +) / Double(max(1, late.count))
            #expect(late.allSatisfy { abs($0) < 15 }, "on \(name): \(late)")
            #expect(abs(mean) < 10, "on \(name): \(mean)")
        }
    }

    @Test("The output is as long as the input divided by the speed", arguments: speeds + [0.1, 8])
    func length(speed: Double) {
        for count in [0, 1, 700, 20_001] {
            let output = stretched(noise(count), speed: speed, piece: 997)
            #expect(output.count == Int((Double(count) / speed).rounded()))
        }
    }

    @Test("A tone keeps its pitch and loudness at any frequency", arguments: speeds + [0.25, 4])
    func tone(speed: Double) {
        for pitch in [70.0, 440, 3000] {
            let samples = (0..<Self.rate).map { Float(0.5 * sin(2 * .pi * pitch * Double($0) / Double(Self.rate))) }
            let output = stretched(samples, speed: speed)
            let inner = output[(output.count / 8)..<(output.count * 7 / 8)]
            var crossings = 0
            for index in inner.indices.dropFirst() where inner[index - 1] < 0 && inner[index] >= 0 { crossings += 1 }
            let found = Double(crossings) * Double(Self.rate) / Double(inner.count)
            #expect(abs(found / pitch - 1) < 0.01, "\(pitch) Hz became \(found)")
            let energy = inner.reduce(0) { $0 + Double($1 * $1) } / Double(inner.count)
            #expect(abs((energy / 0.125).squareRoot() - 1) < 0.1, "\(pitch) Hz: \(energy)")
        }
    }

    @Test("The output does not depend on how the input is split")
    func pieces() {
        let samples = noise(9_000)
        let whole = stretched(samples, speed: 1.3, piece: 9_000)
        #expect(stretched(samples, speed: 1.3, piece: 1) == whole)
        #expect(stretched(samples, speed: 1.3, piece: 960) == whole)
    }

    /// A hum of 50 Hz in noise, and a tone that goes from 45 to 81 Hz: what is most alike is far off, to either side.
    private func deepSounds(rate: Int) -> [[Float]] {
        let count = rate * 3 / 2
        let hiss = noise(count)
        let hum = (0..<count).map { index -> Float in
            let turns = 50 * Double(index) / Double(rate)
            return Float(0.5 * sin(2 * .pi * turns)) + 0.05 * hiss[index]
        }
        let sweep = (0..<count).map { index in
            let time = Double(index) / Double(rate)
            return Float(0.5 * sin(2 * .pi * (45 + 12 * time) * time))
        }
        return [hum, sweep]
    }

    @Test(
        "A bass with the farthest possible match uses only input that has arrived, however it is split",
        arguments: [48_000, 44_100], [0.5, 1.1, 1.25, 1.46, 1.5, 1.75, 2])
    func deepPieces(rate: Int, speed: Double) {
        for samples in deepSounds(rate: rate) {
            let whole = stretched(samples, speed: speed, rate: rate, piece: samples.count)
            for piece in [1, 2, 3, 4, 5, 6, 7, 1114] {
                #expect(stretched(samples, speed: speed, rate: rate, piece: piece) == whole, "pieces of \(piece)")
            }
        }
    }

    @Test("Every channel keeps its own audio, shifted equally", arguments: [1, 2, 6, 8])
    func channels(count: Int) {
        let mono = noise(8_000)
        // The second is the first one's opposite.
        let samples = mono.flatMap { sample in (0..<count).map { $0 == 1 ? -sample : sample * Float($0 + 1) } }
        let output = stretched(samples, speed: 0.8, channels: count)
        #expect(output.count == 10_000 * count)
        for frame in stride(from: 0, to: 10_000, by: 101) {
            let first = output[frame * count]
            for channel in 1..<max(1, count) {
                let factor = channel == 1 ? -1 : Float(channel + 1)
                #expect(abs(output[frame * count + channel] - first * factor) < 1e-4)
            }
        }
    }

    @Test("Silence stays silence, and non-finite samples spoil only themselves")
    func badInput() {
        #expect(stretched([Float](repeating: 0, count: 20_000), speed: 0.5).allSatisfy { $0 == 0 })
        var samples = noise(24_000)
        samples[4_000] = .nan
        samples[4_001] = .infinity
        samples[4_002] = .greatestFiniteMagnitude
        let output = stretched(samples, speed: 2)
        #expect(output.count == 12_000 && output[6_000...].allSatisfy { $0.isFinite })
        // Rates that no device has.
        for rate in [8, 100, 8_000, 44_100, 192_000, 768_000] {
            #expect(stretched(noise(5_000), speed: 0.7, rate: rate).count == 7_143)
        }
    }
}
