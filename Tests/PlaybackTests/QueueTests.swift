import CFFmpeg
import Glibc
import Testing
import Time

@testable import Media
@testable import Playback

/// Counts those of its kind that are alive.
private final class Token {
    nonisolated(unsafe) static var alive = 0
    init() { Token.alive += 1 }
    deinit { Token.alive -= 1 }
}

@Suite("Queues between threads", .serialized) struct QueueTests {
    @Test("A ring gives back in order what it was given, round and round")
    func ring() {
        var ring = RingBuffer<Int>(capacity: 3)
        var next = 0
        for number in 0..<20 {
            ring.append(number)
            #expect(ring.peek { $0 } == next)
            if ring.isFull {
                #expect(ring.peek(at: 2) { $0 } == number)
                #expect(ring.popFirst() == next)
                next += 1
            }
        }
        #expect(ring.count == 2)
        #expect(ring.peek(at: 2) { $0 } == nil)
        ring.removeAll()
        #expect(ring.isEmpty && ring.popFirst() == nil)
    }

    @Test("A ring lets go of everything that it holds, once")
    func ringOwnership() {
        do {
            var ring = RingBuffer<Token>(capacity: 4)
            for _ in 0..<4 { ring.append(Token()) }
            _ = ring.popFirst()
            ring.append(Token())
            #expect(Token.alive == 4)
        }
        #expect(Token.alive == 0)
    }

    private func packet(bytes: Int, milliseconds: Int64 = 40, time: Int64 = 0) -> Packet {
        let packet = try! Packet()
        av_new_packet(packet.pointer, CInt(bytes))
        packet.pointer.pointee.duration = milliseconds * 1_000_000
        packet.pointer.pointee.pts = time
        return packet
    }

    private func buffer(_ streams: PacketBuffer.Stream...) -> PacketBuffer {
        let buffer = PacketBuffer()
        for stream in streams { buffer.activate(stream) }
        return buffer
    }

    @Test("The demuxer rests when a second is read ahead, whatever it weighs")
    func enough() {
        let buffer = buffer(.video)
        for count in 0..<25 {
            #expect(!buffer.isAtLimit, "after \(count)")
            buffer.push(.packet(packet(bytes: 10)), to: .video, generation: 0)
        }
        #expect(buffer.isAtLimit)
        _ = buffer.next(.video)
        #expect(!buffer.isAtLimit)
    }

    @Test("Where one stream runs ahead of the other, the bytes are the limit")
    func byteLimit() {
        let buffer = buffer(.video, .audio)
        var count = 0
        while !buffer.isAtLimit, count < 1000 {
            buffer.push(.packet(packet(bytes: 1 << 20)), to: .video, generation: 0)
            count += 1
        }
        #expect(count == 64)
        buffer.stop()
    }

    @Test("Packets without a length are judged by their number")
    func countLimit() {
        let buffer = buffer(.audio)
        var count = 0
        while !buffer.isAtLimit, count < 1000 {
            buffer.push(.packet(packet(bytes: 10, milliseconds: 0)), to: .audio, generation: 0)
            count += 1
        }
        #expect(count == 256)
    }

    private func order(_ generation: Int, _ seconds: Double, _ mode: SeekMode = .exact) -> PacketBuffer.SeekOrder {
        .init(generation: generation, target: MediaTime(seconds: seconds), mode: mode)
    }

    @Test("A seek empties the queues, and packets of an older generation are not taken in")
    func generations() throws {
        let buffer = buffer(.video)
        buffer.push(.packet(packet(bytes: 10, time: 1)), to: .video, generation: 0)
        buffer.seek(order(1, 5))
        #expect(buffer.isInterrupted)
        #expect(!buffer.isCurrent(0) && buffer.isCurrent(1))
        buffer.push(.packet(packet(bytes: 10, time: 2)), to: .video, generation: 0)
        guard case .seek(let taken) = buffer.nextOrder() else {
            Issue.record("no seek was ordered")
            return
        }
        #expect(taken.generation == 1 && taken.target == MediaTime(seconds: 5))
        #expect(!buffer.isInterrupted)
        buffer.push(.packet(packet(bytes: 10, time: 3)), to: .video, generation: 1)
        switch buffer.next(.video) {
        case .item(.packet(let packet), let generation):
            #expect(packet.pointer.pointee.pts == 3)
            #expect(generation.number == 1 && generation.start == MediaTime(seconds: 5))
        default: Issue.record("no packet")
        }
    }

