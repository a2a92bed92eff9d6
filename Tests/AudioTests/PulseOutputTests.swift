import GlissadePlatform
import Synchronization
import Testing
import GlissadeTestSupport
import GlissadeTime

@testable import GlissadeAudio

/// Against real servers, judged by what their sink plays.
@Suite("PulseAudio output", .serialized) struct PulseOutputTests {
    /// An output, its decoder and a recorder of what is played.
    private struct Rig: CustomReflectable {
        let output: AudioOutput
        let events: Monitor<[AudioEvent]>
        /// What a failing expectation looks at: the locks within would end the program.
        var customMirror: Mirror { Mirror(self, children: []) }

        init(_ address: String) {
            let events = Monitor([AudioEvent]())
            self.events = events
            output = AudioOutput(backend: .pulse, server: address, applicationName: "test", streamName: "counted") {
                event in events.update { $0.append(event) }
            }
            output.waitUntilReady(until: .now() + .seconds(5))
        }

        func event(_ index: Int, atMost bound: Duration = .seconds(10)) -> AudioEvent? {
            events.wait(until: .now() + bound) { $0.count > index ? $0[index] : nil }
        }
    }

    /// Plays and asks for the position with each piece recorded, until `count` frames of sound have been heard.
    private struct Missing: Error { var what: String }

    // Not in `#require`: describing what it was given, a rig, ends the process.
    private func play(_ rig: Rig, _ recorder: MonitorRecorder, frames count: Int) throws -> [(HostTime, AudioPosition)]
    {
        var asked: [(HostTime, AudioPosition)] = []
        let found: [(HostTime, AudioPosition)]? = recorder.wait { recording in
            let now = HostTime.now()
            if let position = rig.output.position(at: now) { asked.append((now, position)) }
            return CountedAudio.heardAtEnd(recording).map { $0 >= count } == true ? asked : nil
        }
        guard let found else { throw Missing(what: "\(count) frames") }
        return found
    }

    /// The position now, or as soon as there is one: on a busy machine the feeder may be late for a moment.
    private func position(_ rig: Rig, _ recorder: MonitorRecorder) throws -> AudioPosition {
        let found: AudioPosition? = recorder.wait { _ in rig.output.position(at: .now()) }
        guard let found else { throw Missing(what: "position") }
        return found
    }

    private func position(_ rig: Rig, at time: HostTime) throws -> AudioPosition {
        guard let position = rig.output.position(at: time) else { throw Missing(what: "position") }
        return position
    }

    /// Says so where a kind is left out of the tests below.
    @Test(
        "PulseAudio is installed for these tests",
        .enabled(if: SoundServer.Kind.pulseAudio.isInstalled, "no pulseaudio, or no pactl (Scripts/packages test)"))
    func pulseAudioStarts() throws { _ = try SoundServer(.pulseAudio) }

    @Test(
        "PipeWire is installed for these tests",
        .enabled(
            if: SoundServer.Kind.pipeWire.isInstalled,
            "no pipewire, wireplumber, pipewire-pulse, or no pactl (Scripts/packages test)"))
    func pipeWireStarts() throws { _ = try SoundServer(.pipeWire) }

    @Test(
        "The reported audible position matches what the sink plays at that time", arguments: SoundServer.Kind.available)
    func positionIsTrue(kind: SoundServer.Kind) throws {
        // A busy machine may interrupt the server, though not each time.
        #expect(try (1...4).contains { _ in try isPositionTrue(kind) })
    }

