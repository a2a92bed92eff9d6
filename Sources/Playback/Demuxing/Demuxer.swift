import CFFmpeg
import Media
import Platform
import Synchronization
import Time

/// Reads a container on a thread of its own and hands its packets to the decoders.
///
/// `run` is the thread's whole life. Times of packets leave here in nanoseconds on one unbroken time line: jumps are
/// bridged, and each round of a loop follows the one before.
///
/// Threads: `run` is the demuxer's thread; the container is used there alone. What other threads may ask says so.
final class Demuxer: Sendable {
    enum Outcome: Sendable {
        case opened(MediaInfo)
        case failed(PlaybackError)
    }

    private let location: String
    private let network: NetworkRules
    let packets: PacketBuffer
    private let report: @Sendable (PlaybackProblem) -> Void
    /// The length of a round while looping, in nanoseconds; 0 until the first round is over.
    private let loopLength = Atomic<Int64>(0)
    let subtitles: SubtitleSelection

    init(
        location: String, network: NetworkRules = NetworkRules(), packets: PacketBuffer, subtitles: SubtitleSelection,
        report: @escaping @Sendable (PlaybackProblem) -> Void
    ) {
        self.location = location
        self.network = network
        self.packets = packets
        self.subtitles = subtitles
        self.report = report
    }

    /// How long one round is, once a loop has gone round. Any thread.
    var roundLength: Duration? {
        let length = loopLength.load(ordering: .relaxed)
        return length > 0 ? .nanoseconds(length) : nil
    }

    /// Opens the media, tells `opened`, and reads until the packet buffer is stopped.
    ///
    /// - Parameters:
    ///   - audioTrack: the sound stream that is to play; the one that FFmpeg finds best where there is no such stream.
    ///   - opened: starts the decoders on what they are given; a nil configuration means that there is no such stream, and
    ///     the first of the sound streams is to play. Called once, on this thread. It answers which streams are in use.
    func run(
        wantsAudio: Bool, audioTrack: Int?,
        opened: (Outcome, consuming CodecConfiguration?, [AudioStream]) -> (video: Bool, audio: Bool)
    ) {
        do throws(PlaybackError) {
            let packets = packets
            let input = try MediaInput(
                location: location, isForPlaying: true, network: network,
                reconnecting: { packets.isReconnecting = $0 }, isInterrupted: { packets.isInterrupted })
            var info = MediaInfo(input)
            if let audioTrack, info.isAudio(audioTrack) { info.audioTrack = audioTrack }
            guard info.videoTrack != nil || info.audioTrack != nil else {
                throw .nothingToPlay(reason: "no video or sound in it")
            }
            let video = info.videoTrack.flatMap { input.stream($0) }
            let sounds = wantsAudio ? AudioStream.all(of: input, info) : []
            var picture: CodecConfiguration?
            if let video { picture = try CodecConfiguration(video, of: input.context) }
            let use = opened(.opened(info), picture, sounds)
            if use.video || use.audio {
                var reading = Reading(
                    input: input, info: info, video: use.video ? video : nil,
                    audio: use.audio ? sounds.map(\.track) : [], isAddress: MediaInput.isAddress(location))
                reading.discardTheRest(playing: packets.audioTrack)
                select(&reading)
                read(&reading)
            }
        } catch {
            _ = opened(.failed(error), nil, [])
        }
    }

    enum Glance { case off, seeking, found }

    /// What the thread knows while it reads.
    struct Reading: ~Copyable {
        let input: MediaInput
        let info: MediaInfo
        let video: UnsafeMutablePointer<AVStream>?
        /// The sound streams that can be played.
        let audio: [Int]
        /// The one that plays: the others do not tell where the media ends.
        var playing: Int?
        let isAddress: Bool
        var shelf: SubtitlePacketCache
        var generation = 0
        /// Whether the container's clock may restart anywhere: a broadcast.
        let restarts: Bool
        var timeline: PacketTimeline
        var packetsThisRound = 0
        var failures = 0
        /// Why the connection was lost, until something has come of another attempt.
        var loss: String?
        /// While an exact seek has yet to show that it landed on a keyframe before its target.
        var landing: (target: MediaTime, attempts: Int)?
        /// While a glance has yet to meet its keyframe, or is on: sound is not wanted.
        var glance = Glance.off
        /// The sound that came in the meantime.
        var held = PendingAudio()

