import GlissadeCFFmpeg
import Foundation
import GlissadePlatform
import Synchronization
import Testing
import GlissadeTestSupport
import GlissadeTime

@testable import GlissadeMedia
@testable import GlissadePlayback

@MainActor @Suite("Player edge cases", .serialized) struct PlayerEdgeTests {
    @Test("Choosing a track while a seek is pending does not change the seek")
    func pendingSeek() throws {
        let harness = PlaybackHarness(try Clips.tracks(), options: .paused, audio: .silent)
        let player = harness.player
        harness.pauseAtStart()
        let now = harness.now
        player.seek(to: .seconds(1), now: now)
        player.seek(to: .milliseconds(3005), mode: .fast, now: now)
        let pending = try #require(player.pendingSeek)
        #expect(player.selectAudioTrack(2, now: now))
        #expect(player.pendingSeek?.target == pending.target && player.pendingSeek?.mode == .fast)
        player.seek(to: .milliseconds(3230), now: now)
        player.setSpeed(2, now: now)
        #expect(player.position(at: now) == .milliseconds(3230))
        #expect(harness.run { harness.last?.number == 80 && player.phase == .paused })
        #expect(player.pipeline.packets.audioTrack == 2)
    }

    @Test("A pending seek is carried out for audio alone, too")
    func pendingAudioSeek() throws {
        let harness = PlaybackHarness(
            try Clips.file("long.flac", ffmpeg: NumberedFrames.tone + ["-t", "9"]), audio: .silent)
        let player = harness.player
        harness.open()
        for place in [3, 7] {
            player.seek(to: .seconds(1), now: harness.now)
            let generation = player.audioGeneration
            #expect(harness.wait { $0.pipeline.audioDecoder?.isReady(generation) == true })
            guard case .preroll(let preroll) = player.phase else {
                Issue.record("the seek is over before another one can wait for it")
                continue
            }
            player.seek(to: .seconds(place), now: preroll.since)
            #expect(harness.run { player.isRunning })
            #expect(player.pendingSeek == nil && player.position(at: harness.now) >= .seconds(place))
        }
    }

    @Test("If the only audio cannot be decoded playback fails and stays failed")
    func refused() throws {
        let path = try Clips.file(
            "two-tones.mka",
            ffmpeg: NumberedFrames.tone + NumberedFrames.tone + ["-map", "0", "-map", "1", "-c:a", "flac", "-t", "2"])
        var data = try Clips.bytes(path)
        let codec = Data("A_FLAC".utf8)
        let second = try #require(data.range(of: codec, options: .backwards))
        data.replaceSubrange(second, with: Data("A_FLOP".utf8))
        let harness = PlaybackHarness(try Clips.file("one-tone.mka", data: data), audio: .silent)
        #expect(harness.player.selectAudioTrack(1, now: harness.now))
        #expect(harness.run { if case .failed = harness.player.phase { true } else { false } })
        for _ in 0..<100 {
            harness.player.advance(to: harness.now)
            guard case .failed(.nothingToPlay) = harness.player.phase else {
                Issue.record("it goes on")
                return
            }
        }
    }

    @Test("A step after the last frame is forgotten, and the last frame can be shown again")
    func stepPastEnd() throws {
        let harness = PlaybackHarness(try Clips.film(), options: .paused)
        let player = harness.player
        harness.pauseAtStart()
        #expect(harness.seek(to: .milliseconds(3965))?.number == 99)
        #expect(harness.run { player.phase == .paused && !player.hasNextFrame })
        player.stepFrame(forward: true, now: harness.now)
        #expect(!player.isStepPending)
        #expect(player.refresh(now: harness.now))
        #expect(harness.nextFrame()?.number == 99)
        // Where the end is not known yet when the step is made, it comes to nothing as soon as it is.
        player.seek(to: .milliseconds(3965), now: harness.now)
        player.stepFrame(forward: true, now: harness.now)
        #expect(harness.run { player.phase == .paused && !player.isStepPending })
        #expect(harness.last?.number == 99)
    }

    @Test("Every step counts, even several at once, while a held key leaves only a few pending")
    func stepsAtOnce() throws {
        let harness = PlaybackHarness(try Clips.film(), options: .paused)
        let player = harness.player
        harness.pauseAtStart()
        let first = try #require(harness.seek(to: .milliseconds(1000))?.number)
        #expect(harness.run { player.phase == .paused && player.hasNextFrame })
        for _ in 1...2 { player.stepFrame(forward: true, now: harness.now) }
        #expect([harness.nextFrame()?.number, harness.nextFrame()?.number] == [first + 1, first + 2])
        #expect(!player.isStepPending)
        for _ in 1...100 { player.stepFrame(forward: true, now: harness.now) }
        for _ in 1...4 { _ = harness.nextFrame() }
        #expect(harness.last?.number == first + 6)
        #expect(!player.isStepPending)
        // One back takes back what was asked for.
        for _ in 1...3 { player.stepFrame(forward: true, now: harness.now) }
        player.stepFrame(forward: false, now: harness.now)
        #expect(!player.isStepPending)
        #expect(harness.nextFrame()?.number == first + 5)
    }

