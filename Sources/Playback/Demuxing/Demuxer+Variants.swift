import GlissadeCFFmpeg
import GlissadeMedia
import GlissadeTime

// Changing to another variant of the stream. The old variant plays on from the packet buffer, while the demuxer looks for
// a keyframe of the new one. There, the new variant replaces the rest of the old one.

extension Demuxer {
    private enum Attempt {
        case joined
        /// The new variant can be played, but there would be a gap after the packets of the old one.
        case gap
        /// A seek is pending, or the buffer has been stopped.
        case interrupted
        /// The new variant has not arrived before the packets of the old one ran out.
        case tooSlow
        case failed(reason: String)
    }

    /// The packets of a new variant, held until it is known where the variant begins.
    private struct HeldPackets: ~Copyable {
        static let byteLimit = 32 << 20
        var video = RingBuffer<Packet>(capacity: 1024)
        var audio = RingBuffer<Packet>(capacity: 1024)
        var bytes = 0

        var isFull: Bool { video.isFull || bytes > Self.byteLimit }

        mutating func dropVideo() {
            while let packet = video.popFirst() { bytes -= packet.byteCount }
        }

        mutating func dropFirstAudio() {
            if let packet = audio.popFirst() { bytes -= packet.byteCount }
        }

        mutating func dropAudio(before time: Int64?) {
            guard let time else { return }
            while audio.peek({ $0.time.map { $0 < time } ?? true }) == true { dropFirstAudio() }
        }

        /// The time of the first audio packet whose middle is at or after `time`, in nanoseconds; nil if there is none.
        /// Drops earlier packets except the last one, which the decoder needs to begin.
        mutating func firstAudio(from time: Int64) -> Int64? {
            for index in 0..<audio.count {
                let start = audio.peek(at: index) { packet -> Int64? in
                    packet.time.flatMap { $0.addingClamped(packet.duration / 2) >= time ? $0 : nil }
                }
                guard let start, let start else { continue }
                for _ in 0..<max(0, index - 1) { dropFirstAudio() }
                return start
            }
            return nil
        }
    }

    /// Changes to the variant at `index`, without an interruption if possible, and tells the player the result.
    func changeVariant(_ reading: inout Reading, to index: Int) {
        let variants = reading.info.variants
        guard variants.indices.contains(index) else { return }
        if index == reading.info.variant {
            packets.noteVariant(VariantChange(variant: index, result: .joined))
            return wake()
        }
        let attempt = attempt(&reading, index)
        packets.endVariantChange()
        switch attempt {
        case .joined: packets.noteVariant(VariantChange(variant: index, result: .joined))
        case .gap where reading.info.isSeekable:
            reading.use(variant: index)
            packets.useAudio(reading.playing)
            packets.awaitVariantSeek(generation: reading.generation)
            packets.noteVariant(VariantChange(variant: index, result: .awaitsSeek))
        case .interrupted:
            // The seek comes first, with the old variant; then the order is carried out.
            reading.input.clearInterruption()
            packets.orderVariantAgain(index)
        case .gap, .failed:
            let reason = if case .failed(let reason) = attempt { reason } else { "it begins too late" }
            reading.input.clearInterruption()
            reading.input.forgetLoss()
            let name = variants[index].height.map { "\($0)p variant" } ?? "variant"
            report(.streamNotPlayable(kind: name, reason: reason))
            packets.noteVariant(VariantChange(variant: index, result: .refused))
            resume(&reading)
        case .tooSlow:
            reading.input.clearInterruption()
            reading.input.forgetLoss()
            packets.noteVariant(VariantChange(variant: index, result: .tooSlow))
            resume(&reading)
        }
        wake()
    }

