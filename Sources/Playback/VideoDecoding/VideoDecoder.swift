import GlissadeCFFmpeg
import GlissadeMedia
import GlissadePlatform
import Synchronization
import GlissadeTime

/// Decodes video on its own thread and queues the frames.
///
/// `run` is the thread's main function. It feeds FFmpeg's frame threads, gives frames their times, converts those that
/// cannot be drawn as they are, and sleeps while the queue is full.
///
/// Threads: `run` is the video decoder's thread, and only it uses the codec. Members that other threads may use say so.
final class VideoDecoder: Sendable {
    let packets: PacketBuffer
    /// The streams that can be played.
    let streams: [VideoStream]
    let frames: FrameQueue
    let stage: ConversionStage
    let report: @Sendable (PlaybackProblem) -> Void
    let hardware: HardwareDecoding
    let access: HardwareAccess
    let request: Mutex<FrameFormat>
    /// How late the frame loop is showing frames, in nanoseconds, as set by the player.
    private let lateness = Atomic<Int64>(0)
    /// The number of frames that the decoder has skipped so far because frames were shown late.
    private let skipped = Atomic<Int>(0)
    /// The end of the last frame, in nanoseconds; `.min` until the end of the stream is reached.
    private let endTime = Atomic<Int64>(.min)
    /// The last generation whose exact seek skipped its target frame; -1 if there is none.
    private let missed = Atomic<Int>(-1)
    /// Whether exact seeks decode every frame before the target, instead of skipping some. Set while the player repeats
    /// a seek that has skipped its target.
    private let isThorough = Atomic<Bool>(false)
    /// The last generation that lacks frames because the hardware failed and its input could not be replayed; -1 if
    /// there is none.
    let lost = Atomic<Int>(-1)
    /// A description of the decoder in use, set by the decoder's thread.
    let work: Mutex<Work>

    /// When frames are shown later than this, the decoder skips non-reference frames until it has caught up.
    static let skipThreshold = Duration.milliseconds(250)
    /// During an exact seek, the decoder skips no frame within this time before the target.
    static let leastSkipMargin = Duration.milliseconds(250)

    init(
        packets: PacketBuffer, streams: [VideoStream], frames: FrameQueue, request: FrameFormat,
        decoder: borrowing CodecContext,
        hardware: HardwareDecoding = .off, access: HardwareAccess = .ffmpeg,
        report: @escaping @Sendable (PlaybackProblem) -> Void
    ) {
        work = Mutex(Work(decoder))
        self.packets = packets
        self.streams = streams
        self.frames = frames
        stage = ConversionStage(frames: frames)
        self.hardware = hardware
        self.access = access
        self.report = report
        self.request = Mutex(request)
    }

    /// Sets the format of frames decoded from now on. Any thread.
    func setRequest(_ new: FrameFormat) { request.withLock { $0 = new } }

    /// Sets how late frames are being shown. Any thread.
    func setLateness(_ duration: Duration) { lateness.store(duration.nanoseconds, ordering: .relaxed) }

    /// How many frames the decoder has skipped so far because frames were shown late. Any thread.
    var skippedCount: Int { skipped.load(ordering: .relaxed) }

    /// The media time at which the video ends; nil until the decoder has reached it. Any thread.
    var end: MediaTime? {
        let time = endTime.load(ordering: .acquiring)
        return time == .min ? nil : MediaTime(nanoseconds: time)
    }

    /// Whether the exact seek of `generation` skipped its target frame and must be repeated. Any thread.
    func hasMissed(_ generation: Int) -> Bool { missed.load(ordering: .acquiring) == generation }

    func run(_ start: consuming DecoderStart) {
        defer { stage.finish() }
        var decoding = Decoding(start, historyLimit: access.historyLimit)
        takeUpHardware(&decoding)
        while case .item(let item, let generation) = packets.next(.video) {
            if generation.number != decoding.generation.number { decoding.begin(generation) }
            endTime.store(.min, ordering: .relaxed)
            if let track = item.track, track != decoding.stream.track { change(to: track, &decoding) }
            switch consume item {
            case .packet(let packet) where generation.isScrubPreview: decodePreview(packet, &decoding)
            case .packet(let packet): take(packet, &decoding)
            case .end(let isLoop):
                drain(&decoding)
                if !isLoop { deliverCandidate(&decoding) }
                while decoding.failure != nil {
                    goOn(&decoding, with: nil)
                    drain(&decoding)
                    deliverCandidate(&decoding)
                }
                decoding.times.noteDrained()
                decoding.settledTimes = decoding.times
                decoding.history.reset()
                countSkipped(decoding.skips.takeAll())
                if isLoop { break }
                endTime.store(decoding.end, ordering: .releasing)
                stage.end(generation: decoding.generation.number)
            }
        }
    }

    private func take(_ packet: consuming Packet, _ decoding: inout Decoding) {
        if decoding.isLost { decoding.isLost = packet.pointer.pointee.flags & AV_PKT_FLAG_KEY == 0 }
        if decoding.isLost || decoding.hasGivenUp { return }
        let isLate =
            decoding.seekTarget == nil && lateness.load(ordering: .relaxed) > Self.skipThreshold.nanoseconds
        let isSkippable =
            isLate || !isThorough.load(ordering: .relaxed) && decoding.isFarBeforeTarget(packet.pointer)
        decoding.context.pointee.skip_frame = isSkippable ? AVDISCARD_NONREF : AVDISCARD_DEFAULT
        if isSkippable, !isLate { decoding.noteSkippable(packet.pointer) }
        if isLate { decoding.skips.note(packet.pointer.pointee.pts) }
        decoding.times.noteFirst(packet.pointer)
        if decoding.isOnHardware { decoding.history.number(packet.pointer) }
        send(packet.pointer, &decoding)
        if decoding.failure != nil { goOn(&decoding, with: packet.pointer) }
        if decoding.isOnHardware { decoding.history.append(packet) }
    }

