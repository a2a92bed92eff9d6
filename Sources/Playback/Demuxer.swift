import CFFmpeg
import Host
import Motion
import Synchronization

/// Reads a container on a thread of its own and hands its packets to the decoders.
///
/// `run` is the thread's whole life. Times of packets leave here in nanoseconds on one unbroken time line: jumps are
/// bridged, and each round of a loop follows the one before.
final class Demuxer: Sendable {
    enum Outcome: Sendable {
        case opened(MediaInfo)
        case failed(PlaybackError)
    }

    private let location: String
    private let packets: PacketBuffer
    private let report: @Sendable (PlaybackProblem) -> Void
    /// The length of a round while looping, in nanoseconds; 0 until the first round is over.
    private let loopLength = Atomic<Int64>(0)

    init(location: String, packets: PacketBuffer, report: @escaping @Sendable (PlaybackProblem) -> Void) {
        self.location = location
        self.packets = packets
        self.report = report
    }

    /// How long one round is, once a loop has gone round. Any thread.
    var roundLength: Duration? {
        let length = loopLength.load(ordering: .relaxed)
        return length > 0 ? .nanoseconds(length) : nil
    }

    /// Opens the media, tells `opened`, and reads until the packet buffer is stopped.
    ///
    /// - Parameter opened: starts the decoders on what they are given; a nil configuration means that there is no such
    ///   stream. Called once, on this thread. It answers which streams are in use.
    func run(
        wantsAudio: Bool,
        opened: (Outcome, consuming CodecConfiguration?, consuming CodecConfiguration?) -> (video: Bool, audio: Bool)
    ) {
        do throws(PlaybackError) {
            let packets = packets
            let input = try MediaInput(location: location) { packets.isInterrupted }
            let info = MediaInfo(input)
            guard info.videoTrack != nil || info.audioTrack != nil else {
                throw .nothingToPlay(reason: "no video or sound in it")
            }
            let video = info.videoTrack.flatMap { input.stream($0) }
            let audio = wantsAudio ? info.audioTrack.flatMap { input.stream($0) } : nil
            let use = opened(
                .opened(info), video.map { CodecConfiguration($0, of: input.context) },
                audio.map { CodecConfiguration($0, of: input.context) })
            if use.video || use.audio {
                var reading = Reading(
                    input: input, info: info, video: use.video ? video : nil, audio: use.audio ? audio : nil)
                reading.discardTheRest()
                read(&reading)
            }
        } catch {
            _ = opened(.failed(error), nil, nil)
        }
    }

    enum Glance { case off, seeking, found }

    /// What the thread knows while it reads.
    private struct Reading: ~Copyable {
        let input: MediaInput
        let info: MediaInfo
        let video: UnsafeMutablePointer<AVStream>?
        let audio: UnsafeMutablePointer<AVStream>?
        var generation = 0
        /// Whether the container's clock may restart anywhere: a broadcast.
        let restarts: Bool
        var discontinuity: Discontinuity
        /// What rounds of a loop before this one took, in nanoseconds.
        var loopOffset: Int64 = 0
        /// Where the last packet of this round ends, in nanoseconds without `loopOffset`.
        var end: Int64
        var packetsThisRound = 0
        var failures = 0
        /// While an exact seek has yet to show that it landed on a keyframe before its target.
        var landing: (target: MediaTime, attempts: Int)?
        /// While a glance has yet to meet its keyframe, or is on: sound is not wanted.
        var glance = Glance.off
        /// The sound that came in the meantime.
        var held = Ring<Packet>(capacity: 1024)

        init(
            input: consuming MediaInput, info: MediaInfo, video: UnsafeMutablePointer<AVStream>?,
            audio: UnsafeMutablePointer<AVStream>?
        ) {
            restarts = input.context.pointee.iformat.pointee.flags & AVFMT_TS_DISCONT != 0
            self.input = input
            self.info = info
            self.video = video
            self.audio = audio
            discontinuity = Discontinuity(correctsForwardJumps: restarts)
            end = info.startTime.nanoseconds
        }

        func discardTheRest() {
            let context = input.context.pointee
            for index in 0..<Int(context.nb_streams) {
                guard let stream = context.streams[index], stream != video, stream != audio else { continue }
                stream.pointee.discard = AVDISCARD_ALL
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
                seek(&reading, order)
            case .read: readPacket(&reading)
            }
        }
    }

