import Testing
import GlissadeTime

@testable import GlissadeAudio

/// How sound begins, beside a server and without one: told the time and what the server reports.
@Suite("Starting audio") struct AudioTransportTests {
    private func host(_ milliseconds: Int) -> HostTime { HostTime(nanoseconds: Int64(milliseconds) * 1_000_000) }
    private func media(_ milliseconds: Int) -> MediaTime { MediaTime(nanoseconds: Int64(milliseconds) * 1_000_000) }

    private static let format = AudioFormat(sampleRate: 1000, channelCount: 1)

    /// One frame a millisecond.
    private func transport(withServer: Bool = true) -> AudioTransport {
        var transport = AudioTransport(format: Self.format)
        if withServer { transport.takeOver(in: Self.format, now: host(0)) }
        return transport
    }

    @discardableResult private func push(
        _ transport: inout AudioTransport, from start: Int, frames: Int, now: Int, speed: Double = 1
    ) -> Int {
        [Float](repeating: 0.5, count: frames).withUnsafeBufferPointer {
            transport.push($0, startingAt: media(start), speed: speed, now: host(now))
        }
    }

    /// Gives the server up to `frames`. - Returns: how many it was given.
    @discardableResult private func pull(_ transport: inout AudioTransport, _ frames: Int, at index: Int, now: Int)
        -> Int
    {
        withUnsafeTemporaryAllocation(of: Float.self, capacity: frames) {
            transport.pull(
                frames, into: $0.baseAddress!, serverIndex: index, flushes: transport.flushes, now: host(now))
        }
    }

    @Test("The first report of a server sets when the first sample is heard, and later ones correct it")
    func onsetByServer() throws {
        var transport = transport()
        push(&transport, from: 5000, frames: 400, now: 0)
        transport.start(from: media(5000), generation: 0, now: host(0))
        #expect(transport.onset == nil)
        pull(&transport, 120, at: 7000, now: 5)
        #expect(transport.onset == nil)
        transport.observe(6940, at: host(10), first: 7000, flushes: transport.flushes)
        #expect(transport.onset?.host == host(70))
        #expect(transport.onset?.mediaTime == media(5000))
        // A sink that is waking up: it takes longer than it said at first.
        transport.observe(6930, at: host(30), first: 7000, flushes: transport.flushes)
        #expect(transport.onset?.host == host(100))
        #expect(transport.position(at: host(99)) == nil)
        #expect(transport.position(at: host(101))?.mediaTime == media(5001))
    }

    @Test("Without a server audio starts at once, and while one is being connected it waits for the result")
    func onsetInSilence() {
        var transport = transport(withServer: false)
        push(&transport, from: 0, frames: 400, now: 0)
        transport.start(from: media(0), generation: 0, now: host(20))
        #expect(transport.onset?.host == host(20))

        var seeking = AudioTransport(format: Self.format)
        seeking.awaitServer()
        push(&seeking, from: 0, frames: 400, now: 0)
        seeking.start(from: media(0), generation: 0, now: host(20))
        #expect(seeking.onset == nil)
        seeking.loseServer(now: host(80))
        #expect(seeking.onset?.host == host(80))
        #expect(seeking.position(at: host(90))?.mediaTime == media(10))
    }

    @Test(
        "After a pause, audio continues from its sample when the server reports it, not when it is asked to")
    func onsetAfterPause() {
        var transport = transport()
        push(&transport, from: 0, frames: 400, now: 0)
        transport.start(from: media(0), generation: 0, now: host(0))
        pull(&transport, 200, at: 0, now: 0)
        transport.observe(0, at: host(50), first: 0, flushes: transport.flushes)
        #expect(transport.position(at: host(100))?.mediaTime == media(50))
        transport.setPaused(true, now: host(100))
        #expect(transport.onset == nil)
        transport.setPaused(false, now: host(5000))
        #expect(transport.onset == nil)
        transport.observe(20, at: host(5010), first: 50, flushes: transport.flushes)
        #expect(transport.onset?.host == host(5040))
        #expect(transport.onset?.mediaTime == media(50))
        #expect(transport.position(at: host(5039))?.mediaTime == media(50))
        #expect(transport.position(at: host(5060))?.mediaTime == media(70))
    }