    /// Outputs the frames that are still in the decoder, and resets the decoder.
    func drain(_ decoding: inout Decoding) {
        send(nil, &decoding)
        while decoding.failure != nil {
            goOn(&decoding, with: nil)
            send(nil, &decoding)
        }
        avcodec_flush_buffers(decoding.context)
    }

    /// The progress of a scrub preview: no frame yet, more packets needed, or frame delivered.
    enum ScrubPreview { case wanted, needsMore, given }

    /// Decodes the frame of a scrub preview from its keyframe alone, without waiting for later packets. If the decoder
    /// then outputs no frame, decodes the packets after the keyframe as well.
    private func decodePreview(_ packet: borrowing Packet, _ decoding: inout Decoding) {
        let generation = decoding.generation.number
        decoding.times.noteFirst(packet.pointer)
        repeat {
            // The device has failed: try another decoder.
            if decoding.failure != nil {
                replaceDecoder(&decoding)
                decoding.scrubPreview = .wanted
            }
            if decoding.hasGivenUp { break }
            decoding.context.pointee.skip_frame = AVDISCARD_DEFAULT
            switch decoding.scrubPreview {
            case .given: return
            case .wanted:
                send(packet.pointer, &decoding)
                if decoding.failure == nil { send(nil, &decoding) }
                avcodec_flush_buffers(decoding.context)
                if decoding.scrubPreview == .given || decoding.failure != nil { break }
                decoding.scrubPreview = .needsMore
                send(packet.pointer, &decoding)
            case .needsMore: send(packet.pointer, &decoding)
            }
        } while decoding.failure != nil
        packets.rest(decoding.scrubPreview == .given, generation: generation)
    }

    func send(_ packet: UnsafePointer<AVPacket>?, _ decoding: inout Decoding) {
        let (context, generation) = (decoding.context, decoding.generation.number)
        decode(
            packet, with: context, isCurrent: { packets.isCurrent(generation) && decoding.failure == nil },
            failed: { noteFailure($0, &decoding) },
            receive: {
                let code = avcodec_receive_frame(context, decoding.frame)
                if code >= 0 { receive(&decoding) }
                return code
            })
        if decoding.decoder.link?.isRefused == true { decoding.failRefused() }
    }

    /// Handles a decoded frame, or drops it if the same frame from an earlier decoder has already been handled.
    private func receive(_ decoding: inout Decoding) {
        let frame = decoding.takeFrame()
        let mark = ReplayBuffer.Mark(frame)
        guard !decoding.history.wasSettled(mark) else {
            var surplus: UnsafeMutablePointer<AVFrame>? = frame
            return av_frame_free(&surplus)
        }
        decoding.refusals = 0
        use(frame, &decoding)
        decoding.settle(mark)
    }

    /// Sets the time of a decoded frame, and delivers the frame unless it comes before an exact seek's target.
    private func use(_ frame: UnsafeMutablePointer<AVFrame>, _ decoding: inout Decoding) {
        if frame.pointee.decode_error_flags != 0 || frame.pointee.flags & AV_FRAME_FLAG_CORRUPT != 0 {
            report(.damagedData(reason: "a frame is damaged"))
        }
        countSkipped(decoding.skips.take(before: frame.pointee.pts))
        let stamp = frame.pointee.pts
        let placed = decoding.times.place(frame)
        frame.pointee.pts = placed.time
        glissade_set_frame_duration(frame, placed.duration)
        decoding.end = max(decoding.end, placed.time.addingClamped(placed.duration))
        if decoding.generation.isScrubPreview {
            guard decoding.scrubPreview != .given else {
                var surplus: UnsafeMutablePointer<AVFrame>? = frame
                return av_frame_free(&surplus)
            }
            decoding.scrubPreview = .given
            return deliver(frame, &decoding)
        }
        guard !decoding.hasMissed else {
            var surplus: UnsafeMutablePointer<AVFrame>? = frame
            return av_frame_free(&surplus)
        }
        guard let target = decoding.seekTarget else { return deliver(frame, &decoding) }
        if placed.time <= target {
            _ = decoding.sought.take(before: stamp)
            var previous = decoding.takeCandidate()
            av_frame_free(&previous)
            decoding.candidate = frame
            if placed.time < target { return }
        }
        decoding.seekTarget = nil
        deliverCandidate(&decoding)
        // After a failure, the frame to display at the target still has to be decoded.
        if decoding.failure != nil { decoding.seekTarget = target }
        if placed.time <= target { return }
        if decoding.hasMissed || decoding.failure != nil {
            var surplus: UnsafeMutablePointer<AVFrame>? = frame
            av_frame_free(&surplus)
        } else {
            deliver(frame, &decoding)
        }
    }

    /// Delivers the frame to display at an exact seek's target. If that frame may have been skipped, ends the
    /// generation instead, so that the player repeats the seek.
    private func deliverCandidate(_ decoding: inout Decoding) {
        if decoding.hasMissed { return }
        var useless = decoding.takeCandidate()
        guard decoding.sought.takeAll() > 0, useless != nil else {
            // A repeated seek is done, so the next one may skip again.
            isThorough.store(false, ordering: .relaxed)
            if let candidate = useless { deliver(candidate, &decoding) }
            return
        }
        av_frame_free(&useless)
        decoding.hasMissed = true
        isThorough.store(true, ordering: .relaxed)
        missed.store(decoding.generation.number, ordering: .releasing)
        stage.end(generation: decoding.generation.number)
    }

    func countSkipped(_ count: Int) {
        if count > 0 { skipped.wrappingAdd(count, ordering: .relaxed) }
    }
}
