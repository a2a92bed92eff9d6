import GlissadeAudio
import GlissadeCFFmpeg
import GlissadeMedia
import GlissadePlatform
import Synchronization
import GlissadeTime

/// Decodes audio on its own thread, resamples it, and writes it to the audio output or another sink.
///
/// Audio is numbered by generation. A new generation begins at each seek, and whenever only the audio is restarted (see
/// `PacketBuffer.Generation`).
///
/// Threads: `run` is the main function of the audio decoder's thread. Other threads may use only the members marked
/// "Any thread".
final class AudioDecoder: Sendable {
    private let packets: PacketBuffer
    private let sink: any AudioSink
    private let report: @Sendable (PlaybackProblem) -> Void
    private let wake: @Sendable () -> Void
    /// The latest generation whose audio has reached the output, has ended, or cannot be decoded; -1 at first.
    private let ready = Atomic<Int>(-1)
    private let ended = Atomic<Int>(-1)
    private let endTime = Atomic<Int64>(.min)
    /// The last generation whose audio track could not be decoded; -1 if there was none.
    private let refused = Atomic<Int>(-1)
    /// The playback speed, in media seconds per second, as the bits of a Double.
    private let speedBits = Atomic<UInt64>(Double(1).bitPattern)
    /// The factor by which audio plays faster or slower to follow a display's refresh rate, as the bits of a Double.
    private let rateFactorBits = Atomic<UInt64>(Double(1).bitPattern)
    private let name = Mutex<String?>(nil)
    /// Whether anything could be decoded so far. Any thread.
    let output = DecoderOutput()

    init(
        packets: PacketBuffer, output: any AudioSink, report: @escaping @Sendable (PlaybackProblem) -> Void,
        wake: @escaping @Sendable () -> Void
    ) {
        self.packets = packets
        sink = output
        self.report = report
        self.wake = wake
    }

    /// Whether audio of `generation` or a later generation has reached the output. Also true if the audio of such a
    /// generation has ended, or cannot be decoded. Any thread.
    func isReady(_ generation: Int) -> Bool { ready.load(ordering: .acquiring) >= generation }

    /// Whether the audio track that plays in `generation` cannot be decoded. Any thread.
    func isRefused(_ generation: Int) -> Bool { refused.load(ordering: .acquiring) == generation }

    /// FFmpeg's name for the open decoder; nil if none is open. Any thread.
    var decoderName: String? { name.withLock { $0 } }

    /// The media time at which the audio of `generation` ends. Nil if the decoder has not reached that end, or has
    /// since reached the end of another generation. Any thread.
    func end(_ generation: Int) -> MediaTime? {
        guard ended.load(ordering: .acquiring) == generation else { return nil }
        return MediaTime(nanoseconds: endTime.load(ordering: .relaxed))
    }

    /// Sets the playback speed, in media seconds per second. Any thread. Takes effect with the next decoded frame.
    func setSpeed(_ speed: Double) { speedBits.store(speed.bitPattern, ordering: .relaxed) }

    /// Sets a factor near 1 by which audio plays faster or slower. The factor also raises or lowers the pitch. Any
    /// thread. Takes effect with the next decoded frame.
    func setRateFactor(_ factor: Double) { rateFactorBits.store(factor.bitPattern, ordering: .relaxed) }

