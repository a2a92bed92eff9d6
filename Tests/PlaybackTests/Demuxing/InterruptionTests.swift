import GlissadeCFFmpeg
import Synchronization
import GlissadeTestSupport
import Testing

@testable import GlissadeMedia
@testable import GlissadePlayback

/// A read that a seek breaks off.
@Suite("Interrupted reads") struct InterruptionTests {
    private final class Switch: Sendable { let isOn = Atomic(false) }

    @Test(
        "After an interrupted read, reading continues and a short seek forwards finds its place",
        arguments: [false, true])
    func continues(seeks: Bool) throws {
        let path = try Clips.file(
            "interrupted.ts",
            ffmpeg: [
                "-f", "lavfi", "-i", "testsrc2=s=640x360:r=25:d=4", "-c:v", "mpeg2video", "-g", "5", "-q:v", "2",
            ])
        let interruption = Switch()
        let input = try MediaInput(location: path) { interruption.isOn.load(ordering: .relaxed) }
        let packet = try Packet()
        func read() -> CInt {
            av_packet_unref(packet.pointer)
            return input.read(packet.pointer)
        }
        #expect(read() >= 0)
        interruption.isOn.store(true, ordering: .relaxed)
        var code: CInt = 0
        // Some packets still come out of the buffer.
        for _ in 0..<100 where code >= 0 { code = read() }
        try #require(code == glissade_averror_exit())
        interruption.isOn.store(false, ordering: .relaxed)
        input.clearInterruption()
        if seeks {
            // Not within the expectation: it would copy the input.
            let first = input.stream(0)
            let stream = try #require(first)
            let start = stream.pointee.start_time
            let target = start + 90_000
            let context = input.context
            #expect(av_seek_frame(context, 0, target, AVSEEK_FLAG_BACKWARD) >= 0)
            #expect(read() >= 0)
            #expect(abs(packet.pointer.pointee.dts - target) < 45_000)
        } else {
            for _ in 0..<20 { #expect(read() >= 0) }
        }
    }
}