    /// A cover comes once, with the container; each generation begins with it anew.
    private func pushStill(_ reading: borrowing Reading) {
        guard let video = reading.video, isStill(video) else { return }
        let packet = Packet(referring: &video.pointee.attached_pic)
        packet.pointer.pointee.pts = reading.info.startTime.nanoseconds
        packet.pointer.pointee.dts = packet.pointer.pointee.pts
        packets.push(.packet(packet), to: .video, generation: reading.generation)
        packets.push(.end(isLoop: false), to: .video, generation: reading.generation)
    }

    private func readPacket(_ reading: inout Reading) {
        let packet = Packet()
        let code = av_read_frame(reading.input.context, packet.pointer)
        guard code >= 0 else { return readFailed(&reading, code) }
        reading.failures = 0
        let index = packet.pointer.pointee.stream_index
        let stream: UnsafeMutablePointer<AVStream>
        let kind: PacketBuffer.Stream
        if let video = reading.video, video.pointee.index == index {
            if isStill(video) { return }
            (stream, kind) = (video, .video)
        } else if let audio = reading.audio, audio.pointee.index == index {
            (stream, kind) = (audio, .audio)
        } else {
            return
        }
        // A read that was broken off leaves a torn packet too, and that is no damage.
        if packet.pointer.pointee.flags & AV_PKT_FLAG_CORRUPT != 0, !packets.isInterrupted {
            if reading.input.context.pointee.pb?.pointee.eof_reached ?? 0 == 0 {
                report(.damagedData(reason: "a packet is incomplete"))
            } else if av_get_bits_per_sample(stream.pointee.codecpar.pointee.codec_id) == 0 {
                // The file ends within it, and that is what is said. A decoder would call what there is of it damage;
                // only of plain samples every part can be played.
                return
            }
        }
        place(packet, of: stream, in: &reading)
        reading.packetsThisRound += 1
        if reading.glance != .off {
            takeGlance(packet, of: kind, &reading)
        } else if reading.landing != nil {
            land(packet, to: kind, &reading)
        } else {
            packets.push(.packet(packet), to: kind, generation: reading.generation)
        }
    }

    /// 70 years, in nanoseconds.
    private static let farthestTime: Int64 = 1 << 61
    /// A day, in nanoseconds.
    private static let longestPacket: Int64 = 86_400_000_000_000

    /// Puts a packet's times onto the time line.
    private func place(_ packet: borrowing Packet, of stream: UnsafeMutablePointer<AVStream>, in reading: inout Reading)
    {
        let pointer = packet.pointer
        av_packet_rescale_ts(pointer, stream.pointee.time_base, glissade_time_base_nanoseconds())
        let unknown = glissade_nopts()
        // Nonsense of a damaged header; within these bounds, sums of times cannot overflow.
        func isNonsense(_ time: Int64) -> Bool { !(-Self.farthestTime...Self.farthestTime).contains(time) }
        if isNonsense(pointer.pointee.pts) { pointer.pointee.pts = unknown }
        if isNonsense(pointer.pointee.dts) { pointer.pointee.dts = unknown }
        // Where clocks may restart, a length beyond what counts as a jump was reckoned across one.
        let longest = reading.restarts ? Discontinuity.forwardTolerance : Self.longestPacket
        if !(0...longest).contains(pointer.pointee.duration) { pointer.pointee.duration = 0 }
        let time = pointer.pointee.dts != unknown ? pointer.pointee.dts : pointer.pointee.pts
        guard time != unknown else { return }
        let duration = packet.duration
        let offset = reading.discontinuity.offset(
            stream: Int(stream.pointee.index), time: time, duration: duration)
        let last = pointer.pointee.pts != unknown ? pointer.pointee.pts : time
        reading.end = max(reading.end, last &+ duration &+ offset)
        let shift = offset &+ reading.loopOffset
        if pointer.pointee.pts != unknown { pointer.pointee.pts &+= shift }
        if pointer.pointee.dts != unknown { pointer.pointee.dts &+= shift }
    }

    private func readFailed(_ reading: inout Reading, _ code: CInt) {
        if packets.isInterrupted { return }
        reading.failures += 1
        let isEnd = code == glissade_averror_eof() || reading.input.context.pointee.pb?.pointee.eof_reached ?? 0 != 0
        // Some demuxers step over what they cannot read; one that does not would be asked for ever.
        if !isEnd && reading.failures < 64 {
            report(.damagedData(reason: describe(code: code)))
            return
        }
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
        guard let duration = reading.info.duration?.inSeconds else { return }
        let played = Double(reading.end &- reading.info.startTime.nanoseconds) / 1e9
        if played < duration - max(1, duration * 0.02) { report(.endsEarly(at: played, declared: duration)) }
    }