    /// The thread's main function: decodes until the packet buffer is stopped. Blocks while the output is full.
    ///
    /// - Parameters:
    ///   - start: The decoder of the stream to play first; nil if it could not be opened.
    ///   - track: The index of that stream in the container.
    ///   - streams: The streams that can be selected.
    func run(_ start: consuming CodecContext?, track: Int, streams: [AudioStream]) {
        var decoding = Decoding(start, track: track)
        decoding.isUntimed = streams.first { $0.track == track }?.isUntimed == true
        name.withLock { $0 = decoding.decoderName }
        // Frames converted before the server's format is known would be lost.
        sink.waitUntilReady(until: .now() + .seconds(1))
        while case .item(let item, let generation) = packets.next(.audio) {
            if generation.number != decoding.generation {
                begin(generation, &decoding, streams)
            } else if generation.track != decoding.track {
                join(generation, &decoding, streams)
            }
            if let stream = item.part { use(stream, &decoding) }
            guard decoding.isOpen || decoding.part != nil else { continue }
            switch consume item {
            case .packet(let packet):
                guard decoding.isOpen else { continue }
                output.sawPacket()
                send(packet.pointer, &decoding)
            case .end(.part): break
            case .end(let end):
                if decoding.isOpen {
                    send(nil, &decoding)
                    avcodec_flush_buffers(decoding.context)
                }
                if !end.isLast {
                    decoding.resampler.noteSeam()
                    break
                }
                let generation = decoding.generation
                decoding.resampler.drain { hand(over: $0, generation: generation) }
                sink.finish(generation: decoding.generation)
                endTime.store(decoding.end, ordering: .relaxed)
                ended.store(decoding.generation, ordering: .releasing)
                becomeReady(decoding.generation)
            }
        }
    }

    /// Continues a generation with the same audio of another variant of the stream. Its first packet repeats the end of
    /// the old stream, because the decoder needs that packet to produce correct audio.
    private func join(_ generation: PacketBuffer.Generation, _ decoding: inout Decoding, _ streams: [AudioStream]) {
        if decoding.isOpen { send(nil, &decoding) }
        open(generation, &decoding, streams)
        decoding.repeatedEnd = decoding.resampler.end
    }

    /// Begins a generation. Opens a decoder if the generation plays another stream than before, or if no decoder is
    /// open.
    private func begin(_ generation: PacketBuffer.Generation, _ decoding: inout Decoding, _ streams: [AudioStream]) {
        output.begin()
        decoding.begin(generation.number)
        if decoding.track != generation.track || !decoding.isOpen { open(generation, &decoding, streams) }
    }

    private func open(_ generation: PacketBuffer.Generation, _ decoding: inout Decoding, _ streams: [AudioStream]) {
        let part = decoding.track == generation.track ? decoding.part : nil
        open(part ?? streams.first { $0.track == generation.track }, as: generation.track, &decoding)
        if !decoding.isOpen {
            refused.store(generation.number, ordering: .releasing)
            becomeReady(generation.number)
        }
    }

    private func open(_ stream: AudioStream?, as track: Int, _ decoding: inout Decoding) {
        do throws(PlaybackError) {
            guard let stream else { throw .nothingToPlay(reason: "no such track") }
            decoding.use(try stream.configuration.openDecoder(threads: 1), track: track)
            decoding.isUntimed = stream.isUntimed
        } catch {
            decoding.use(nil, track: track)
            report(.streamNotPlayable(kind: "audio", reason: error.description))
        }
        name.withLock { $0 = decoding.decoderName }
    }

    /// Continues with the next of joined files, whose stream may have another format.
    private func use(_ stream: AudioStream, _ decoding: inout Decoding) {
        if decoding.isOpen { send(nil, &decoding) }
        decoding.part = stream
        open(stream, as: decoding.track, &decoding)
        // Without a decoder, the next part is waited for in silence.
        if !decoding.isOpen { becomeReady(decoding.generation) }
    }

    private struct Decoding: ~Copyable {
        private var opened: CodecContext?
        private(set) var track: Int
        var isOpen: Bool { pointer != nil }
        private var pointer: UnsafeMutablePointer<AVCodecContext>? {
            switch opened {
            case let opened?: opened.pointer
            case nil: nil
            }
        }
        /// The open decoder's context. Do not read it while no decoder is open.
        var context: UnsafeMutablePointer<AVCodecContext> {
            guard let pointer else { fatalError("no audio decoder is open") }
            return pointer
        }
        var decoderName: String? { pointer?.pointee.codec.map { String(cString: $0.pointee.name) } }
        let frame: CodecFrame
        /// The stream of the part that plays, if joined files do; otherwise nil.
        var part: AudioStream?
        /// Whether the container has no timestamps; see `AudioStream.isUntimed`.
        var isUntimed = false
        var generation = 0
        var resampler = Resampler()
        /// The latest end of a frame in this generation, in nanoseconds.
        var end: Int64 = 0
        /// The end of the old stream after a change of variant, until a frame of the new stream continues there; nil
        /// otherwise.
        var repeatedEnd: Int64?