    @Test("Another track chosen while paused is heard on resuming, even if the media cannot be sought")
    func unseekable() throws {
        for turnsOff in [false, true] {
            let harness = PlaybackHarness(try Clips.tracks(), audio: .silent)
            let player = harness.player
            #expect(harness.run { harness.shown.count >= 10 })
            player.info?.isSeekable = false
            player.pause(now: harness.now)
            if turnsOff { player.selectAudioTrack(nil, now: harness.now) }
            player.selectAudioTrack(2, now: harness.now)
            #expect(player.phase == .paused && player.pipeline.packets.audioTrack == 2)
            let generation = player.audioGeneration
            player.play(now: harness.now)
            #expect(
                harness.run {
                    player.isRunning && player.pipeline.audio?.position(at: .now())?.generation == generation
                })
            #expect(harness.runToEnd() && harness.problems.isEmpty)
        }
    }

    @Test("A track turned on while paused is heard from the position of the video")
    func pausedOffToOther() throws {
        let harness = PlaybackHarness(try Clips.tracks(), audio: .silent)
        let player = harness.player
        #expect(harness.run { harness.shown.count >= 30 })
        player.pause(now: harness.now)
        player.selectAudioTrack(nil, now: harness.now)
        player.selectAudioTrack(2, now: harness.now)
        #expect(player.phase == .paused)
        // Nothing of it goes to a decoder of the generation that is over.
        #expect(player.pipeline.audioDecoder?.end(player.audioGeneration) == nil)
        player.play(now: harness.now)
        #expect(harness.run { player.isRunning && player.pipeline.audio?.position(at: .now()) != nil })
        let now = HostTime.now()
        let heard = try #require(player.pipeline.audio?.position(at: now))
        #expect(abs((heard.mediaTime - player.clock.time(at: now)).inMilliseconds) < 40)
        #expect(harness.runToEnd() && harness.problems.isEmpty)
    }
}

@Suite("Pending audio", .serialized) struct PendingAudioTests {
    private func audio(_ time: Int64, track: Int32) -> Packet {
        let packet = try! Packet()
        av_new_packet(packet.pointer, 10)
        packet.pointer.pointee.pts = time
        packet.pointer.pointee.stream_index = track
        return packet
    }

    @Test("Packets of a newly chosen stream wait for the generation they belong to")
    func selecting() throws {
        let buffer = PacketBuffer()
        buffer.activate(.audio, track: 1)
        buffer.activate(.audio, track: 2, isSelected: false)
        for track in [1, 2] as [Int32] { buffer.push(.packet(audio(0, track: track)), to: .audio, generation: 0) }
        buffer.selectAudio(track: 2)
        let first = Monitor<(generation: Int, track: Int)?>(nil)
        let thread = try NamedThread(name: "waiting decoder") {
            if case .item(_, let generation) = buffer.next(.audio) {
                first.update { $0 = (generation.number, generation.track) }
            }
        }
        let isWaiting = try eventually {
            try ProcessStatus.threadCount(named: "waiting decoder") == 1
                && ProcessStatus.awakeThreadCount(named: "waiting decoder") == 0
        }
        #expect(isWaiting)
        #expect(buffer.restartAudio(track: 2, from: .zero, generation: 7, takesAnything: true))
        let got = first.wait(until: .now() + .seconds(20)) { $0 }
        #expect(got?.generation == 7 && got?.track == 2)
        buffer.stop()
        thread.join()
    }

    @Test("While a seek lands, streams that do not play leave room for the one that does")
    func landing() throws {
        silenceFFmpeg()
        let packets = PacketBuffer()
        let demuxer = Demuxer(
            location: "", packets: packets, subtitles: SubtitleSelection(track: nil), report: { _ in })
        let input = try MediaInput(location: try Clips.tracks(), isInterrupted: { false })
        let info = MediaInfo(input)
        let streams = AudioStream.all(of: input, info)
        var reading = Demuxer.Reading(
            input: input, info: info, video: nil, cover: nil, audio: streams, isStream: false,
            retries: RetrySchedule(pauses: []))
        reading.playing = 1
        reading.landing = (.zero, 0)
        for time in 0..<5000 as Range<Int64> { demuxer.land(audio(time, track: 2), to: .audio, &reading) }
        let (isLanding, count) = (reading.landing != nil, reading.held.count)
        #expect(isLanding && count == reading.held.capacity / 2)
        for time in 0..<400 as Range<Int64> { demuxer.land(audio(time, track: 1), to: .audio, &reading) }
        let (isLandingYet, all) = (reading.landing != nil, reading.held.count)
        #expect(isLandingYet && all == reading.held.capacity / 2 + 400)
    }
}