    private func attempt(_ reading: inout Reading, _ index: Int) -> Attempt {
        var info = reading.info
        info.audioTrack = reading.playing
        info.useVariant(index)
        guard let old = reading.video, let track = info.videoTrack,
            let video = reading.input.stream(track)
        else { return .failed(reason: "no video") }
        let audio = reading.playing == nil ? nil : info.audioTrack
        if let reason = refusal(of: video, audio, reading) { return .failed(reason: reason) }
        // The packets of a later pass of a loop have other times than the container.
        if reading.info.isSeekable, !reading.timeline.isFirstRound || packets.isRunningOut { return .gap }
        // Media that cannot seek, such as a live stream, is read on in both variants up to the next keyframe.
        let overlaps = !reading.info.isSeekable
        guard var earliest = packets.beginVariantChange(overlaps: overlaps) else { return .interrupted }
        reading.discardAll(but: overlaps ? [track, audio, Int(old.pointee.index), reading.playing] : [track, audio])
        if !overlaps, !begin(video, at: earliest, &reading) { return .failed(reason: "cannot seek in it") }
        var held = HeldPackets()
        var begin: Int64?
        var failures = 0
        while true {
            guard let packet = try? Packet() else { return .failed(reason: "out of memory") }
            let code = reading.input.read(packet.pointer)
            if packets.isSought { return .interrupted }
            if packets.isVariantTooSlow { return !overlaps && isCheaper(index, reading.info) ? .gap : .tooSlow }
            guard code >= 0 else {
                failures += 1
                let isEnd = code == glissade_averror_eof() || failures >= 64
                guard isEnd || code != glissade_averror_again() else { continue }
                if let reason = reading.input.lossReason(code, isWhole: true) { return .failed(reason: reason) }
                // Without another keyframe before the end, the variant begins with a seek.
                return code == glissade_averror_eof() ? .gap : .failed(reason: describe(code: code))
            }
            let isVideo = packet.track == track
            guard isVideo || packet.track == audio, let stream = reading.input.stream(packet.track) else {
                if overlaps { takePacket(packet, &reading) } else { takeSubtitle(packet, &reading) }
                continue
            }
            if overlaps, packet.track == reading.playing {
                // The audio is shared by both variants.
                takePacket(packet, &reading)
                continue
            }
            av_packet_rescale_ts(packet.pointer, stream.pointee.time_base, glissade_time_base_nanoseconds())
            packet.times = reading.timeline.place(packet.times, stream: packet.track, tellsEnd: !overlaps)
            guard let time = packet.time else { continue }
            if isVideo {
                let isKey = packet.pointer.pointee.flags & AV_PKT_FLAG_KEY != 0
                if begin == nil, !isKey || time < earliest { continue }
                if begin == nil { begin = time }
                held.bytes += packet.byteCount
                held.video.append(packet)
            } else {
                // Until the variant's first keyframe has arrived, only the newest audio is kept.
                while held.audio.isFull || held.bytes > HeldPackets.byteLimit, held.audio.count > 0 {
                    held.dropFirstAudio()
                }
                held.bytes += packet.byteCount
                held.audio.append(packet)
            }
            guard let start = begin else { continue }
            var join: (time: Int64, track: Int)?
            if let audio, !(overlaps && audio == reading.playing) {
                guard let first = held.firstAudio(from: start) else {
                    if held.isFull { return .failed(reason: "its audio is missing") }
                    continue
                }
                join = (first, audio)
            }
            switch packets.join(video: start, audio: join, generation: reading.generation) {
            case .gap where !overlaps: return .gap
            case .gap: if held.isFull { return .failed(reason: "it begins too late") }
            case .late(let later):
                earliest = later
                begin = nil
                held.dropVideo()
            case .joined:
                // The decoder of the same stream has had the packet before.
                if join?.track == reading.playing { held.dropAudio(before: join?.time) }
                reading.use(variant: index)
                while let packet = held.video.popFirst() {
                    _ = reading.wasRead(packet, of: .video)
                    packets.push(.packet(packet), to: .video, generation: reading.generation)
                }
                while let packet = held.audio.popFirst() {
                    _ = reading.wasRead(packet, of: .audio)
                    packets.push(.packet(packet), to: .audio, generation: reading.generation)
                }
                return .joined
            }
        }
    }