    @Test("A seek that was not begun is superseded by the next")
    func superseding() {
        let buffer = buffer(.video)
        for generation in 1...5 { buffer.seek(order(generation, Double(generation))) }
        guard case .seek(let taken) = buffer.nextOrder() else {
            Issue.record("no seek was ordered")
            return
        }
        #expect(taken.generation == 5)
        guard case .read = buffer.nextOrder() else {
            Issue.record("an older seek was left over")
            return
        }
    }

    @Test("A fast seek begins where it lands; the demuxer may correct where a generation begins, its own alone")
    func starts() {
        let buffer = buffer(.video)
        buffer.seek(order(1, 5, .fast))
        #expect(!buffer.startsExactly)
        buffer.setStart(MediaTime(seconds: 5), generation: 1)
        #expect(buffer.startsExactly)
        buffer.seek(order(2, 6, .fast))
        buffer.setStart(MediaTime(seconds: 5), generation: 1)
        #expect(!buffer.startsExactly)
    }

    @Test("The end comes after the last packet, and a seek takes it back")
    func end() {
        let buffer = buffer(.video, .audio)
        buffer.push(.packet(packet(bytes: 10)), to: .video, generation: 0)
        buffer.pushEnd(generation: 0)
        #expect(buffer.isAtLimit)
        for isPacket in [true, false] {
            switch buffer.next(.video) {
            case .item(.packet, _): #expect(isPacket)
            case .item(.end(let isLoop), _): #expect(!isPacket && !isLoop)
            case .stop: Issue.record("stopped")
            }
        }
        buffer.seek(order(1, 0))
        guard case .seek = buffer.nextOrder(), case .read = buffer.nextOrder() else {
            Issue.record("reading does not go on")
            return
        }
    }

    private func audio(_ seconds: Double, track: Int32, bytes: Int = 100) -> Packet {
        let packet = packet(bytes: bytes, milliseconds: 20, time: Int64(seconds * 1e9))
        packet.pointer.pointee.stream_index = track
        return packet
    }

    /// The times of the packets that wait, in seconds, and the generation and track of the last.
    private func drain(_ buffer: PacketBuffer, _ count: Int) -> (times: [Double], generation: Int, track: Int) {
        var (times, last, track): ([Double], Int, Int) = ([], -1, -1)
        for _ in 0..<count {
            guard case .item(.packet(let packet), let generation) = buffer.next(.audio) else { break }
            times.append(Double(packet.pointer.pointee.pts) / 1e9)
            (last, track) = (generation.number, generation.track)
        }
        return (times, last, track)
    }

    @Test("Sound can begin again from what it had lately, or from another stream's, and the picture's packets stay")
    func restart() {
        let buffer = PacketBuffer()
        buffer.activate(.video)
        buffer.activate(.audio, track: 1)
        buffer.activate(.audio, track: 2, isSelected: false)
        buffer.push(.packet(packet(bytes: 10)), to: .video, generation: 0)
        for index in 0..<50 {
            for track in [1, 2] as [Int32] {
                buffer.push(.packet(audio(Double(index) / 10, track: track)), to: .audio, generation: 0)
            }
        }
        #expect(buffer.audioTrack == 1 && buffer.reads(2) && !buffer.reads(3))
        #expect(drain(buffer, 50).times.last == 4.9)
        // From the packet before, and one more, for the decoder to find into it.
        #expect(buffer.restartAudio(track: 1, from: MediaTime(seconds: 3.05), generation: 1, takesAnything: false))
        #expect(!buffer.isCurrent(0, of: .audio) && buffer.isCurrent(1, of: .audio) && buffer.isCurrent(0))
        #expect(drain(buffer, 3) == ([2.8, 2.9, 3.0], 1, 1))
        #expect(buffer.restartAudio(track: 2, from: MediaTime(seconds: 4), generation: 2, takesAnything: false))
        #expect(drain(buffer, 2) == ([3.8, 3.9], 2, 2))
        #expect(!buffer.restartAudio(track: 3, from: .zero, generation: 3, takesAnything: true))
        #expect(buffer.selectAudio(track: nil) && buffer.audioTrack == nil)
        #expect(!buffer.selectAudio(track: 9))
        guard case .item(.packet, let generation) = buffer.next(.video) else {
            Issue.record("the picture's packet is gone")
            return
        }
        #expect(generation.number == 0)
    }

