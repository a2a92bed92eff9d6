import GlissadeCFFmpeg
import Testing
import GlissadeTime

@testable import GlissadeMedia
@testable import GlissadePlayback

@Suite("Buffering a web address")
struct AddressBufferTests {
    private func packet(milliseconds: Int64 = 40) throws -> Packet {
        let packet = try Packet()
        av_new_packet(packet.pointer, 10)
        packet.pointer.pointee.duration = milliseconds * 1_000_000
        return packet
    }

    private func buffer(frames: Int, isOfAddress: Bool = true) throws -> PacketBuffer {
        let buffer = PacketBuffer(isOfAddress: isOfAddress)
        buffer.activate(.video)
        for _ in 0..<frames { buffer.push(.packet(try packet()), to: .video, generation: 0) }
        return buffer
    }

    @Test("Twenty seconds are buffered from the web, and one second from a file")
    func enough() throws {
        #expect(try !buffer(frames: 499).isAtLimit)
        #expect(try buffer(frames: 500).isAtLimit)
        #expect(try buffer(frames: 25, isOfAddress: false).isAtLimit)
    }

    @Test("After running dry playback continues with two seconds, or with all there is")
    func resuming() throws {
        #expect(try !buffer(frames: 49).isReadyToResume)
        #expect(try buffer(frames: 50).isReadyToResume)
        let ending = try buffer(frames: 3)
        ending.pushEnd(generation: 0)
        #expect(ending.isReadyToResume)
    }

    @Test("What was buffered before a lost connection is played, and then the demuxer waits for a seek or a retry")
    func losing() throws {
        let buffer = try buffer(frames: 1)
        buffer.lose("gone", generation: 0)
        #expect(buffer.loss == "gone")
        #expect(!buffer.isStarved)
        guard case .item = buffer.next(.video) else { Issue.record("nothing to play"); return }
        #expect(buffer.isStarved)
        buffer.retry()
        guard case .retry = buffer.nextOrder() else { Issue.record("no attempt"); return }
        #expect(buffer.loss == nil)
        buffer.lose("gone again", generation: 0)
        buffer.seek(.init(generation: 1, target: .zero, mode: .exact))
        guard case .seek = buffer.nextOrder() else { Issue.record("no seek"); return }
        #expect(buffer.loss == nil)
        buffer.lose("what belongs to an older seek", generation: 0)
        #expect(buffer.loss == nil)
    }
}
