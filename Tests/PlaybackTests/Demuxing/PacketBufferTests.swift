import GlissadeCFFmpeg
import Glibc
import Testing
import GlissadeTestSupport
import GlissadeTime

@testable import GlissadeMedia
@testable import GlissadePlayback

@Suite("Packet buffer", .serialized) struct PacketBufferTests {
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

    @Test("The demuxer rests when one second is buffered, whatever its size")
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

    @Test("If one stream runs ahead of the other the byte limit applies")
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

    @Test("Packets without a duration are limited in number")
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

    @Test("A seek empties the buffer, and packets of an older generation are refused")
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

    @Test("A seek that has not started is replaced by the next one")
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

    @Test("A fast seek starts where it lands, and the demuxer may correct the start of its own generation only")
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

    @Test("The end comes after the last packet, and a seek revokes it")
    func end() {
        let buffer = buffer(.video, .audio)
        buffer.push(.packet(packet(bytes: 10)), to: .video, generation: 0)
        buffer.pushEnd(generation: 0)
        #expect(buffer.isAtLimit)
        for isPacket in [true, false] {
            switch buffer.next(.video) {
            case .item(.packet, _): #expect(isPacket)
            case .item(.end(let end), _): #expect(!isPacket && end.isLast)
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

    @Test("Audio can restart from recent packets or another stream's, and the video packets stay")
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

    @Test("Old packets are dropped, and restarting before them takes a seek, also for streams that do not play")
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

    @Test("Huge packets and packets without timestamps do not accumulate in streams that do not play")
    func bounds() throws {
        let before = try ProcessStatus.resident()
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
        #expect(try ProcessStatus.resident() < before + 48 << 20)
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

    @Test("Stopping the buffer releases all waiters")
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