        init(
            input: consuming MediaInput, info: MediaInfo, video: UnsafeMutablePointer<AVStream>?,
            audio: [Int], isAddress: Bool
        ) {
            restarts = input.context.pointee.iformat.pointee.flags & AVFMT_TS_DISCONT != 0
            shelf = SubtitlePacketCache(input)
            self.input = input
            self.info = info
            self.video = video
            self.audio = audio
            self.isAddress = isAddress
            timeline = PacketTimeline(start: info.startTime, restarts: restarts)
        }

        /// Up to where it has been read, in seconds.
        var played: Double { Double(timeline.roundLength) / 1e9 }

        /// Whether that is all that the container declares, or it does not say.
        var isWhole: Bool {
            guard let duration = info.duration?.inSeconds else { return true }
            return played >= duration - max(1, duration * 0.02)
        }

        /// Tells the container what is not wanted. Of a file, all sound and all subtitles are read, so that another track
        /// can be had at once; over a network they would cost as much again.
        mutating func discardTheRest(playing track: Int?) {
            playing = track
            let context = input.context.pointee
            for index in 0..<Int(context.nb_streams) {
                guard let stream = context.streams[index] else { continue }
                let isWanted =
                    stream == video || audio.contains(index) && (!isAddress || index == track)
                    || shelf.takes(index) && (!isAddress || index == shelf.selected)
                stream.pointee.discard = isWanted ? AVDISCARD_DEFAULT : AVDISCARD_ALL
            }
        }
    }

    private func read(_ reading: inout Reading) {
        pushStill(reading)
        while true {
            switch packets.nextOrder() {
            case .stop: return
            case .seek(let order):
                reading.generation = order.generation
                reading.discardTheRest(playing: packets.audioTrack)
                reading.loss = nil
                reading.input.forgetLoss()
                seek(&reading, order)
            case .select: select(&reading)
            case .retry:
                reading.failures = 0
                reading.input.forgetLoss()
            case .read: readPacket(&reading)
            }
        }
    }

    /// A cover comes once, with the container; each generation begins with it anew.
    func pushStill(_ reading: borrowing Reading) {
        guard let video = reading.video, isStill(video) else { return }
        do throws(PlaybackError) {
            let packet = try Packet(referring: &video.pointee.attached_pic)
            packet.pointer.pointee.pts = reading.info.startTime.nanoseconds
            packet.pointer.pointee.dts = packet.pointer.pointee.pts
            packets.push(.packet(packet), to: .video, generation: reading.generation)
        } catch {
            report(.damagedData(reason: error.description))
        }
        packets.push(.end(isLoop: false), to: .video, generation: reading.generation)
    }

    private func readPacket(_ reading: inout Reading) {
        guard let packet = try? Packet() else { return readFailed(&reading, outOfMemory) }
        let code = reading.input.read(packet.pointer)
        guard code >= 0 else { return readFailed(&reading, code) }
        reading.failures = 0
        reading.loss = nil
        let index = packet.pointer.pointee.stream_index
        let stream: UnsafeMutablePointer<AVStream>
        let kind: PacketBuffer.Stream
        if let video = reading.video, video.pointee.index == index {
            if isStill(video) { return }
            (stream, kind) = (video, .video)
        } else if reading.audio.contains(Int(index)), let audio = reading.input.stream(Int(index)) {
            (stream, kind) = (audio, .audio)
        } else {
            return takeSubtitle(packet, &reading)
        }
        // A read that was broken off leaves a torn packet too, and that is no damage.
        if packet.pointer.pointee.flags & AV_PKT_FLAG_CORRUPT != 0, !packets.isInterrupted {
            if !reading.input.hasReachedEnd {
                report(.damagedData(reason: "a packet is incomplete"))
            } else if av_get_bits_per_sample(stream.pointee.codecpar.pointee.codec_id) == 0 {
                // The file ends within it, and that is what is said. A decoder would call what there is of it damage;
                // only of plain samples every part can be played.
                return
            }
        }
        av_packet_rescale_ts(packet.pointer, stream.pointee.time_base, glissade_time_base_nanoseconds())
        packet.times = reading.timeline.place(
            packet.times, stream: Int(index), tellsEnd: kind == .video || packet.track == reading.playing)
        reading.packetsThisRound += 1
        if reading.glance != .off {
            takeGlance(packet, of: kind, &reading)
        } else if reading.landing != nil {
            land(packet, to: kind, &reading)
        } else {
            packets.push(.packet(packet), to: kind, generation: reading.generation)
        }
    }

