import GlissadePlatform
import Testing
import GlissadeTestSupport
import GlissadeTime

@testable import GlissadeAudio

/// Silence paced by the clock: through `AudioTransport`, which is told the time, and through the real output.
@Suite("Silent output") struct SilentOutputTests {
    private func host(_ milliseconds: Int) -> HostTime { HostTime(nanoseconds: Int64(milliseconds) * 1_000_000) }
    private func media(_ milliseconds: Int) -> MediaTime { MediaTime(nanoseconds: Int64(milliseconds) * 1_000_000) }

    /// One frame a millisecond.
    private func transport() -> AudioTransport {
        AudioTransport(format: AudioFormat(sampleRate: 1000, channelCount: 1))
    }

    private func push(_ transport: inout AudioTransport, from start: Int, frames: Int, now: Int, speed: Double = 1)
        -> Int
    {
        [Float](repeating: 0.5, count: frames).withUnsafeBufferPointer {
            transport.push($0, startingAt: media(start), speed: speed, now: host(now))
        }
    }

    @Test("Silent output consumes samples in real time and makes room as it does")
    func paces() {
        var transport = transport()
        #expect(push(&transport, from: 0, frames: 500, now: 0) == 400)
        transport.start(from: media(0), generation: 0, now: host(1000))
        #expect(transport.position(at: host(1250))?.mediaTime == media(250))
        #expect(transport.whenRoom(for: 100, now: host(1000)) == host(1101))
        #expect(push(&transport, from: 400, frames: 100, now: 1101) == 100)
        #expect(transport.position(at: host(1450))?.mediaTime == media(450))
    }

    @Test("While paused, silent output stands still and has no wake-up time")
    func pauses() {
        var transport = transport()
        _ = push(&transport, from: 0, frames: 400, now: 0)
        transport.start(from: media(0), generation: 0, now: host(0))
        transport.setPaused(true, now: host(100))
        #expect(transport.position(at: host(9000))?.mediaTime == media(100))
        #expect(transport.whenRoom(for: 100, now: host(9000)) == nil)
        transport.setPaused(false, now: host(9000))
        #expect(transport.position(at: host(9010))?.mediaTime == media(110))
    }

    @Test("When it runs dry, silent output has no position, and continues with the next sample")
    func starves() {
        var transport = transport()
        _ = push(&transport, from: 0, frames: 100, now: 0)
        transport.start(from: media(0), generation: 0, now: host(0))
        #expect(transport.position(at: host(99))?.mediaTime == media(99))
        #expect(transport.position(at: host(100)) == nil)
        _ = push(&transport, from: 100, frames: 100, now: 500)
        #expect(transport.position(at: host(520))?.mediaTime == media(120))
    }

    @Test("Samples of a new generation follow those about to be heard without a jump in time")
    func splices() {
        var transport = transport()
        #expect(transport.splice(generation: 1, now: host(0)) == nil)
        _ = push(&transport, from: 0, frames: 400, now: 0)
        #expect(transport.splice(generation: 1, now: host(0)) == nil)
        transport.start(from: media(0), generation: 0, now: host(0))
        #expect(transport.splice(generation: 1, now: host(50)) == media(150))
        #expect(transport.generation == 1 && transport.queue.room == 300)
        #expect(push(&transport, from: 150, frames: 300, now: 60, speed: 2) == 300)
        for now in stride(from: 50, to: 150, by: 10) {
            #expect(transport.position(at: host(now))?.mediaTime == media(now))
            #expect(transport.position(at: host(now))?.speed == 1)
        }
        #expect(transport.position(at: host(150))?.mediaTime == media(150))
        #expect(transport.position(at: host(160))?.mediaTime == media(170))
        #expect(transport.position(at: host(160))?.speed == 2)
        // Paused it is the same, and at the end there is something to follow as well.
        transport.setPaused(true, now: host(200))
        #expect(transport.splice(generation: 2, now: host(900)) == media(450))
        transport.finish(generation: 2)
        transport.setPaused(false, now: host(900))
        #expect(transport.hasEnded(at: host(1100)) == true)
        #expect(transport.splice(generation: 3, now: host(1100)) == media(450))
        #expect(transport.hasEnded(at: host(1100)) == false)
    }

    @Test("At double speed, media time runs twice as fast")
    func speed() {
        var transport = transport()
        _ = push(&transport, from: 0, frames: 300, now: 0, speed: 2)
        transport.start(from: media(0), generation: 0, now: host(0))
        #expect(transport.position(at: host(200))?.mediaTime == media(400))
    }

    @Test("The end is reported when it is heard, not when it is queued")
    func ends() {
        var transport = transport()
        _ = push(&transport, from: 0, frames: 100, now: 0)
        transport.start(from: media(0), generation: 0, now: host(0))
        transport.finish(generation: 0)
        #expect(transport.hasEnded(at: host(99)) == false)
        #expect(transport.hasEnded(at: host(100)) == true)
    }

    @Test("A new sample format keeps media time, and decoding continues where it was")
    func formatChange() {
        var transport = transport()
        _ = push(&transport, from: 0, frames: 400, now: 0)
        transport.start(from: media(0), generation: 0, now: host(0))
        let other = AudioFormat(sampleRate: 2000, channelCount: 2)
        transport.takeOver(in: other, now: host(100))
        #expect(transport.format == other)
        #expect(transport.queue.endMedia == media(400))
        // 300 ms of silence stand for what was queued.
        #expect(transport.queue.writeIndex - transport.queue.readIndex == 600)
        transport.loseServer(now: host(150))
        #expect(transport.position(at: host(150)).map { abs(($0.mediaTime - media(150)).nanoseconds) < 1000 } == true)
    }

    @Test("A flush or a stop releases a blocked writer and refuses its samples", arguments: [true, false])
    func unblocks(byFlush: Bool) {
        let output = AudioOutput(backend: .silent, applicationName: "test", streamName: "test")
        let result = Monitor<AudioWriteResult?>(nil)
        let thread = try! NamedThread(name: "writer") {
            let samples = [Float](repeating: 0, count: 200_000)
            let answer = samples.withUnsafeBufferPointer {
                output.write($0, as: .standard, startingAt: .zero, speed: 1, generation: 0)
            }
            result.update { $0 = answer }
        }
        if byFlush { output.flush(generation: 1) } else { output.stop() }
        #expect(result.wait(until: .now() + .seconds(5)) { $0 } == (byFlush ? .flushed : .stopped))
        thread.join()
    }

    @Test(
        "The volume goes up to 130 %, and absurd values are clamped",
        arguments: [(1.3, 1.3), (1.31, 1.3), (.infinity, 1.3), (0.5, 0.5), (-0.1, 0), (.nan, 0)])
    func volume(asked: Double, set: Double) {
        let output = AudioOutput(backend: .silent, applicationName: "test", streamName: "test")
        output.volume = asked
        #expect(output.volume == set)
    }

    @Test("Samples in another format are refused")
    func refusesFormat() {
        let output = AudioOutput(backend: .silent, applicationName: "test", streamName: "test")
        let result = [Float](repeating: 0, count: 6).withUnsafeBufferPointer {
            output.write(
                $0, as: AudioFormat(sampleRate: 48_000, channelCount: 6), startingAt: .zero, speed: 1, generation: 0)
        }
        #expect(result == .formatChanged)
    }
}