    @Test(
        "While video leads, a sample is heard when its frame is shown, whenever it arrives",
        arguments: [1, 2.0])
    func follows(speed: Double) {
        for late in [0, 30, 300] {
            var transport = transport(withServer: false)
            transport.follow(media(1000), at: host(0), speed: speed, generation: 0, now: host(0))
            #expect(transport.onset?.mediaTime == media(1000))
            #expect(transport.position(at: host(late)) == nil)
            // It begins a little after the picture's place.
            push(&transport, from: 1100, frames: 400, now: late, speed: speed)
            let now = max(late, Int(100 / speed)) + 40
            #expect(transport.position(at: host(now))?.mediaTime == media(1000 + Int(Double(now) * speed)))
        }
    }

    @Test("Audio that joins late does so in its place, also if the video's speed has changed while it was away")
    func followsOtherSpeed() {
        var transport = transport(withServer: false)
        transport.follow(media(1000), at: host(0), speed: 1, generation: 0, now: host(0))
        // A second at the one speed, ten at the other.
        transport.setFollowedSpeed(1.25, at: host(1000), generation: 0)
        transport.setFollowedSpeed(8, at: host(1000), generation: 7)
        push(&transport, from: 14_500, frames: 400, now: 10_900)
        #expect(transport.position(at: host(10_999)) == nil)
        #expect(transport.position(at: host(11_010))?.mediaTime == media(14_510))
    }

    @Test("While video leads and is paused, audio stays silent, and joins where the video continues")
    func followsThroughPause() {
        var transport = transport(withServer: false)
        transport.follow(media(1000), at: host(0), speed: 1, generation: 0, now: host(0))
        transport.setPaused(true, now: host(100))
        transport.setPaused(false, now: host(9100))
        push(&transport, from: 1000, frames: 400, now: 9150)
        #expect(transport.position(at: host(9200))?.mediaTime == media(1200))
    }

    @Test("Audio that starts long after the start position is not waited for and is heard at its time")
    func startsLate() {
        for gap in [3000, 30_000] {
            var transport = transport(withServer: false)
            push(&transport, from: gap, frames: 400, now: 0)
            transport.start(from: media(0), generation: 0, now: host(0))
            #expect(transport.onset.map { $0.host - host(0) == $0.mediaTime - media(0) } == true)
            #expect(transport.position(at: host(gap - 1)) == nil)
            #expect(transport.position(at: host(gap + 10))?.mediaTime == media(gap + 10))
        }
    }

    @Test(
        "A pause before late audio delays it by the length of the pause", arguments: [false, true])
    func startsLateAfterPause(withServer: Bool) {
        var transport = transport(withServer: withServer)
        push(&transport, from: 10_000, frames: 400, now: 0)
        transport.start(from: media(0), generation: 0, now: host(0))
        transport.setPaused(true, now: host(5000))
        transport.setPaused(false, now: host(65_000))
        #expect(transport.onset.map { $0.host - host(65_000) == $0.mediaTime - media(5000) } == true)
        #expect(transport.position(at: host(69_900)) == nil)
        #expect(transport.position(at: host(70_050))?.mediaTime == media(10_050))
    }

    @Test("A decoder that is ahead of late audio is told when there will be room again")
    func roomBeforeLateStart() {
        var transport = transport(withServer: false)
        transport.follow(media(0), at: host(0), speed: 1, generation: 0, now: host(0))
        push(&transport, from: 3000, frames: 400, now: 10)
        #expect(transport.whenRoom(for: 50, now: host(10)) == host(3051))
    }

