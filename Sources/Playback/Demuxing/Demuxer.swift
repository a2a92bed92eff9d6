import GlissadeCFFmpeg
import GlissadeMedia
import GlissadePlatform
import Synchronization
import GlissadeTime

/// Reads a container on its own thread and passes packets to the decoders.
///
/// Packet times are in nanoseconds on a continuous timeline: jumps are removed, and each pass of a loop follows the
/// previous pass.
///
/// Threads: `run` is the main function of the demuxer's thread. Other threads may use only the members marked "Any
/// thread".
final class Demuxer: Sendable {
    enum Outcome: Sendable {
        case opened(MediaInfo)
        case failed(PlaybackError)
    }

    let location: String
    let network: NetworkRules
    let packets: PacketBuffer
    let report: @Sendable (PlaybackProblem) -> Void
    /// Wakes the player after a change of variant.
    let wake: @Sendable () -> Void
    /// The length of the last complete pass of a loop, in nanoseconds; 0 until the first pass is over.
    private let loopLength = Atomic<Int64>(0)
    let subtitles: SubtitleSelection

    init(
        location: String, network: NetworkRules = NetworkRules(), packets: PacketBuffer, subtitles: SubtitleSelection,
        wake: @escaping @Sendable () -> Void = {},
        report: @escaping @Sendable (PlaybackProblem) -> Void
    ) {
        self.location = location
        self.network = network
        self.packets = packets
        self.subtitles = subtitles
        self.report = report
        self.wake = wake
    }

    /// `readLength` in one word: twice its nanoseconds, and one more if the end has been read.
    private let readWord = Atomic<Int64>(0)

    /// What reading has found out about a file's length. Any thread. It seldom changes.
    var readLength: ReadLength {
        let word = readWord.load(ordering: .relaxed)
        return ReadLength(length: .nanoseconds(word >> 1), isWhole: word & 1 != 0)
    }

    private func tell(_ length: Int64, isWhole: Bool, _ reading: inout Reading) {
        reading.toldLength = length
        readWord.store(min(length, PacketTimeline.farthest) << 1 | (isWhole ? 1 : 0), ordering: .relaxed)
    }

    /// The length of one pass through looping media; nil until a second pass has begun. Any thread.
    var roundLength: Duration? {
        let length = loopLength.load(ordering: .relaxed)
        return length > 0 ? .nanoseconds(length) : nil
    }

    /// Opens the media, calls `opened`, and reads until the packet buffer is stopped.
    ///
    /// - Parameters:
    ///   - audioTrack: The audio track to play. If it is nil or not an audio track, FFmpeg chooses one.
    ///   - opened: Starts the decoders, and returns which kinds of streams to read. Called once, on this thread. The
    ///     first video stream and the first audio stream passed to it are the ones to play.
    func run(
        wantsAudio: Bool, audioTrack: Int?,
        opened: (Outcome, [VideoStream], [AudioStream]) -> (video: Bool, audio: Bool)
    ) {
        do throws(PlaybackError) {
            let packets = packets
            let input = try MediaInput(
                location: location, isForPlaying: true, network: network,
                reconnecting: { packets.isReconnecting = $0 }, isInterrupted: { packets.isInterrupted })
            var info = MediaInfo(input)
            if let audioTrack, info.isAudio(audioTrack) { info.audioTrack = audioTrack }
            if let rate = input.measuredRate { packets.noteRate(rate) }
            let variant = VariantChoice.best(
                of: info.variants, rate: input.measuredRate, lines: packets.screenLines)
            if let variant { info.useVariant(variant) }
            let isStream = info.isPlaylist || MediaInput.isAddress(location)
            if isStream { packets.readAhead() }
            guard info.videoTrack != nil || info.audioTrack != nil else {
                throw .nothingToPlay(reason: "no video or audio")
            }
            let video = info.videoTrack.flatMap { input.stream($0) }
            let audioStreams = wantsAudio ? AudioStream.all(of: input, info) : []
            let videoStreams = try VideoStream.all(of: input, info)
            let isMoving = video.map { !isStill($0) } ?? false
            var cover: Packet? =
                if !isMoving, let video { try Packet(referring: &video.pointee.attached_pic) } else { nil }
            let use = opened(.opened(info), videoStreams, audioStreams)
            if use.video || use.audio {
                if !use.video { cover = nil }
                var reading = Reading(
                    input: input, info: info, video: use.video && isMoving ? video : nil, cover: cover,
                    audio: use.audio ? audioStreams : [], isStream: isStream,
                    retries: RetrySchedule(pauses: network.pauses))
                reading.discardTheRest(playing: packets.audioTrack)
                select(&reading)
                read(&reading)
            }
        } catch {
            _ = opened(.failed(error), [], [])
        }
    }

