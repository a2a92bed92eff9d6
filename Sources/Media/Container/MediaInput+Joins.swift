import GlissadeCFFmpeg
import GlissadeTime

// Files whose clock restarts, such as transport streams that were joined. Seeking by time fails in them,
// because times occur more than once; these functions seek by byte, and look at the times there.

extension MediaInput {
    /// The smallest part of a file that is searched further.
    private static let grain: Int64 = 1 << 16
    /// How far before the target to look for, in nanoseconds: packets of other streams, and frames that come in another
    /// order than they are shown, lie farther back.
    private static let lead: Int64 = 1_000_000_000
    /// The most packets to read in search of a time.
    private static let mostPackets = 512

    /// Seeks to a place in `part` before the packets at `time`, in nanoseconds by the container's own clock. Returns
    /// whether the seek succeeded.
    package func seek(before time: Int64, in part: ClockJoins.Part, track: Int?) -> Bool {
        GlissadeMedia.seek(context, toByte: place(before: time, in: part, track: track))
    }

    /// Returns a place in the file before the packets at `time`, in nanoseconds by the container's own clock.
    ///
    /// - Parameters:
    ///   - part: Where to search. The clock must not restart in it.
    ///   - track: The stream whose times to compare; nil for any.
    /// - Returns: The place in bytes. The next read continues anywhere.
    private func place(before time: Int64, in part: ClockJoins.Part, track: Int?) -> Int64 {
        var low = part.begin
        var high = part.end ?? context.pointee.pb.map { avio_size($0) } ?? 0
        let wanted = time.subtractingClamped(Self.lead)
        while high - low > Self.grain {
            let middle = low + (high - low) / 2
            if let found = firstTime(from: middle, to: high, track: track), found <= wanted {
                low = middle
            } else {
                high = middle
            }
        }
        return low
    }

    /// The time of the first packet from the byte `start` on, in nanoseconds by the container's own clock. Nil if there
    /// is none before the byte `end`.
    private func firstTime(from start: Int64, to end: Int64, track: Int?) -> Int64? {
        guard GlissadeMedia.seek(context, toByte: start), let packet = try? Packet() else { return nil }
        for _ in 0..<Self.mostPackets {
            guard av_read_frame(context, packet.pointer) >= 0 else { return nil }
            defer { av_packet_unref(packet.pointer) }
            if packet.pointer.pointee.pos >= end { return nil }
            guard track == nil || track == packet.track else { continue }
            guard let stream = stream(packet.track), let order = packet.times.order else { continue }
            let time = av_rescale_q(order, stream.pointee.time_base, glissade_time_base_nanoseconds())
            if let time = PacketTimeline.sane(time) { return time }
        }
        return nil
    }
}

// MARK: - Finding the joins of a file

extension MediaInput {
    /// The number of places at which a file is looked at first.
    private static let samples = 4
    /// The most places at which it is looked at where the first ones do not fit together.
    private static let mostSamples = 64
    /// A stretch of the file counts as suspicious if its bit rate is this many times less or more than the average.
    private static let largestVariation = 6.0

    private struct Sample {
        var position: Int64
        var time: Int64
    }