    @Test("What is long past is not kept, and to begin there takes a seek; streams that do not play keep as little")
    func history() {
        let buffer = PacketBuffer()
        buffer.activate(.audio, track: 1)
        buffer.activate(.audio, track: 2, isSelected: false)
        for index in 0..<2000 {
            for track in [1, 2] as [Int32] {
                buffer.push(.packet(audio(Double(index) / 10, track: track)), to: .audio, generation: 0)
            }
            _ = drain(buffer, 1)
        }
        for track in [1, 2] {
            #expect(
                !buffer.restartAudio(track: track, from: MediaTime(seconds: 190), generation: 1, takesAnything: false))
            #expect(
                buffer.restartAudio(track: track, from: MediaTime(seconds: 196), generation: 1, takesAnything: false))
            #expect(buffer.restartAudio(track: track, from: .zero, generation: 1, takesAnything: true))
            #expect((drain(buffer, 1).times.first ?? 0) > 193)
        }
        buffer.stop()
    }

    @Test("Huge packets, and packets without times, do not pile up in streams that nobody plays")
    func bounds() throws {
        let before = try Memory.resident()
        let buffer = PacketBuffer()
        buffer.activate(.audio, track: 1)
        buffer.activate(.audio, track: 2, isSelected: false)
        for index in 0..<4000 {
            let timed = audio(Double(index), track: 1, bytes: 50_000)
            let untimed = audio(0, track: index % 2 == 0 ? 1 : 2, bytes: 50_000)
            for packet in [timed.pointer, untimed.pointer] {
                memset(packet.pointee.data, 1, Int(packet.pointee.size))
            }
            untimed.pointer.pointee.pts = .min
            buffer.push(.packet(timed), to: .audio, generation: 0)
            buffer.push(.packet(untimed), to: .audio, generation: 0)
            _ = drain(buffer, 1)
            if index % 2 == 0 { _ = drain(buffer, 1) }
        }
        #expect(try Memory.resident() < before + 48 << 20)
    }

    @Test("A scrub preview pauses reading after its frame until more is wanted, or a seek comes")
    func scrubPreview() {
        let buffer = buffer(.video)
        buffer.seek(.init(generation: 1, target: .zero, mode: .fast, isScrubPreview: true))
        guard case .seek(let order) = buffer.nextOrder(), case .read = buffer.nextOrder() else {
            Issue.record("no seek")
            return
        }
        #expect(order.isScrubPreview)
        buffer.rest(true, generation: 0)
        #expect(!buffer.isAtLimit)
        buffer.rest(true, generation: 1)
        #expect(buffer.isAtLimit)
        buffer.rest(false, generation: 1)
        #expect(!buffer.isAtLimit)
        buffer.rest(true, generation: 1)
        buffer.seek(self.order(2, 1))
        guard case .seek = buffer.nextOrder(), case .read = buffer.nextOrder() else {
            Issue.record("it rests on")
            return
        }
    }

    @Test("Stopping ends everybody's wait")
    func stop() {
        let buffer = buffer(.video)
        buffer.stop()
        guard case .stop = buffer.nextOrder(), case .stop = buffer.next(.video), case .stop = buffer.next(.audio) else {
            Issue.record("somebody would wait on")
            return
        }
        #expect(buffer.isInterrupted && !buffer.isCurrent(0))
    }
}

@Suite("Times of frames") struct TimestampEstimatorTests {
    private let unknown = Int64.min  // FFmpeg's "no value".

    @Test("Times that the media gives are kept; missing ones follow on the last")
    func missing() {
        var times = TimestampEstimator(frameRate: 50)
        #expect(times.place(time: 100, duration: 7, repeats: 0) == (100, 7))
        #expect(times.place(time: unknown, duration: 0, repeats: 0) == (20_000_100, 20_000_000))
        #expect(times.place(time: unknown, duration: 5_000_000, repeats: 0) == (25_000_100, 5_000_000))
        times.reset()
        #expect(times.place(time: unknown, duration: 0, repeats: 0).time == 0)
    }