    /// What reading has found out about the length of a file.
    struct ReadLength: Hashable {
        /// How far the file has been read; zero while that is not beyond the length in its header.
        var length: Duration
        /// Whether the file ends there.
        var isWhole: Bool
    }

    enum ScrubPreview { case off, seeking, found }

    /// The state of the demuxer's thread.
    struct Reading: ~Copyable {
        var input: MediaInput
        /// The media's description, with the tracks of the current variant.
        var info: MediaInfo
        /// The stream of moving pictures that plays; nil for none.
        var video: UnsafeMutablePointer<AVStream>?
        /// The picture, if it is only a cover; otherwise nil.
        let cover: Packet?
        /// The indices of the audio streams that can be played.
        let audio: [Int]
        /// The index of the playing audio stream; nil for none. Of the audio streams, only this one determines where
        /// the media ends.
        var playing: Int?
        /// A stream that does not play, but is read to tell a hole in the only stream that does from a jump of the clock;
        /// nil for none.
        let witness: Int?
        /// Whether the media is an address or a playlist.
        let isStream: Bool
        var subtitleCache: SubtitlePacketCache
        var generation = 0
        /// Whether the container's timestamps may jump anywhere, as in a broadcast.
        let restarts: Bool
        var timeline: PacketTimeline
        var packetsThisRound = 0
        var failures = 0
        /// The reason why the connection was lost. Reset to nil by the next successful read and by the next seek.
        var loss: String?
        /// The stream and decode time, in that stream's time base, of the first packet that was read; nil if unknown.
        var first: (stream: CInt, time: Int64)?
        /// The attempts to connect again to a live stream.
        var retries: RetrySchedule
        /// The files of which this one was joined, of which `input` is one; empty if it is all of it.
        var parts: Parts
        /// Whether video packets before the next keyframe are dropped, after another connection to a live stream.
        var awaitsKeyframe = false
        /// The target of an exact seek that has not found a keyframe yet, and the number of retries so far; otherwise
        /// nil.
        var landing: (target: MediaTime, attempts: Int)?
        /// The state of a scrub preview. During the preview, audio is dropped.
        var scrubPreview = ScrubPreview.off
        /// The value of `PacketTimeline.jumps` at the last packet, and the number of packets since it has changed.
        var jumps = 0
        var packetsSinceJump = Int.max / 2
        /// The number of packets since an incomplete one that may be explained by a jump; nil if there is none.
        var packetsSinceDamage: Int?
        /// Whether FFmpeg can find times in the video's index.
        let hasOrderedIndex: Bool
        /// How the file grows; nil if it is none.
        var growth: FileGrowth?
        /// Finds out the media's length from what is read.
        var meter = LengthMeter()
        /// The length by the header, or as last told, in nanoseconds; `Int64.max` if there is nothing to correct.
        var toldLength: Int64
        /// How far the playing streams have been read.
        var last = Place()
        /// Until when packets are read for the second time, and dropped.
        var resumption = Place()
        /// Audio held back during `landing`.
        var held = PendingAudio()

        init(
            input: consuming MediaInput, info: MediaInfo, video: UnsafeMutablePointer<AVStream>?,
            cover: consuming Packet?,
            audio streams: [AudioStream], isStream: Bool, retries: RetrySchedule
        ) {
            let audio = streams.map(\.track)
            restarts = input.restarts
            let isMP4 = info.container.hasPrefix("mov,mp4")
            hasOrderedIndex = !isMP4 || video.map { KeyframeIndex($0).isOrdered } ?? true
            let other = audio.isEmpty ? info.audioTrack : video == nil ? info.videoTrack : nil
            witness = restarts && !isStream ? other : nil
            subtitleCache = SubtitlePacketCache(input)
            timeline = PacketTimeline(of: input, info)
            parts = Parts(of: input, streams)
            growth =
                if !input.isFile || isStream {
                    nil
                } else if let first = parts.all.first {
                    FileGrowth(of: input, first.file)
                } else {
                    FileGrowth(size: input.fileSize, length: info.duration)
                }
            self.input = input
            self.info = info
            self.video = video
            self.cover = cover
            self.audio = audio
            self.isStream = isStream
            toldLength = isStream ? .max : info.duration?.nanoseconds ?? .max
            self.retries = retries
        }