    private func readFailed(_ reading: inout Reading, _ code: CInt) {
        if packets.isInterrupted { return }
        // Interrupted for a request that has been withdrawn since: nothing is wrong with the file.
        if code == glissade_averror_exit(), reading.input.lossReason(code, isWhole: reading.isWhole) == nil { return }
        reading.failures += 1
        // Some demuxers step over what they cannot read; one that does not would be asked for ever.
        let isIndexTooLarge = code == MediaInput.indexTooLarge
        let isEnd =
            code == glissade_averror_eof() || reading.input.hasReachedEnd || reading.failures >= 64 || isIndexTooLarge
        // What the network withholds is no end, whatever the demuxer makes of it. Some make an end of it for good: nothing
        // comes of another attempt then.
        if let reason = reading.input.lossReason(code, isWhole: reading.isWhole) ?? (isEnd ? reading.loss : nil) {
            reading.loss = reason
            return packets.lose(reason, generation: reading.generation)
        }
        if !isEnd {
            report(.damagedData(reason: describe(code: code)))
            return
        }
        if isIndexTooLarge { report(.damagedData(reason: "its index takes more memory than a film may")) }
        if reading.landing != nil {
            if seekEarlier(&reading) { return }
            settle(&reading)
        }
        if reading.glance == .off, packets.isLooping, beginNextRound(&reading) { return }
        if reading.glance != .off { return packets.pushEnd(generation: reading.generation) }
        reportEarlyEnd(reading)
        packets.pushEnd(generation: reading.generation)
    }

    private func reportEarlyEnd(_ reading: borrowing Reading) {
        guard !reading.isWhole, let duration = reading.info.duration else { return }
        report(.endsEarly(at: reading.played, declared: duration.inSeconds))
    }

    /// Goes back to the start, so that the first packets follow on the last; false where that cannot be done.
    private func beginNextRound(_ reading: inout Reading) -> Bool {
        let length = reading.timeline.roundLength
        // A still picture, or a file of which nothing can be read, would only be read over and over.
        guard reading.packetsThisRound > 0, length >= 100_000_000 else { return false }
        guard goToStart(reading) else { return false }
        reading.timeline.beginNextRound()
        reading.packetsThisRound = 0
        loopLength.store(length, ordering: .relaxed)
        if reading.video != nil { packets.push(.end(isLoop: true), to: .video, generation: reading.generation) }
        if !reading.audio.isEmpty { packets.push(.end(isLoop: true), to: .audio, generation: reading.generation) }
        return true
    }
}

// MARK: - Subtitles

extension Demuxer {
    /// Tells the receiver what is chosen, and gives it what was read of that lately; and the container what is not.
    package func select(_ reading: inout Reading) {
        let (track, receiver) = subtitles.current
        reading.shelf.select(track, for: receiver, in: reading.input)
        reading.discardTheRest(playing: packets.audioTrack)
    }

    func takeSubtitle(_ packet: consuming Packet, _ reading: inout Reading) {
        guard reading.shelf.takes(packet.track), let stream = reading.input.stream(packet.track) else { return }
        av_packet_rescale_ts(packet.pointer, stream.pointee.time_base, glissade_time_base_nanoseconds())
        guard let time = packet.time, PacketTimeline.sane(time) != nil else { return }
        reading.shelf.take(packet, of: stream)
    }
}