    @Test("A server joins at exactly the frame that is due when it becomes audible")
    func joins() throws {
        var transport = transport(withServer: false)
        push(&transport, from: 0, frames: 400, now: 0)
        transport.start(from: media(0), generation: 0, now: host(0))
        transport.takeOver(in: Self.format, now: host(100))
        #expect(transport.isJoining == true && transport.device == .silence)
        // What it is given next will be heard at 250.
        let answer = transport.join(serverIndex: 4000, heardAt: host(250), flushes: transport.flushes, now: host(110))
        #expect(answer == .joined && transport.device == .server)
        #expect(transport.queue.readIndex == 250)
        #expect(pull(&transport, 50, at: 4000, now: 110) == 50)
        transport.observe(3900, at: host(150), first: 3700, flushes: transport.flushes)
        for now in stride(from: 110, to: 400, by: 10) {
            #expect(
                transport.position(at: host(now)).map { abs(($0.mediaTime - media(now)).inMilliseconds) < 1 } ?? false
                    || now >= 300)
        }
        #expect(transport.position(at: host(260))?.isServerLed == true)
    }

    @Test("A server that becomes audible after all queued samples gets silence until later samples arrive")
    func joinsLate() {
        var transport = transport(withServer: false)
        push(&transport, from: 0, frames: 400, now: 0)
        transport.start(from: media(0), generation: 0, now: host(0))
        transport.takeOver(in: Self.format, now: host(0))
        let first = transport.join(serverIndex: 0, heardAt: host(900), flushes: transport.flushes, now: host(0))
        #expect(first == .silence(frames: nil))
        // Room was made: what comes before that time will not be heard.
        #expect(push(&transport, from: 400, frames: 400, now: 0) == 400)
        _ = transport.join(serverIndex: 0, heardAt: host(900), flushes: transport.flushes, now: host(0))
        #expect(push(&transport, from: 800, frames: 400, now: 0) == 400)
        let last = transport.join(serverIndex: 0, heardAt: host(900), flushes: transport.flushes, now: host(0))
        #expect(last == .joined && transport.queue.readIndex == 900)
    }

    @Test("A server that joins before the first sample is due gets exactly the silence until then")
    func joinsEarly() {
        var transport = transport()
        transport.follow(media(0), at: host(0), speed: 1, generation: 0, now: host(0))
        push(&transport, from: 500, frames: 100, now: 0)
        let answer = transport.join(serverIndex: 40, heardAt: host(120), flushes: transport.flushes, now: host(0))
        #expect(answer == .silence(frames: 380))
        #expect(
            transport.join(serverIndex: 420, heardAt: host(500), flushes: transport.flushes, now: host(0)) == .joined)
        #expect(transport.queue.readIndex == 0)
    }

    @Test("A server that stops answering loses audio but no time")
    func losesServer() {
        var transport = transport()
        push(&transport, from: 0, frames: 400, now: 0)
        transport.start(from: media(0), generation: 0, now: host(0))
        pull(&transport, 120, at: 0, now: 0)
        transport.observe(0, at: host(20), first: 0, flushes: transport.flushes)
        push(&transport, from: 400, frames: 120, now: 20)
        // Two seconds pass before it is given up.
        transport.loseServer(now: host(2020))
        push(&transport, from: 520, frames: 400, now: 2030)
        #expect(transport.position(at: host(2030)) == nil)
        for start in stride(from: 920, to: 2500, by: 400) { push(&transport, from: start, frames: 400, now: 2030) }
        #expect(transport.position(at: host(2100))?.mediaTime == media(2080))
    }

    @Test("After a flush during silence there is nothing left to join")
    func flushEndsJoining() {
        var transport = transport()
        transport.follow(media(0), at: host(0), speed: 1, generation: 0, now: host(0))
        #expect(transport.isJoining == true)
        transport.flush(generation: 1)
        #expect(transport.isJoining == false && transport.device == .server)
        push(&transport, from: 0, frames: 400, now: 10)
        transport.start(from: media(0), generation: 1, now: host(10))
        #expect(transport.onset == nil)
    }

    @Test("The device runs from the first start on, between generations too, but neither in a pause nor after the end")
    func needsDevice() {
        var transport = transport()
        transport.flush(generation: 1)
        #expect(!transport.needsDevice && !transport.isPlaying)
        push(&transport, from: 0, frames: 100, now: 0)
        transport.start(from: media(0), generation: 1, now: host(0))
        #expect(transport.needsDevice && transport.isPlaying)
        transport.flush(generation: 2)
        #expect(transport.needsDevice && !transport.isPlaying)
        transport.setPaused(true, now: host(10))
        #expect(transport.needsDevice == false)
        transport.follow(media(0), at: host(20), speed: 1, generation: 2, now: host(20))
        #expect(!transport.needsDevice && !transport.isPlaying)
        transport.setPaused(false, now: host(30))
        #expect(transport.needsDevice && transport.isPlaying)
        transport.stop()
        #expect(transport.isStopped && !transport.needsDevice)
    }

    @Test("After it is stopped, nothing starts again", arguments: [false, true])
    func stopping(withServer: Bool) {
        var transport = transport(withServer: withServer)
        push(&transport, from: 0, frames: 100, now: 0)
        transport.start(from: media(0), generation: 0, now: host(0))
        transport.stop()
        transport.flush(generation: 1)
        push(&transport, from: 0, frames: 100, now: 10)
        transport.start(from: media(0), generation: 1, now: host(10))
        transport.follow(media(0), at: host(10), speed: 1, generation: 1, now: host(10))
        transport.setPaused(true, now: host(20))
        transport.setPaused(false, now: host(30))
        transport.loseServer(now: host(40))
        transport.takeOver(in: Self.format, now: host(50))
        #expect(transport.isStopped && !transport.isPlaying && !transport.isJoining && transport.onset == nil)
        #expect(transport.position(at: host(60)) == nil && !transport.hasEnded(at: host(60)))
        #expect(transport.splice(generation: 2, now: host(60)) == nil)
        #expect(pull(&transport, 50, at: 0, now: 60) == 0)
    }

    @Test("Only a server that plays can be hungry, and not for what does not come")
    func hunger() {
        var transport = transport()
        push(&transport, from: 0, frames: 100, now: 0)
        transport.start(from: media(0), generation: 0, now: host(0))
        pull(&transport, 100, at: 0, now: 0)
        #expect(transport.isHungry == false)
        pull(&transport, 20, at: 100, now: 10)
        #expect(transport.isHungry == true)
        transport.finish(generation: 0)
        pull(&transport, 20, at: 100, now: 10)
        #expect(transport.isHungry == false)
        transport.flush(generation: 1)
        transport.start(from: media(0), generation: 1, now: host(20))
        pull(&transport, 20, at: 100, now: 20)
        #expect(transport.isHungry == true)
        transport.loseServer(now: host(30))
        #expect(!transport.isHungry && transport.device == .silence && !transport.hasServer)
        transport.takeOver(in: Self.format, now: host(40))
        #expect(!transport.isHungry && transport.device == .server)
    }

    @Test("Each way of losing and finding a server leads to one device, also while playback waits for a decision")
    func devices() {
        var transport = AudioTransport(format: Self.format)
        transport.awaitServer()
        transport.flush(generation: 1)
        #expect(!transport.isDecided && !transport.hasServer && transport.device == .silence)
        push(&transport, from: 0, frames: 400, now: 0)
        transport.start(from: media(0), generation: 1, now: host(0))
        #expect(transport.isPlaying && transport.onset == nil && !transport.isJoining)
        transport.takeOver(in: Self.format, now: host(5))
        #expect(transport.isDecided && transport.hasServer && transport.device == .server)
        // Video leads: silence runs beside the server until that joins.
        transport.follow(media(0), at: host(10), speed: 1, generation: 1, now: host(10))
        #expect(transport.hasServer && transport.device == .silence && transport.isJoining)
        // A pause takes the place of joining.
        transport.setPaused(true, now: host(20))
        #expect(transport.hasServer && transport.device == .server && !transport.isJoining)
        transport.setPaused(false, now: host(30))
        #expect(transport.device == .server && transport.isPlaying)
        transport.loseServer(now: host(40))
        #expect(transport.isDecided && !transport.hasServer && transport.device == .silence)
        #expect(transport.position(at: host(50)) != nil)
        transport.takeOver(in: Self.format, now: host(60))
        #expect(transport.hasServer && transport.device == .silence && transport.isJoining)
    }
}