    /// Whether all sound was recorded, and was so near to the position that was reported; plays for three seconds.
    private func isPositionTrue(_ kind: SoundServer.Kind) throws -> Bool {
        let server = try SoundServer(kind)
        let recorder = MonitorRecorder(server: server.address)
        try #require(recorder.waitUntilSettled())
        let rig = Rig(server.address)
        let feeder = Feeder(rig.output, generation: 0)
        rig.output.start(from: .zero, generation: 0)
        let asked = try play(rig, recorder, frames: 144_000)
        // What was asked last is only recorded later.
        let recording = try #require(
            recorder.wait { recording in asked.last.flatMap { recording.frame(at: $0.0) } == nil ? nil : recording })
        rig.output.stop()
        feeder.join()
        let errors = asked.compactMap { host, position -> Double? in
            guard let frame = recording.frame(at: host), let number = CountedAudio.number(recording, frame) else {
                return nil
            }
            return position.mediaTime.seconds * 1000 - Double(number) / 48
        }.sorted()
        let worst = try #require(errors.map(abs).max())
        print(
            "position against the recorded sound, \(errors.count) of \(asked.count): median",
            errors[errors.count / 2], "ms, from", errors[0], "to", errors[errors.count - 1], "ms; the ear's own spread",
            recording.startSpread.inMilliseconds, "ms; underruns", rig.output.underrunCount)
        #expect(errors.count > 100)
        #expect(asked.last?.1.isServerLed == true)
        for (a, b) in zip(asked, asked.dropFirst()) { #expect(a.1.mediaTime <= b.1.mediaTime) }
        return worst < 40 && CountedAudio.breaks(CountedAudio.numbers(recording)).isEmpty
    }

    @Test(
        "A pause is silent and loses or repeats no sample",
        arguments: SoundServer.Kind.available)
    func pauseAndResume(kind: SoundServer.Kind) throws {
        let server = try SoundServer(kind, rewinds: false)
        let recorder = MonitorRecorder(server: server.address)
        try #require(recorder.waitUntilSettled())
        let rig = Rig(server.address)
        let feeder = Feeder(rig.output, generation: 0)
        rig.output.start(from: .zero, generation: 0)
        _ = try play(rig, recorder, frames: 24_000)
        rig.output.pause()
        let frozen = try position(rig, recorder)
        // Half a second of silence at the end of the recording.
        try #require(recorder.wait { CountedAudio.silenceAtEnd($0) > 24_000 ? true : nil } == true)
        #expect(rig.output.position(at: .now()) == frozen)
        rig.output.resume()
        _ = try play(rig, recorder, frames: 96_000)
        rig.output.stop()
        feeder.join()
        let numbers = CountedAudio.numbers(recorder.recording)
        print("numbers break at", CountedAudio.breaks(numbers))
        #expect(CountedAudio.breaks(numbers).isEmpty)
    }

    @Test(
        "After a flush nothing old is heard, and the new audio from its start", arguments: SoundServer.Kind.available
    )
    func flush(kind: SoundServer.Kind) throws {
        let server = try SoundServer(kind, rewinds: false)
        let recorder = MonitorRecorder(server: server.address)
        try #require(recorder.waitUntilSettled())
        let rig = Rig(server.address)
        let old = Feeder(rig.output, generation: 0)
        rig.output.start(from: .zero, generation: 0)
        _ = try play(rig, recorder, frames: 24_000)
        rig.output.flush(generation: 1)
        #expect(rig.output.position(at: .now()) == nil)
        old.join()
        // The decoder begins at a keyframe before; the start cuts it to the sample.
        let new = Feeder(rig.output, generation: 1, from: 19.9)
        rig.output.start(from: MediaTime(seconds: 20), generation: 1)
        let asked = try play(rig, recorder, frames: 984_000)
        rig.output.stop()
        new.join()
        let numbers = CountedAudio.numbers(recorder.recording)
        let breaks = CountedAudio.breaks(numbers)
        let heard = try #require(breaks.first)
        #expect(breaks.count == 1)
        #expect(heard.1 == 960_000)
        print("heard after the flush was called:", heard.0)
        #expect(asked.allSatisfy { $0.1.generation == 1 && $0.1.mediaTime >= MediaTime(seconds: 20) })
    }