        var coverPicture: UnsafePointer<AVPacket>? {
            switch cover {
            case let cover?: UnsafePointer(cover.pointer)
            case nil: nil
            }
        }

        /// How much media has been read in this pass, in seconds.
        var played: Double { Double(timeline.roundLength) / 1e9 }

        /// Whether the media has been read to within 2 % of its declared duration or, if that is longer, to within one
        /// second. True if the duration is unknown.
        var isWhole: Bool {
            guard let duration = info.duration?.inSeconds else { return true }
            return played >= duration - max(1, duration * 0.02)
        }

        /// Makes the container discard unused streams. From a file, all selectable audio and subtitle tracks are read,
        /// so that the selection of another track takes effect immediately. From an address or a playlist, only the
        /// selected tracks are read, to save bandwidth.
        mutating func discardTheRest(playing track: Int?) {
            playing = track
            let context = input.context.pointee
            for index in 0..<Int(context.nb_streams) {
                guard let stream = context.streams[index] else { continue }
                let isWanted =
                    stream == video || index == witness || audio.contains(index) && (!isStream || index == track)
                    || subtitleCache.takes(index) && (!isStream || index == subtitleCache.selected)
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
                if !retry(&reading) { continue }
                reading.meter.expect((order.target - reading.info.startTime).nanoseconds)
                reading.loss = nil
                (reading.last, reading.resumption) = (Reading.Place(), Reading.Place())
                seek(&reading, order)
            case .select: select(&reading)
            case .retry: _ = retry(&reading)
            case .variant(let index, _): changeVariant(&reading, to: index)
            case .read: readPacket(&reading)
            }
        }
    }

    /// If the video is only a cover, pushes the cover image and an end marker for the video. Called in each generation,
    /// since the container delivers the cover only once.
    func pushStill(_ reading: borrowing Reading) {
        guard let cover = reading.coverPicture else { return }
        do throws(PlaybackError) {
            let packet = try Packet(referring: cover)
            packet.pointer.pointee.pts = reading.info.startTime.nanoseconds
            packet.pointer.pointee.dts = packet.pointer.pointee.pts
            packets.push(.packet(packet), to: .video, generation: reading.generation)
        } catch {
            report(.damagedData(reason: error.description))
        }
        packets.push(.end(.last), to: .video, generation: reading.generation)
    }

    private func readPacket(_ reading: inout Reading) {
        if awaitsGrowth(&reading) { return }
        guard let packet = try? Packet() else { return readFailed(&reading, outOfMemory) }
        let code = reading.input.read(packet.pointer)
        guard code >= 0 else { return readFailed(&reading, code) }
        reading.failures = 0
        reading.loss = nil
        if reading.retries.hasFailed { reading.retries.received(Int(packet.pointer.pointee.size), at: .now()) }
        if reading.isStream {
            if let rate = reading.input.measuredRate { packets.noteRate(rate) }
            reportSkippedPart(reading)
        }
        takePacket(packet, &reading)
    }

    /// Whether the file is being written, and has been read almost to its end. Then waits for a moment.
    private func awaitsGrowth(_ reading: inout Reading) -> Bool {
        guard var growth = reading.growth else { return false }
        let (now, place) = (HostTime.now(), reading.input.filePlace)
        guard growth.isDue(place, at: now) else { return false }
        if growth.note(size: reading.input.fileSize, at: now), let length = growth.length {
            noteLength(length, &reading)
        }
        reading.growth = growth
        packets.isGrowing = growth.isGrowing(at: now)
        guard growth.waits(place, at: now) else { return false }
        packets.pause(for: Self.growthInterval)
        return true
    }

    /// How long to wait for a file to grow.
    private static let growthInterval = Duration.milliseconds(100)