    /// Whether the variant at `index` needs a lower bit rate than the current one.
    private func isCheaper(_ index: Int, _ info: MediaInfo) -> Bool {
        guard let current = info.variant.flatMap({ info.variants[$0].bitRate }) else { return false }
        return info.variants[index].bitRate.map { $0 < current } ?? false
    }

    /// Returns the reason why a variant's streams cannot be decoded; nil if they can.
    private func refusal(
        of video: UnsafeMutablePointer<AVStream>, _ audio: Int?, _ reading: borrowing Reading
    ) -> String? {
        do throws(PlaybackError) {
            _ = try CodecConfiguration(video, of: reading.input.context).openDecoder(threads: 1)
            guard let audio, audio != reading.playing else { return nil }
            guard packets.reads(audio), let stream = reading.input.stream(audio) else { return "no audio" }
            _ = try CodecConfiguration(stream, of: reading.input.context).openDecoder(threads: 1)
            return nil
        } catch { return error.description }
    }

    /// Makes the container continue with the stream `video` at about `time`, in nanoseconds. Returns false if it
    /// cannot.
    private func begin(
        _ video: UnsafeMutablePointer<AVStream>, at time: Int64, _ reading: inout Reading
    ) -> Bool {
        let context = reading.input.context
        reading.timeline.reset()
        let target = av_rescale_q(time, glissade_time_base_nanoseconds(), video.pointee.time_base)
        return av_seek_frame(context, video.pointee.index, target, 0) >= 0
            || av_seek_frame(context, video.pointee.index, target, AVSEEK_FLAG_BACKWARD) >= 0
    }

    /// Continues reading the current variant where it was left for another one.
    private func resume(_ reading: inout Reading) {
        reading.discardTheRest(playing: packets.audioTrack)
        guard reading.info.isSeekable, reading.timeline.isFirstRound, let video = reading.video else { return }
        // FFmpeg may seek to the keyframe after the target, so the target is well before the end.
        guard let end = packets.fill.end else { return }
        let target = max(end - PacketBuffer.enoughForVariant, reading.info.startTime)
        reading.resumption = reading.last
        if !begin(video, at: target.nanoseconds, &reading) { _ = goToStart(&reading) }
    }
}

extension Demuxer.Reading {
    /// The decode times of the last packets of the playing streams, in nanoseconds; nil if unknown.
    struct Place {
        var video: Int64?
        var audio: Int64?
    }

    /// Makes the variant at `index` the one to read.
    mutating func use(variant index: Int) {
        info.audioTrack = playing ?? info.audioTrack
        info.useVariant(index)
        video = info.videoTrack.flatMap { input.stream($0) }
        last = Place()
        discardTheRest(playing: playing == nil ? nil : info.audioTrack)
    }

    /// Makes the container discard all streams but those at `tracks`, and the selected subtitles.
    func discardAll(but tracks: [Int?]) {
        for index in 0..<Int(input.context.pointee.nb_streams) {
            let isWanted = tracks.contains(index) || index == subtitleCache.selected
            input.stream(index)?.pointee.discard = isWanted ? AVDISCARD_DEFAULT : AVDISCARD_ALL
        }
    }

    /// Notes where reading is, and returns whether the packet was already read before the container went back.
    mutating func wasRead(_ packet: borrowing Packet, of kind: PacketBuffer.Stream) -> Bool {
        guard let time = packet.times.order else { return false }
        switch kind {
        case .video:
            if let end = resumption.video, time <= end { return true }
            resumption.video = nil
            last.video = time
        case .audio:
            guard packet.track == playing else { return false }
            if let end = resumption.audio, time <= end { return true }
            resumption.audio = nil
            last.audio = time
        }
        return false
    }
}
