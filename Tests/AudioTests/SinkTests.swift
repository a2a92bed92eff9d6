import Glibc
import GlissadePlatform
import Testing
import GlissadeTestSupport
import GlissadeTime

@testable import GlissadeAudio

/// Sinks that come and go, and servers that do not answer.
@Suite("Changing audio sinks", .serialized) struct SinkTests {
    private static func output(
        _ address: String, _ events: Monitor<[AudioEvent]> = Monitor([])
    ) -> AudioOutput {
        AudioOutput(backend: .pulse, server: address, applicationName: "test", streamName: "counted") { event in
            events.update { $0.append(event) }
        }
    }

    @Test(
        "A stream moved to a sink with other channels continues there in those channels without losing time",
        arguments: SoundServer.Kind.available)
    func otherChannels(kind: SoundServer.Kind) throws {
        let server = try SoundServer(kind)
        try server.addSink("surround", channels: 6)
        let events = Monitor<[AudioEvent]>([])
        let output = Self.output(server.address, events)
        output.waitUntilReady(until: .now() + .seconds(5))
        let feeder = Feeder(output, generation: 0)
        output.start(from: .zero, generation: 0)
        #expect(feeder.hasWritten(to: 1))
        let before = try #require(output.position(at: .now()))
        let moved = HostTime.now()
        try server.moveStreams(to: "surround")
        let surround = AudioFormat(sampleRate: 48_000, channelCount: 6)
        #expect(events.wait(until: .now() + .seconds(10)) { $0.contains(.connected(surround)) ? true : nil } == true)
        print("the other sink's shape was followed after", (HostTime.now() - moved).inMilliseconds, "ms")
        #expect(output.format == surround)
        // It is heard there, and where it should be by now.
        #expect(feeder.hasWritten(to: 5))
        let (after, now) = (try #require(output.position(at: .now())), HostTime.now())
        #expect(after.isServerLed)
        #expect(abs(((after.mediaTime - before.mediaTime) - (now - moved)).inMilliseconds) < 100)
        output.stop()
        feeder.join()
    }

    @Test(
        "A sink that vanishes as audio starts leaves silence that continues at once",
        arguments: SoundServer.Kind.available)
    func vanishes(kind: SoundServer.Kind) throws {
        let server = try SoundServer(kind)
        let output = Self.output(server.address)
        output.waitUntilReady(until: .now() + .seconds(5))
        let feeder = Feeder(output, generation: 0)
        output.start(from: .zero, generation: 0)
        let started = HostTime.now()
        try server.removeSinks()
        // A decoder that is let go on: something plays, if only silence.
        #expect(feeder.hasWritten(to: 2))
        let position = try #require(output.position(at: .now()))
        // As its sink goes, PipeWire has what it held as heard at once.
        #expect(position.mediaTime - .zero <= HostTime.now() - started + .milliseconds(250))
        output.stop()
        feeder.join()
    }

    @Test("A server that accepts but never answers is given up, and time continues in silence")
    func neverAnswers() throws {
        let deaf = try DeafSocket()
        let events = Monitor<[AudioEvent]>([])
        let output = Self.output(deaf.address, events)
        let feeder = Feeder(output, generation: 0)
        output.start(from: .zero, generation: 0)
        // Sound is waited for as long as its server may answer; a caller that will not wait that long lets the picture lead.
        #expect(output.onset == nil)
        let event = events.wait(until: .now() + .seconds(20)) { $0.first }
        guard case .unavailable = event else {
            Issue.record("not given up: \(String(describing: event))")
            return
        }
        #expect(output.onset?.mediaTime == .zero)
        #expect(feeder.hasWritten(to: 1))
        output.stop()
        feeder.join()
    }

    @Test("While video leads, a server that never answers is not waited for")
    func picturesLeadsBesideDeafServer() throws {
        let deaf = try DeafSocket()
        let output = Self.output(deaf.address)
        let feeder = Feeder(output, generation: 0)
        let now = HostTime.now()
        output.follow(.zero, at: now, speed: 1, generation: 0)
        #expect(output.onset?.host == now)
        #expect(feeder.hasWritten(to: 1))
        let position = try #require(output.position(at: .now()))
        #expect(abs(((position.mediaTime - .zero) - (HostTime.now() - now)).inMilliseconds) < 50)
        output.stop()
        feeder.join()
    }
}

/// A socket whose connections wait for ever.
private final class DeafSocket {
    private let descriptor: Int32
    private let path: String

    var address: String { "unix:\(path)" }

    init() throws {
        path = "/tmp/glissade-deaf-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(bound == 0 && listen(descriptor, 8) == 0)
    }

    deinit {
        close(descriptor)
        unlink(path)
    }
}