        init(_ start: consuming CodecContext?, track: Int) {
            guard let frame = CodecFrame() else { fatalError("out of memory for a frame") }
            opened = start
            self.track = track
            self.frame = frame
        }

        mutating func begin(_ new: Int) {
            if let pointer { avcodec_flush_buffers(pointer) }
            generation = new
            resampler.reset()
            end = 0
            repeatedEnd = nil
        }

        mutating func use(_ context: consuming CodecContext?, track: Int) {
            opened = context
            self.track = track
        }
    }

    private func send(_ packet: UnsafePointer<AVPacket>?, _ decoding: inout Decoding) {
        let (context, generation) = (decoding.context, decoding.generation)
        decode(
            packet, with: context, isCurrent: { packets.isCurrent(generation, of: .audio) },
            failed: { code in
                // Where files were joined, there are tags between the frames.
                if decoding.isUntimed, let packet, Self.holdsTag(packet) { return }
                // A seek by byte may land within a frame.
                if decoding.isUntimed, generation > 0, decoding.end == 0 { return }
                report(.damagedData(reason: describe(code: code)))
            },
            receive: {
                let code = avcodec_receive_frame(context, decoding.frame.pointer)
                if code >= 0 { receive(&decoding) }
                return code
            })
    }

    /// Whether a packet holds the beginning of an ID3 or APE tag.
    private static func holdsTag(_ packet: UnsafePointer<AVPacket>) -> Bool {
        let bytes = UnsafeBufferPointer(start: packet.pointee.data, count: Int(packet.pointee.size))
        return ["ID3", "TAG", "APETAGEX"].contains { mark in
            let mark = Array(mark.utf8)
            return bytes.indices.contains { bytes[$0] == mark[0] && bytes[$0...].starts(with: mark) }
        }
    }

    private func receive(_ decoding: inout Decoding) {
        let frame = decoding.frame.pointer
        defer { av_frame_unref(frame) }
        guard frame.pointee.nb_samples > 0, frame.pointee.sample_rate > 0 else { return }
        output.sawFrame()
        var time = PacketTimeline.sane(frame.pointee.best_effort_timestamp)
        // Without timestamps of its own, the audio just goes on.
        if decoding.isUntimed, decoding.resampler.isContinuing { time = nil }
        if let repeated = decoding.repeatedEnd {
            let length = Int64(frame.pointee.nb_samples) * 1_000_000_000 / Int64(frame.pointee.sample_rate)
            // The frame is closer to the old stream's last one than to the place after it.
            if let time, time < repeated.subtractingClamped(length / 2) { return }
            decoding.repeatedEnd = nil
        }
        let speed = Double(bitPattern: speedBits.load(ordering: .relaxed))
        let generation = decoding.generation
        let format = sink.format
        decoding.resampler.rateFactor = Double(bitPattern: rateFactorBits.load(ordering: .relaxed))
        decoding.resampler.convert(frame, time: time, speed: speed, to: format, report: report) {
            hand(over: $0, generation: generation)
        }
        decoding.end = max(decoding.end, decoding.resampler.end ?? 0)
    }

    /// Writes samples to the output, and blocks while the output is full. Drops samples of an earlier generation.
    private func hand(over chunk: Resampler.Chunk, generation: Int) {
        guard packets.isCurrent(generation, of: .audio) else { return }
        let result = sink.write(
            chunk.samples, as: chunk.format, startingAt: MediaTime(nanoseconds: chunk.time), speed: chunk.speed,
            generation: generation)
        switch result {
        case .accepted: becomeReady(generation)
        // After a change of format, the next frame is resampled for the new one. This frame, about 20 ms, is lost
        // with the old device.
        case .formatChanged, .flushed, .stopped: break
        }
    }

    private func becomeReady(_ generation: Int) {
        if ready.load(ordering: .relaxed) == generation { return }
        ready.store(generation, ordering: .releasing)
        wake()
    }
}