    /// Goes back to the start, so that the first packets follow on the last; false where that cannot be done.
    private func beginNextRound(_ reading: inout Reading) -> Bool {
        let start = reading.info.startTime.nanoseconds
        let length = reading.end &- start
        // A still picture, or a file of which nothing can be read, would only be read over and over.
        guard reading.packetsThisRound > 0, length >= 100_000_000 else { return false }
        guard goToStart(reading) else { return false }
        reading.loopOffset &+= length
        reading.end = start
        reading.packetsThisRound = 0
        reading.discontinuity.reset()
        loopLength.store(length, ordering: .relaxed)
        if reading.video != nil { packets.push(.end(isLoop: true), to: .video, generation: reading.generation) }
        if reading.audio != nil { packets.push(.end(isLoop: true), to: .audio, generation: reading.generation) }
        return true
    }
}

// MARK: - Seeking

extension Demuxer {
    private func seek(_ reading: inout Reading, _ order: PacketBuffer.SeekOrder) {
        reading.discontinuity.reset()
        reading.loopOffset = 0
        reading.end = reading.info.startTime.nanoseconds
        reading.packetsThisRound = 0
        reading.failures = 0
        reading.landing = nil
        reading.glance = .off
        reading.held.removeAll()
        if order.isGlance { return glance(&reading, order) }
        pushStill(reading)
        let hasMovingPicture = reading.video.map { !isStill($0) } ?? false
        // Sound alone can begin anywhere.
        if order.mode != .exact, hasMovingPicture {
            if let (stream, time) = keyframe(for: order, reading),
                av_seek_frame(reading.input.context, stream, time, AVSEEK_FLAG_BACKWARD) >= 0
            {
                return
            }
            let target = order.target.nanoseconds / 1000
            if order.mode == .fast, avformat_seek_file(reading.input.context, -1, .min, target, .max, 0) >= 0 { return }
        }
        packets.setStart(order.target, generation: order.generation)
        if order.target > reading.info.startTime, seekBefore(order.target, reading) {
            if hasMovingPicture { reading.landing = (order.target, 0) }
        } else if !packets.isInterrupted, !goToStart(reading) {
            // A media that cannot seek goes on from where it is.
            packets.setStart(nil, generation: order.generation)
        }
    }

    /// Goes to a place from which `target` can be decoded, as far as the container knows one.
    private func seekBefore(_ target: MediaTime, _ reading: borrowing Reading) -> Bool {
        let context = reading.input.context
        if let video = reading.video, !isStill(video) {
            let time = av_rescale_q_rnd(
                target.nanoseconds, glissade_time_base_nanoseconds(), video.pointee.time_base, AV_ROUND_DOWN)
            return avformat_seek_file(context, video.pointee.index, .min, time, time, 0) >= 0
        }
        let time = target.nanoseconds / 1000
        return avformat_seek_file(context, -1, .min, time, time, 0) >= 0
    }

    /// Goes to the first packet. A container that seeks by guessing may land anywhere near it: there the first byte is
    /// sure. So it is for raw streams, which know no times.
    private func goToStart(_ reading: borrowing Reading) -> Bool {
        let context = reading.input.context
        if reading.restarts, av_seek_frame(context, -1, 0, AVSEEK_FLAG_BYTE) >= 0 { return true }
        let start = reading.info.startTime.nanoseconds / 1000
        return avformat_seek_file(context, -1, .min, start, start, 0) >= 0
            || av_seek_frame(context, -1, 0, AVSEEK_FLAG_BYTE) >= 0
    }

    /// The keyframe that a fast seek is to land on, by the container's index; nil where it has none that serves.
    private func keyframe(for order: PacketBuffer.SeekOrder, _ reading: borrowing Reading) -> (CInt, Int64)? {
        // Broadcasts have no index; what FFmpeg notes of them in passing are any packets, not keyframes alone.
        guard let video = reading.video, !reading.restarts else { return nil }
        let base = video.pointee.time_base
        func inStream(_ time: MediaTime) -> Int64 {
            av_rescale_q(time.nanoseconds, glissade_time_base_nanoseconds(), base)
        }
        // Indices count by decode times in some containers. What lies between those and the times of presentation is
        // about the same at each keyframe.
        var delay: Int64 = 0
        if let first = avformat_index_get_entry(video, 0), video.pointee.start_time != glissade_nopts() {
            delay = max(0, video.pointee.start_time - first.pointee.timestamp)
            if Double(delay) * (ratio(base) ?? 0) > 1 { delay = 0 }
        }
        let target = inStream(order.target)
        func entry(_ flags: CInt) -> Int64? {
            avformat_index_get_entry_from_timestamp(video, target - delay, flags).map { $0.pointee.timestamp + delay }
        }
        // An index at the file's end is read with the first seek beyond what was read so far.
        if entry(0) == nil { _ = seekBefore(order.target, reading) }
        var candidates = [entry(AVSEEK_FLAG_BACKWARD), entry(0)].compactMap { $0 }
        if case .step(let from) = order.mode {
            let isForward = order.target >= from
            let from = inStream(from)
            candidates.removeAll { isForward ? $0 <= from + delay : $0 >= from - delay }
        }
        guard let best = candidates.min(by: { abs($0 - target) < abs($1 - target) }) else { return nil }
        return (video.pointee.index, best)
    }
}

