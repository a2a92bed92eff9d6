import GlissadeCFFmpeg
import Testing
import GlissadeTime

@testable import GlissadeMedia
@testable import GlissadePlayback

/// What the packet buffer does while nobody takes video.
@Suite("Audio while no video is taken") struct PacketDroppingTests {
    /// Frames of 200 KB, 60 a second, with a keyframe each half second, beside audio packets of 20 ms.
    private struct Film {
        let buffer = PacketBuffer()
        var frameBytes: CInt = 200_000
        var video = 0
        var audio = 0

        init() {
            buffer.activate(.video)
            buffer.activate(.audio)
        }

        private func packet(bytes: CInt, time: Int64, duration: Int64, isKey: Bool) throws -> Packet {
            let packet = try Packet()
            try #require(av_new_packet(packet.pointer, bytes) >= 0)
            packet.pointer.pointee.pts = time
            packet.pointer.pointee.duration = duration
            if isKey { packet.pointer.pointee.flags |= AV_PKT_FLAG_KEY }
            return packet
        }

        /// Whether the demuxer would read on.
        var canRead: Bool {
            if case .read? = buffer.takeOrder(now: HostTime(nanoseconds: 0)) { true } else { false }
        }

        /// Reads what comes next in the file.
        mutating func read() throws {
            let (videoTime, audioTime) = (Int64(video) * 16_666_667, Int64(audio) * 20_000_000)
            if videoTime <= audioTime {
                let key = video % 30 == 0
                let packet = try packet(bytes: frameBytes, time: videoTime, duration: 16_666_667, isKey: key)
                buffer.push(.packet(packet), to: .video, generation: 0)
                video += 1
            } else {
                let packet = try packet(bytes: 400, time: audioTime, duration: 20_000_000, isKey: true)
                buffer.push(.packet(packet), to: .audio, generation: 0)
                audio += 1
            }
        }

        /// The time of the next packet for a decoder, which takes it; nil if none is waiting.
        func take(_ stream: PacketBuffer.Stream) -> (time: Int64?, isKey: Bool, isEnd: Bool)? {
            guard case .item(let item, _)? = buffer.take(stream) else { return nil }
            return (item.time, item.isKeyframe, !item.isPacket)
        }
    }

    @Test("Audio never runs out, for two minutes without a single video packet taken")
    func neverStarves() throws {
        var film = Film()
        for packet in 0..<6000 {
            // The demuxer reads for as long as it may.
            while film.canRead { try film.read() }
            let taken = try #require(film.take(.audio), "audio packet \(packet)")
            #expect(taken.time == Int64(packet) * 20_000_000)
            #expect(film.buffer.fill.bytes <= PacketBuffer.byteLimit + 200_000)
        }
        #expect(film.buffer.droppedVideoCount > 6000)
        // When video is taken again, the decoder is drained of what came before the gap, once, and starts over with a
        // keyframe that is not far behind.
        #expect(film.take(.video)?.isEnd == true)
        let next = try #require(film.take(.video))
        #expect(next.isKey)
        #expect(try #require(next.time) > 112_000_000_000)
    }

    @Test("Video that is taken in time is never dropped")
    func keepsTime() throws {
        var film = Film()
        var videoTaken = 0
        for packet in 0..<1500 {
            while film.canRead { try film.read() }
            _ = film.take(.audio)
            while Int64(videoTaken) * 16_666_667 <= Int64(packet) * 20_000_000 {
                #expect(film.take(.video)?.time == Int64(videoTaken) * 16_666_667)
                videoTaken += 1
            }
        }
        #expect(film.buffer.droppedVideoCount == 0)
    }

    @Test("Video that is only a little behind is kept, though the buffer is full and audio runs out")
    func keepsRecent() throws {
        var film = Film()
        // The limit holds 0.56 s of these.
        film.frameBytes = 2_000_000
        while film.canRead { try film.read() }
        while film.take(.audio) != nil {}
        #expect(!film.canRead && film.buffer.droppedVideoCount == 0)
        #expect(film.take(.video)?.time == 0)
    }

    @Test("A file whose audio comes long after its video keeps all of its video")
    func badInterleaving() throws {
        var film = Film()
        film.audio = 1 << 30  // Nothing of it is near.
        while film.canRead { try film.read() }
        #expect(film.buffer.isAtLimit && film.buffer.droppedVideoCount == 0)
        #expect(film.take(.video)?.time == 0)
    }
}
