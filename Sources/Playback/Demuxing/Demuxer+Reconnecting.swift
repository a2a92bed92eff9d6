import GlissadeCFFmpeg
import GlissadeMedia
import GlissadeTime

// Live streams whose connection is lost. `HTTPReader` reconnects to web servers itself.

extension Demuxer {
    /// Handles a lost connection. Connects again to a live stream, for at most `NetworkRules.reconnectTimeout`.
    /// Otherwise, or if that fails, reads nothing until a seek or `PacketBuffer.retry`.
    func lose(_ reason: String, _ reading: inout Reading) {
        guard canReopen(reading) else { return packets.lose(reason, generation: reading.generation) }
        packets.isReconnecting = true
        defer { packets.isReconnecting = false }
        while let pause = reading.retries.failed(at: .now(), timeout: network.reconnectTimeout) {
            packets.pause(for: pause)
            if packets.isInterrupted { return }
            do throws(PlaybackError) {
                return try reopen(&reading)
            } catch {
                if error == Self.hasChanged { break }
            }
        }
        packets.lose(reason, generation: reading.generation)
    }

    /// Prepares for reading again after a lost connection, as the user has requested. Returns false if the connection
    /// is still lost.
    func retry(_ reading: inout Reading) -> Bool {
        reading.failures = 0
        reading.input.forgetLoss()
        guard let reason = reading.loss, canReopen(reading) else { return true }
        reading.retries = RetrySchedule(pauses: network.pauses)
        lose(reason, &reading)
        return reading.loss == nil
    }

    /// Whether another connection can continue the stream. A recording would begin again.
    private func canReopen(_ reading: borrowing Reading) -> Bool {
        reading.input.canReopen && !reading.info.isSeekable
    }

    private static let hasChanged = PlaybackError.cannotOpen(reason: "the stream has changed")

    /// Continues with another input of the same streams.
    func use(_ input: consuming MediaInput, _ reading: inout Reading) {
        reading.video = reading.video.flatMap { input.stream(Int($0.pointee.index)) }
        reading.input = input
        reading.subtitleCache = SubtitlePacketCache(reading.input)
        select(&reading)
        reading.failures = 0
        reading.loss = nil
    }

    /// Reopens the media, and continues after the last packet.
    private func reopen(_ reading: inout Reading) throws(PlaybackError) {
        let packets = packets
        let input = try MediaInput(
            location: location, isForPlaying: true, network: network, isInterrupted: { packets.isInterrupted })
        guard input.hasSameStreams(as: reading.input) else { throw Self.hasChanged }
        reading.timeline.reconnect(at: input.startTime)
        use(input, &reading)
        reading.awaitsKeyframe = true
        if reading.video != nil { packets.push(.end(.gap), to: .video, generation: reading.generation) }
        if !reading.audio.isEmpty { packets.push(.end(.gap), to: .audio, generation: reading.generation) }
    }
}