// MARK: - Glances

extension Demuxer {
    /// Positions that differ by less are the same: containers round times.
    private static let glanceTolerance: Int64 = 2_000_000

    /// Goes to the keyframe nearest to a glance's target; ends at once where the picture on show is as near.
    private func glance(_ reading: inout Reading, _ order: PacketBuffer.SeekOrder) {
        guard let video = reading.video, !isStill(video) else { return packets.pushEnd(generation: order.generation) }
        reading.glance = .seeking
        if let (stream, time) = keyframe(for: order, reading) {
            if let shown = order.shown {
                let found = av_rescale_q(time, video.pointee.time_base, glissade_time_base_nanoseconds())
                let target = order.target.nanoseconds
                if abs(shown.nanoseconds &- target) <= abs(found &- target) &+ Self.glanceTolerance {
                    return packets.pushEnd(generation: order.generation)
                }
            }
            if av_seek_frame(reading.input.context, stream, time, AVSEEK_FLAG_BACKWARD) >= 0 { return }
        }
        let target = order.target.nanoseconds / 1000
        if avformat_seek_file(reading.input.context, -1, .min, target, .max, 0) < 0, !packets.isInterrupted {
            packets.pushEnd(generation: order.generation)
        }
    }

    /// Takes in a packet while a glance is on: the keyframe, and what follows only where the decoder asks for more.
    private func takeGlance(_ packet: consuming Packet, of kind: PacketBuffer.Stream, _ reading: inout Reading) {
        guard kind == .video else { return }
        if reading.glance == .seeking, packet.pointer.pointee.flags & AV_PKT_FLAG_KEY == 0 { return }
        reading.glance = .found
        packets.push(.packet(packet), to: .video, generation: reading.generation)
        packets.rest(true, generation: reading.generation)
    }
}

// MARK: - Landing

extension Demuxer {
    /// Takes in a packet while an exact seek looks for the keyframe before its target: containers without an index seek
    /// by guessing, and may land between keyframes, or too late.
    ///
    /// Pictures before the first keyframe are left out, as no decoder makes anything of them; sound is held until it is
    /// clear that it belongs to this landing.
    private func land(_ packet: consuming Packet, to kind: PacketBuffer.Stream, _ reading: inout Reading) {
        guard let target = reading.landing?.target else { return }
        if kind == .audio, !reading.held.isFull { return reading.held.append(packet) }
        let unknown = glissade_nopts()
        let pointer = packet.pointer
        let time = pointer.pointee.pts != unknown ? pointer.pointee.pts : pointer.pointee.dts
        if kind == .video {
            let isBeyond = time != unknown && time > target.nanoseconds
            if isBeyond, seekEarlier(&reading) { return }
            if !isBeyond, pointer.pointee.flags & AV_PKT_FLAG_KEY == 0 { return }
        }
        settle(&reading)
        packets.push(.packet(packet), to: kind, generation: reading.generation)
    }

    /// Tries an exact seek again from further ahead, the last time from the start, where anything goes; false where that
    /// cannot be done.
    private func seekEarlier(_ reading: inout Reading) -> Bool {
        guard let (target, attempts) = reading.landing else { return false }
        reading.held.removeAll()
        reading.discontinuity.reset()
        reading.end = reading.info.startTime.nanoseconds
        let earlier = target - .seconds(1 << attempts)
        if attempts < 5, earlier > reading.info.startTime, seekBefore(earlier, reading) {
            reading.landing = (target, attempts + 1)
            return true
        }
        reading.landing = nil
        return goToStart(reading)
    }

    /// The landing is good: the sound that was held may go.
    private func settle(_ reading: inout Reading) {
        reading.landing = nil
        while let packet = reading.held.popFirst() {
            packets.push(.packet(packet), to: .audio, generation: reading.generation)
        }
    }
}