    /// Passes on a packet that has been read.
    func takePacket(_ packet: consuming Packet, _ reading: inout Reading) {
        let index = packet.pointer.pointee.stream_index
        let stream: UnsafeMutablePointer<AVStream>
        let kind: PacketBuffer.Stream
        if let video = reading.video, video.pointee.index == index {
            (stream, kind) = (video, .video)
        } else if reading.audio.contains(Int(index)), let audio = reading.input.stream(Int(index)) {
            (stream, kind) = (audio, .audio)
        } else if let witness = reading.witness, packet.track == witness {
            return takeWitness(packet, &reading)
        } else {
            return takeSubtitle(packet, &reading)
        }
        if reading.first == nil, packet.pointer.pointee.dts != glissade_nopts() {
            reading.first = (index, packet.pointer.pointee.dts)
        }
        if kind == .video, reading.awaitsKeyframe {
            guard packet.pointer.pointee.flags & AV_PKT_FLAG_KEY != 0 else { return }
            reading.awaitsKeyframe = false
        }
        // An interrupted read also leaves an incomplete packet, which is not damage.
        if packet.pointer.pointee.flags & AV_PKT_FLAG_CORRUPT != 0, !packets.isInterrupted {
            if !reading.input.hasReachedEnd {
                // Where two broadcasts were joined, their packet counters do not match.
                if !reading.restarts {
                    report(.damagedData(reason: Self.incompletePacket))
                } else if reading.packetsSinceJump > Self.jumpWindow {
                    reading.packetsSinceDamage = reading.packetsSinceDamage ?? 0
                }
            } else if packet.isIncomplete(of: stream) {
                // The file ends within this packet, which is reported separately. Drop the packet, which the decoder
                // would report as damaged; only PCM can be decoded in part.
                return
            }
        }
        reading.timeline.place(packet, of: stream, tellsEnd: kind == .video || packet.track == reading.playing)
        if packet.track == reading.playing { reading.parts.hasSound = true }
        noteJump(&reading)
        noteLength(&reading)
        reading.packetsThisRound += 1
        if reading.wasRead(packet, of: kind) { return }
        if reading.scrubPreview != .off {
            takeScrubPreview(packet, of: kind, &reading)
        } else if reading.landing != nil {
            land(packet, to: kind, &reading)
        } else {
            packets.push(.packet(packet), to: kind, generation: reading.generation)
        }
    }

    /// Takes note of the time of a stream that does not play.
    private func takeWitness(_ packet: consuming Packet, _ reading: inout Reading) {
        guard let stream = reading.input.stream(packet.track) else { return }
        reading.timeline.place(packet, of: stream, tellsEnd: false)
        noteJump(&reading)
    }

    private func readFailed(_ reading: inout Reading, _ code: CInt) {
        if packets.isInterrupted { return reading.input.clearInterruption() }
        // The read was interrupted for a request that has since been withdrawn. Nothing is wrong with the file.
        if code == glissade_averror_exit(), reading.input.lossReason(code, isWhole: reading.isWhole) == nil {
            return reading.input.clearInterruption()
        }
        reading.failures += 1
        // Some demuxers skip data that they cannot read; others would fail forever.
        let isIndexTooLarge = code == MediaInput.indexTooLarge
        let isEnd =
            code == glissade_averror_eof() || reading.input.hasReachedEnd || reading.failures >= 64 || isIndexTooLarge
        // Missing data from the network is not the end, even if the demuxer says so. Some demuxers report an end
        // permanently, so further attempts do not succeed.
        if let reason = reading.input.lossReason(code, isWhole: reading.isWhole) ?? (isEnd ? reading.loss : nil) {
            reading.loss = reason
            return lose(reason, &reading)
        }
        if !isEnd {
            report(.damagedData(reason: describe(code: code)))
            return
        }
        if isIndexTooLarge { report(.damagedData(reason: "its index exceeds the memory limit")) }
        if reading.landing != nil {
            if seekEarlier(&reading) { return }
            settle(&reading)
        }
        if goOn(&reading) { return }
        if reading.scrubPreview == .off, packets.isLooping, beginNextRound(&reading) { return }
        if reading.scrubPreview != .off { return packets.pushEnd(generation: reading.generation) }
        reportDamage(&reading)
        noteEnd(&reading)
        reportSkippedPart(reading)
        reportEarlyEnd(reading)
        packets.pushEnd(generation: reading.generation)
    }