    @Test("A gap in the media is played as silence of the same length", arguments: SoundServer.Kind.available)
    func gap(kind: SoundServer.Kind) throws {
        let server = try SoundServer(kind)
        let recorder = MonitorRecorder(server: server.address)
        try #require(recorder.waitUntilSettled())
        let rig = Rig(server.address)
        let feeder = Feeder(rig.output, generation: 0, skip: 0.512..<1)
        rig.output.start(from: .zero, generation: 0)
        _ = try play(rig, recorder, frames: 72_000)
        rig.output.stop()
        feeder.join()
        let recording = recorder.recording
        let heard = (0..<recording.frameCount).compactMap { frame in
            CountedAudio.number(recording, frame).map { (frame: frame, number: $0) }
        }
        let before = try #require(heard.last { $0.number < 48_000 })
        let after = try #require(heard.first { $0.number >= 48_000 })
        #expect(after.number == 48_000)
        #expect(after.frame - before.frame == after.number - before.number)
    }

    @Test(
        "When the server dies, playback time continues at once, and audio returns with the server",
        arguments: SoundServer.Kind.available)
    func serverDies(kind: SoundServer.Kind) throws {
        let server = try SoundServer(kind)
        let recorder = MonitorRecorder(server: server.address)
        try #require(recorder.waitUntilSettled())
        let rig = Rig(server.address)
        let feeder = Feeder(rig.output, generation: 0)
        rig.output.start(from: .zero, generation: 0)
        _ = try play(rig, recorder, frames: 48_000)
        let before = try position(rig, recorder)
        let killed = HostTime.now()
        server.stop()
        #expect(rig.event(0) == .connected(.standard))
        guard case .lost = rig.event(1) else {
            Issue.record("not lost: \(rig.events.withLock { $0 })")
            return
        }
        let noticed = HostTime.now()
        let after = try position(rig, at: noticed)
        let off = ((after.mediaTime - before.mediaTime) - (noticed - killed)).inMilliseconds
        print("loss noticed after", (noticed - killed).inMilliseconds, "ms; the position is off by", off, "ms")
        #expect(!after.isServerLed)
        #expect(abs(off) < 40)
        try server.restart()
        let again = MonitorRecorder(server: server.address)
        #expect(rig.event(2) == .connected(.standard))
        let from = try #require(again.wait { CountedAudio.numbers($0).first })
        let asked = try play(rig, again, frames: from + 96_000)
        let recording = try #require(
            again.wait { recording in asked.last.flatMap { recording.frame(at: $0.0) } == nil ? nil : recording })
        rig.output.stop()
        feeder.join()
        #expect(CountedAudio.breaks(CountedAudio.numbers(recording)).isEmpty)
        let (host, position) = try #require(asked.last)
        #expect(position.isServerLed)
        let number = try #require(recording.frame(at: host).flatMap { CountedAudio.number(recording, $0) })
        print("after the return the position is off by", position.mediaTime.seconds * 1000 - Double(number) / 48, "ms")
        #expect(abs(position.mediaTime.seconds * 1000 - Double(number) / 48) < 40)
        // All along, media time kept up with the clock: nothing waited for the server.
        let drift = ((position.mediaTime - before.mediaTime) - (host - killed)).inMilliseconds
        print("media time against the clock over the loss:", drift, "ms")
        #expect(abs(drift) < 100)
    }

    @Test("A server that hangs without closing its socket is given up", arguments: SoundServer.Kind.available)
    func serverHangs(kind: SoundServer.Kind) throws {
        let server = try SoundServer(kind)
        let recorder = MonitorRecorder(server: server.address)
        try #require(recorder.waitUntilSettled())
        let rig = Rig(server.address)
        let feeder = Feeder(rig.output, generation: 0)
        rig.output.start(from: .zero, generation: 0)
        _ = try play(rig, recorder, frames: 24_000)
        let before = try position(rig, recorder)
        let frozen = HostTime.now()
        server.setFrozen(true)
        defer { server.setFrozen(false) }
        guard case .lost = rig.event(1) else {
            Issue.record("not lost: \(rig.events.withLock { $0 })")
            return
        }
        // Silence goes on where the sound would be by now, once the decoder has come there: no time was lost.
        let position = recorder.wait { _ in rig.output.position(at: .now()).map { ($0, HostTime.now()) } }
        let (after, now) = try #require(position)
        #expect(!after.isServerLed)
        let drift = ((after.mediaTime - before.mediaTime) - (now - frozen)).inMilliseconds
        print("media time against the clock over the halt:", drift, "ms")
        #expect(abs(drift) < 100)
        rig.output.stop()
        feeder.join()
    }

    @Test(
        "While the device is suspended, time continues in silence, and audio returns with the device",
        arguments: SoundServer.Kind.available.filter(\.canSuspend))
    func suspends(kind: SoundServer.Kind) throws {
        let server = try SoundServer(kind)
        let recorder = MonitorRecorder(server: server.address)
        try #require(recorder.waitUntilSettled())
        let rig = Rig(server.address)
        let feeder = Feeder(rig.output, generation: 0)
        rig.output.start(from: .zero, generation: 0)
        _ = try play(rig, recorder, frames: 48_000)
        let before = try position(rig, recorder)
        let began = HostTime.now()
        try #require(server.setSuspended(true))
        // The recorder hears nothing meanwhile; what is waited for is the decoder, which silence keeps going.
        #expect(feeder.hasWritten(to: before.mediaTime.seconds + 1))
        #expect(rig.output.position(at: .now())?.isServerLed == false)
        try #require(server.setSuspended(false))
        let asked = try play(rig, recorder, frames: 144_000)
        let (host, position) = try #require(asked.last)
        #expect(position.isServerLed)
        let drift = ((position.mediaTime - before.mediaTime) - (host - began)).inMilliseconds
        print("media time against the clock over the suspension:", drift, "ms")
        #expect(abs(drift) < 100)
        rig.output.stop()
        feeder.join()
    }

    @Test(
        "A server that comes back with another sample format is fed in that format",
        arguments: SoundServer.Kind.available)
    func formatChanges(kind: SoundServer.Kind) throws {
        // On a busy machine the server itself skips some milliseconds: not in each run.
        #expect(try (1...4).contains { _ in try isFedWhole(kind) })
    }

    /// Whether all is heard without a break, and at its time, after the server has come back with another format.
    private func isFedWhole(_ kind: SoundServer.Kind) throws -> Bool {
        let server = try SoundServer(kind)
        let recorder = MonitorRecorder(server: server.address)
        try #require(recorder.waitUntilSettled())
        let rig = Rig(server.address)
        let feeder = Feeder(rig.output, generation: 0)
        rig.output.start(from: .zero, generation: 0)
        _ = try play(rig, recorder, frames: 24_000)
        let before = try position(rig, recorder)
        let killed = HostTime.now()
        server.stop()
        try server.restart(rate: 44_100)
        let again = MonitorRecorder(server: server.address, sampleRate: 44_100)
        #expect(rig.event(2) == .connected(AudioFormat(sampleRate: 44_100, channelCount: 2)))
        let from = try #require(again.wait { CountedAudio.numbers($0).first })
        let asked = try play(rig, again, frames: from + 44_100)
        rig.output.stop()
        feeder.join()
        #expect(feeder.formatChanges > 0)
        let (host, position) = try #require(asked.last)
        let drift = ((position.mediaTime - before.mediaTime) - (host - killed)).inMilliseconds
        print("media time against the clock over the change:", drift, "ms")
        return CountedAudio.breaks(CountedAudio.numbers(again.recording)).isEmpty && abs(drift) < 100
    }

    @Test("Volume and mute take effect", arguments: SoundServer.Kind.available)
    func volume(kind: SoundServer.Kind) throws {
        let server = try SoundServer(kind)
        let recorder = MonitorRecorder(server: server.address)
        try #require(recorder.waitUntilSettled())
        let rig = Rig(server.address)
        let tone = ToneFeeder(rig.output)
        rig.output.start(from: .zero, generation: 0)
        func wait(for level: Float) -> Bool {
            recorder.wait { recording in
                guard recording.frameCount > 480 else { return nil }
                let last = (recording.frameCount - 480..<recording.frameCount).map { recording[$0, 0] }
                return last.allSatisfy { abs($0 - level) < 0.001 } ? true : nil
            } ?? false
        }
        #expect(wait(for: 0.5))
        rig.output.volume = 0.5
        let asked = HostTime.now()
        // Cubic: half of the way is an eighth of the amplitude.
        #expect(wait(for: 0.0625))
        print("a change of volume is recorded after", (HostTime.now() - asked).inMilliseconds, "ms")
        rig.output.isMuted = true
        #expect(wait(for: 0))
        rig.output.isMuted = false
        rig.output.volume = 1
        #expect(wait(for: 0.5))
        rig.output.stop()
        tone.join()
    }

    @Test("Without any server, silence plays at once")
    func noServer() throws {
        let output = AudioOutput(
            backend: .pulse, server: "unix:/nowhere/native", applicationName: "test", streamName: "counted")
        let before = HostTime.now()
        output.waitUntilReady(until: before + .seconds(5))
        #expect(HostTime.now() - before < .seconds(1))
        #expect(output.format == .standard)
        let feeder = Feeder(output, generation: 0, to: 1)
        let started = HostTime.now()
        output.start(from: .zero, generation: 0)
        feeder.join()
        let position = try #require(output.position(at: .now()))
        let off = (position.mediaTime - .zero) - (HostTime.now() - started)
        #expect(abs(off.inMilliseconds) < 20)
        #expect(!position.isServerLed)
    }

    @Test("The end is reported when the last sample has been heard", arguments: SoundServer.Kind.available)
    func end(kind: SoundServer.Kind) throws {
        let server = try SoundServer(kind, rewinds: false)
        let recorder = MonitorRecorder(server: server.address)
        try #require(recorder.waitUntilSettled())
        let rig = Rig(server.address)
        let feeder = Feeder(rig.output, generation: 0, to: 0.02)
        #expect(!rig.output.hasEnded(at: .now()))
        rig.output.start(from: .zero, generation: 0)
        // Shorter than the prebuffer: it must be played none the less.
        #expect(recorder.wait { rig.output.hasEnded(at: .now()) ? CountedAudio.numbers($0).count : nil } != nil)
        #expect(recorder.wait { CountedAudio.numbers($0).count == 1024 ? true : nil } == true)
        #expect(rig.output.position(at: .now()) == nil)
        feeder.join()
    }

    @Test(
        "When the decoder falls behind there is no position, and the next sample restores it",
        arguments: SoundServer.Kind.available)
    func starves(kind: SoundServer.Kind) throws {
        let server = try SoundServer(kind)
        let recorder = MonitorRecorder(server: server.address)
        try #require(recorder.waitUntilSettled())
        let rig = Rig(server.address)
        let stuck = Feeder(rig.output, generation: 0)
        rig.output.start(from: .zero, generation: 0)
        _ = try play(rig, recorder, frames: 24_000)
        stuck.halt()
        stuck.join()
        #expect(recorder.wait { _ in rig.output.position(at: .now()) == nil ? true : nil } == true)
        let last = try #require(CountedAudio.numbers(recorder.recording).last)
        let feeder = Feeder(rig.output, generation: 0, from: Double(last + 1) / 48_000)
        let asked = try play(rig, recorder, frames: last + 24_000)
        #expect(asked.first.map { $0.1.mediaTime.seconds * 48_000 >= Double(last - 1024) } == true)
        #expect(rig.output.underrunCount >= 1)
        rig.output.stop()
        feeder.join()
    }
}