    @Test("Two frames never share a time, nor go back")
    func collisions() {
        var times = TimestampEstimator(frameRate: 25)
        var last = times.place(time: 1_000_000_000, duration: 0, repeats: 0).time
        for time in [1_000_000_000, 999_000_000, 1_000_000_001, 900_000_000] as [Int64] {
            let placed = times.place(time: time, duration: 0, repeats: 0).time
            #expect(placed > last)
            last = placed
        }
    }

    @Test("Repeated fields lengthen a frame by half frames")
    func telecine() {
        var times = TimestampEstimator(frameRate: 25)
        #expect(times.place(time: 0, duration: 40_000_000, repeats: 1).duration == 60_000_000)
    }

    @Test("Nonsense does not trap", arguments: [nil, 0, 1e-9, .infinity, .nan, 1e12] as [Double?])
    func nonsense(rate: Double?) {
        var times = TimestampEstimator(frameRate: rate)
        #expect(times.nominal >= 0 && times.nominal <= 1_000_000_000)
        for time in [Int64.max, .max, .max - 1, .min + 1, 0] {
            _ = times.place(time: time, duration: .max, repeats: .max)
        }
    }
}

@Suite("Jumps of timestamps") struct DiscontinuityTests {
    private let frame: Int64 = 40_000_000
    private let second: Int64 = 1_000_000_000

    @Test("Time that continues as it should is left alone, also over a pause")
    func steady() {
        var jumps = Discontinuity(forwardTolerance: Discontinuity.restartTolerance)
        for index in 0..<50 { #expect(jumps.offset(stream: 0, time: Int64(index) * frame, duration: frame) == 0) }
        #expect(jumps.offset(stream: 0, time: 11 * second, duration: frame) == 0)
    }

    @Test("After a jump back, and one forward where clocks restart, time continues without a gap")
    func jumps() {
        var jumps = Discontinuity(forwardTolerance: Discontinuity.restartTolerance)
        for index in 0..<50 { _ = jumps.offset(stream: 0, time: 100 * second + Int64(index) * frame, duration: frame) }
        #expect(jumps.offset(stream: 0, time: 0, duration: frame) == 102 * second)
        #expect(jumps.offset(stream: 0, time: frame, duration: frame) == 102 * second)
        #expect(500 * second + jumps.offset(stream: 0, time: 500 * second, duration: frame) == 102 * second + 2 * frame)
    }

    @Test("A stream whose times are negative continues where it ended when it jumps back, not at zero")
    func negative() {
        var jumps = Discontinuity(forwardTolerance: Discontinuity.restartTolerance)
        _ = jumps.offset(stream: 0, time: -100 * second, duration: frame)
        #expect(-200 * second + jumps.offset(stream: 0, time: -200 * second, duration: frame) == -100 * second + frame)
    }

    @Test("No container's gap is longer than a day: that is a jump everywhere")
    func longGap() {
        var jumps = Discontinuity(forwardTolerance: PacketTimeline.longestPacket)
        _ = jumps.offset(stream: 0, time: 0, duration: frame)
        #expect(90_000 * second + jumps.offset(stream: 0, time: 90_000 * second, duration: frame) == frame)
    }

    @Test("Where clocks do not restart, a long gap means what it says")
    func gap() {
        var jumps = Discontinuity(forwardTolerance: PacketTimeline.longestPacket)
        _ = jumps.offset(stream: 0, time: 0, duration: frame)
        #expect(jumps.offset(stream: 0, time: 3600 * second, duration: frame) == 0)
    }

    @Test("Streams that jump at the same cut stay together")
    func together() {
        var jumps = Discontinuity(forwardTolerance: Discontinuity.restartTolerance)
        for index in 0..<50 {
            _ = jumps.offset(stream: 0, time: 100 * second + Int64(index) * frame, duration: frame)
            _ = jumps.offset(stream: 1, time: 100 * second + Int64(index) * frame, duration: frame)
        }
        let video = jumps.offset(stream: 0, time: 0, duration: frame)
        // Sound has still some of the old time to go.
        #expect(jumps.offset(stream: 1, time: 102 * second, duration: frame) == 0)
        #expect(jumps.offset(stream: 1, time: 10_000_000, duration: frame) == video)
    }

    @Test("After a seek anything goes")
    func reset() {
        var jumps = Discontinuity(forwardTolerance: Discontinuity.restartTolerance)
        _ = jumps.offset(stream: 0, time: 100 * second, duration: frame)
        jumps.reset()
        #expect(jumps.offset(stream: 0, time: 0, duration: frame) == 0)
    }
}