    private static let incompletePacket = "a packet is incomplete"
    /// How many packets an incomplete one may be away from the jump of the clock that explains it.
    private static let jumpWindow = 32

    /// Notes whether the clock has jumped at the last packet, and reports an incomplete packet that is not near a jump.
    private func noteJump(_ reading: inout Reading) {
        if reading.timeline.jumps != reading.jumps {
            reading.jumps = reading.timeline.jumps
            reading.packetsSinceJump = 0
            reading.packetsSinceDamage = nil
            return
        }
        reading.packetsSinceJump += 1
        guard let count = reading.packetsSinceDamage else { return }
        reading.packetsSinceDamage = count + 1
        if count >= Self.jumpWindow { reportDamage(&reading) }
    }

    /// Reports an incomplete packet that is still to be reported.
    private func reportDamage(_ reading: inout Reading) {
        guard reading.packetsSinceDamage != nil else { return }
        reading.packetsSinceDamage = nil
        report(.damagedData(reason: Self.incompletePacket))
    }

    /// Notes how far the playing streams have been read.
    private func noteLength(_ reading: inout Reading) {
        let length = reading.timeline.roundLength
        guard reading.meter.note(length) else { return }
        noteLength(length, &reading)
    }

    private func noteLength(_ length: Int64, _ reading: inout Reading) {
        // Told in steps. If the end has been read before, the file has grown since.
        guard length > reading.toldLength.addingClamped(LengthMeter.tolerance.nanoseconds) else { return }
        tell(length, isWhole: false, &reading)
    }

    /// Notes that the media ends where reading has ended.
    private func noteEnd(_ reading: inout Reading) {
        guard reading.packetsThisRound > 0, !reading.isStream else { return }
        guard let length = reading.meter.whole(reading.timeline.roundLength), length > 0 else { return }
        tell(length, isWhole: true, &reading)
    }

    private func reportSkippedPart(_ reading: borrowing Reading) {
        guard let part = reading.input.takeSkippedPart() else { return }
        if part.isLocal { report(.damagedData(reason: part.reason)) }
        if let last = reading.last.video ?? reading.last.audio {
            packets.noteMissingPart(from: last, generation: reading.generation)
        }
    }

    private func reportEarlyEnd(_ reading: borrowing Reading) {
        if reading.isWhole {
            if !reading.isStream, reading.input.isCutFile { report(.endsEarly(at: reading.played, declared: nil)) }
            return
        }
        // A header may be wrong about a file that is all there.
        if !reading.isStream, reading.input.isWholeFile { return }
        report(.endsEarly(at: reading.played, declared: reading.info.duration?.inSeconds))
    }

    /// Seeks back to the start of the media for the next pass of a loop. Returns false if the seek fails, or if this
    /// pass was too short to be repeated.
    private func beginNextRound(_ reading: inout Reading) -> Bool {
        let length = reading.timeline.roundLength
        // Do not loop over a still image, or over a file that yields nothing.
        guard reading.packetsThisRound > 0, length >= 100_000_000 else { return false }
        guard goToStart(&reading) else { return false }
        reading.timeline.beginNextRound()
        reading.packetsThisRound = 0
        loopLength.store(length, ordering: .relaxed)
        if reading.video != nil { packets.push(.end(.gap), to: .video, generation: reading.generation) }
        if !reading.audio.isEmpty { packets.push(.end(.gap), to: .audio, generation: reading.generation) }
        return true
    }
}

// MARK: - Subtitles

extension Demuxer {
    /// Applies the selection of tracks: notifies the subtitle receiver, sends cached packets to it, and makes the
    /// container discard unused streams.
    package func select(_ reading: inout Reading) {
        let (track, receiver) = subtitles.current
        reading.subtitleCache.select(track, for: receiver, in: reading.input)
        reading.discardTheRest(playing: packets.audioTrack)
    }

    func takeSubtitle(_ packet: consuming Packet, _ reading: inout Reading) {
        guard reading.subtitleCache.takes(packet.track), let stream = reading.input.stream(packet.track) else { return }
        av_packet_rescale_ts(packet.pointer, stream.pointee.time_base, glissade_time_base_nanoseconds())
        guard let time = packet.time, PacketTimeline.sane(time) != nil else { return }
        reading.subtitleCache.take(packet, of: stream)
    }
}