    /// Looks for places at which the clock restarts. Reads a few places of the file, and more of them only if their times
    /// do not fit together. Afterwards, reading begins at the start of the file.
    func findJoins() -> ClockJoins {
        var joins = ClockJoins()
        guard let file = context.pointee.pb, file.pointee.seekable & AVIO_SEEKABLE_NORMAL != 0,
            context.pointee.duration > 0
        else { return joins }
        let size = avio_size(file)
        guard size > Self.grain else { return joins }
        // One stream, whose times are in order.
        let moving = bestStream(AVMEDIA_TYPE_VIDEO).flatMap { stream($0).map(isStill) == false ? $0 : nil }
        let track = moving ?? bestStream(AVMEDIA_TYPE_AUDIO)
        defer { _ = GlissadeMedia.seek(context, toByte: 0) }
        func sample(_ position: Int64) -> Sample? {
            firstTime(from: position, to: size, track: track).map { Sample(position: position, time: $0) }
        }
        var found = (0..<Self.samples).compactMap { sample(size / Int64(Self.samples) * Int64($0)) }
        // The last time that there is: that of a packet near the end.
        for back in [min(Self.grain, size / 8), 4 * Self.grain, 16 * Self.grain]
        where found.last.map({ size - back > $0.position }) ?? false {
            if let last = sample(size - back) {
                found.append(last)
                break
            }
        }
        guard let first = found.first, found.count > 2 else { return joins }
        let rate = typicalRate(found, size)
        var left = Self.mostSamples
        var previous = first
        // The end of what is before the join, by the continuous timeline.
        var offset: Int64 = 0
        for next in found.dropFirst() where next.position > previous.position {
            var low = previous
            while left > 0, isSuspicious(low, next, rate) {
                var high = next
                while left > 0, high.position - low.position > Self.grain {
                    left -= 1
                    guard let middle = sample(low.position + (high.position - low.position) / 2),
                        middle.position < high.position
                    else { break }
                    if isSuspicious(low, middle, rate) { high = middle } else { low = middle }
                }
                left -= 1
                // What comes after this join may hold another one.
                guard let join = join(low, offset, track) else { break }
                joins.note(join)
                offset = join.offset
                low = Sample(position: join.position, time: join.start.subtractingClamped(join.offset))
            }
            // The join may lie behind the sample.
            previous = low.position > next.position ? low : next
        }
        return joins
    }

    /// Bytes per nanosecond: the median of the stretches, leaving out those whose times do not go on. The lower one of two:
    /// a stretch over a join may seem short, which makes the rate too high.
    private func typicalRate(_ samples: [Sample], _ length: Int64) -> Double {
        let rates = zip(samples, samples.dropFirst()).compactMap { left, right -> Double? in
            let time = right.time.subtractingClamped(left.time)
            return time > 0 ? Double(right.position - left.position) / Double(time) : nil
        }.sorted()
        if rates.isEmpty { return Double(length) / Double(max(1, context.pointee.duration)) / 1000 }
        return rates[(rates.count - 1) / 2]
    }

    private func isSuspicious(_ left: Sample, _ right: Sample, _ rate: Double) -> Bool {
        let time = right.time.subtractingClamped(left.time)
        let expected = Double(right.position - left.position) / max(rate, 1e-12)
        // Of short stretches, the time varies most. That of a copy of the same part does not go on at all.
        return Double(time) > expected * Self.largestVariation + 2e9 || Double(time) < expected / Self.largestVariation
    }

    /// The first place at which the clock of the stream `track` restarts, near to and after another place; nil if its
    /// times go on. The other streams tell a hole in it from a jump of the clock, as while playing.
    private func join(_ low: Sample, _ offset: Int64, _ track: Int?) -> ClockJoin? {
        guard GlissadeMedia.seek(context, toByte: low.position), let packet = try? Packet() else {
            return nil
        }
        var timeline = PacketTimeline(start: .zero, restarts: restarts, isChained: mayBeChained)
        timeline.reset(base: offset)
        for _ in 0..<Self.mostPackets {
            guard av_read_frame(context, packet.pointer) >= 0 else { return nil }
            defer { av_packet_unref(packet.pointer) }
            guard let stream = stream(packet.track) else { continue }
            let (time, jumps) = (packet.times.order, timeline.jumps)
            timeline.place(packet, of: stream, tellsEnd: false)
            // Another stream may lag behind the last join.
            guard packet.track == track, timeline.jumps > jumps, let start = packet.times.order, let time else {
                continue
            }
            let own = av_rescale_q(time, stream.pointee.time_base, glissade_time_base_nanoseconds())
            return ClockJoin(
                position: packet.pointer.pointee.pos, start: start, offset: start.subtractingClamped(own))
        }
        return nil
    }
}
