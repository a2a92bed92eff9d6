import CFFmpeg
import Host
import Motion
import Picture
import Synchronization

/// Decodes the video on a thread of its own and queues the frames.
///
/// `run` is the thread's whole life. Beneath it FFmpeg's frame threads decode; this thread feeds them, gives the frames
/// their times, brings them into a form that can be drawn, and sleeps while the queue is full.
final class VideoDecoder: Sendable {
    private let packets: PacketBuffer
    private let frames: FrameQueue
    private let report: @Sendable (PlaybackProblem) -> Void
    private let request: Mutex<PictureRequest>
    /// How far behind the clock the frames come out, in nanoseconds; written by the frame loop.
    private let lateness = Atomic<Int64>(0)
    /// Frames that were skipped for lateness since the beginning.
    private let skipped = Atomic<Int>(0)
    /// The time at which the last frame ends; written at the end of the stream.
    private let endTime = Atomic<Int64>(.min)
    /// The generation whose exact seek skipped the very frame that it was for.
    private let missed = Atomic<Int>(-1)
    /// Whether exact seeks decode every frame on their way: while one is repeated.
    private let isThorough = Atomic<Bool>(false)
    /// The decoder's name, as FFmpeg calls it, and how many threads it has.
    let decoderName: String?
    let threadCount: Int

    /// Later than this, frames that no other needs are skipped in the decoder, until it has caught up.
    static let skipThreshold = Duration.milliseconds(250)
    /// On the way to an exact seek's target, pictures nearer to it than this are all decoded.
    static let leastSkipMargin = Duration.milliseconds(250)

    init(
        packets: PacketBuffer, frames: FrameQueue, request: PictureRequest, decoder: borrowing CodecContext,
        report: @escaping @Sendable (PlaybackProblem) -> Void
    ) {
        decoderName = decoder.name
        threadCount = max(1, Int(decoder.pointer.pointee.thread_count))
        self.packets = packets
        self.frames = frames
        self.report = report
        self.request = Mutex(request)
    }

    /// Any thread. Frames that are queued already keep the form they have.
    func setRequest(_ new: PictureRequest) { request.withLock { $0 = new } }

    /// Any thread.
    func setLateness(_ duration: Duration) { lateness.store(duration.nanoseconds, ordering: .relaxed) }

    /// How many frames were skipped in the decoder, and never came out of it, for being late. Any thread.
    var skippedCount: Int { skipped.load(ordering: .relaxed) }

    /// Where the video ends; nil before its end was met. Any thread.
    var end: MediaTime? {
        let time = endTime.load(ordering: .acquiring)
        return time == .min ? nil : MediaTime(nanoseconds: time)
    }

    /// Whether an exact seek has skipped the very frame that it was for: one that stays on show for far longer than those
    /// around it. It ends without a frame, and the next one decodes everything. Any thread.
    func hasMissed(_ generation: Int) -> Bool { missed.load(ordering: .acquiring) == generation }

    func run(_ start: consuming DecoderStart) {
        var decoding = Decoding(start)
        while case .item(let item, let generation) = packets.next(.video) {
            if generation.number != decoding.generation.number { decoding.begin(generation) }
            endTime.store(.min, ordering: .relaxed)
            switch consume item {
            case .packet(let packet) where generation.isGlance: glance(packet, &decoding)
            case .packet(let packet):
                let isLate =
                    decoding.seekTarget == nil && lateness.load(ordering: .relaxed) > Self.skipThreshold.nanoseconds
                let isSkippable =
                    isLate || !isThorough.load(ordering: .relaxed) && decoding.isFarBeforeTarget(packet.pointer)
                decoding.context.pointee.skip_frame = isSkippable ? AVDISCARD_NONREF : AVDISCARD_DEFAULT
                if isSkippable, !isLate { decoding.noteSkippable(packet.pointer) }
                if isLate { decoding.skips.note(packet.pointer.pointee.pts) }
                decoding.times.noteFirst(packet.pointer)
                send(packet.pointer, &decoding)
            case .end(let isLoop):
                send(nil, &decoding)
                avcodec_flush_buffers(decoding.context)
                decoding.times.noteDrained()
                countSkipped(decoding.skips.takeAll())
                if isLoop { break }
                deliverCandidate(&decoding)
                endTime.store(decoding.end, ordering: .releasing)
                frames.end(generation: decoding.generation.number)
            }
        }
    }

    /// How a glance stands.
    enum Glance { case wanted, needsMore, given }

    /// Decodes the one picture that a glance is for: the keyframe by itself, without waiting for what would follow it. A
    /// decoder that makes nothing of it alone is given more.
    private func glance(_ packet: borrowing Packet, _ decoding: inout Decoding) {
        let generation = decoding.generation.number
        decoding.context.pointee.skip_frame = AVDISCARD_DEFAULT
        decoding.times.noteFirst(packet.pointer)
        switch decoding.glance {
        case .given: return
        case .wanted:
            send(packet.pointer, &decoding)
            send(nil, &decoding)
            avcodec_flush_buffers(decoding.context)
            if decoding.glance == .given { return }
            decoding.glance = .needsMore
            send(packet.pointer, &decoding)
        case .needsMore: send(packet.pointer, &decoding)
        }
        packets.rest(decoding.glance == .given, generation: generation)
    }

    private func send(_ packet: UnsafePointer<AVPacket>?, _ decoding: inout Decoding) {
        let (context, generation) = (decoding.context, decoding.generation.number)
        decode(packet, with: context, isCurrent: { packets.isCurrent(generation) }, report: report) {
            let code = avcodec_receive_frame(context, decoding.frame)
            if code >= 0 { receive(&decoding) }
            return code
        }
    }

    /// Times a frame that was just decoded, and delivers it unless an exact seek has its target beyond it.
    private func receive(_ decoding: inout Decoding) {
        let frame = decoding.takeFrame()
        if frame.pointee.decode_error_flags != 0 || frame.pointee.flags & AV_FRAME_FLAG_CORRUPT != 0 {
            report(.damagedData(reason: "a picture is damaged"))
        }
        countSkipped(decoding.skips.take(before: frame.pointee.pts))
        let stamp = frame.pointee.pts
        let placed = decoding.times.place(frame)
        frame.pointee.pts = placed.time
        frame.pointee.pkt_duration = placed.duration
        decoding.end = max(decoding.end, placed.time &+ placed.duration)
        if decoding.generation.isGlance {
            guard decoding.glance != .given else {
                var surplus: UnsafeMutablePointer<AVFrame>? = frame
                return av_frame_free(&surplus)
            }
            decoding.glance = .given
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
        if placed.time <= target { return }
        if decoding.hasMissed {
            var surplus: UnsafeMutablePointer<AVFrame>? = frame
            av_frame_free(&surplus)
        } else {
            deliver(frame, &decoding)
        }
    }

    /// An exact seek is at its target: shows the frame that is on show there, unless that is among those skipped.
    private func deliverCandidate(_ decoding: inout Decoding) {
        if decoding.hasMissed { return }
        var useless = decoding.takeCandidate()
        guard decoding.sought.takeAll() > 0, useless != nil else {
            // A seek that was repeated is at its target: the next may skip again.
            isThorough.store(false, ordering: .relaxed)
            if let candidate = useless { deliver(candidate, &decoding) }
            return
        }
        av_frame_free(&useless)
        decoding.hasMissed = true
        isThorough.store(true, ordering: .relaxed)
        missed.store(decoding.generation.number, ordering: .releasing)
        frames.end(generation: decoding.generation.number)
    }

    private func countSkipped(_ count: Int) {
        if count > 0 { skipped.wrappingAdd(count, ordering: .relaxed) }
    }

    /// Brings a frame into a form that can be drawn, and queues it. Takes over `frame`.
    private func deliver(_ frame: UnsafeMutablePointer<AVFrame>, _ decoding: inout Decoding) {
        let request = request.withLock { $0 }
        decoding.meter.decoded()
        var isChanged = false
        var owned: UnsafeMutablePointer<AVFrame>? = frame
        var format = PictureFormat(frame)
        if format.map({ !request.canShow($0) }) ?? true {
            let converted = decoding.converter.convert(
                frame, sizeLimit: request.sizeLimit, reducesDepth: !request.acceptsDeepSamples)
            av_frame_free(&owned)
            guard let converted else {
                return report(.damagedData(reason: "a picture has a format that cannot be shown"))
            }
            owned = converted
            isChanged = true
            format = PictureFormat(converted)
        }
        // Either the frame could be shown as it was, or the converter made one that can.
        guard let owned, let format else {
            av_frame_free(&owned)
            return
        }
        let geometry = geometry(of: owned, decoding)
        let (time, duration) = (owned.pointee.pts, owned.pointee.pkt_duration)
        let decoded = DecodedPicture(owning: owned, format: format)
        let storage: VideoFrame.Storage
        var source: DecodedPicture?
        var lift = 0.0
        // The planes of a picture that was resolved are let go at once, unless they are asked for: only one of the two
        // is kept in memory.
        if let size = request.resolvedSize,
            let picture = decoding.resolver.resolve(decoded.view, to: size, lift: request.lift)
        {
            storage = .resolved(picture)
            lift = request.lift
            isChanged = true
            if request.keepsPlanes { source = consume decoded }
        } else {
            storage = .planes(decoded)
        }
        frames.push(
            VideoFrame(
                storage, source: source.take(), codedSize: format.size, geometry: geometry,
                presentationTime: MediaTime(nanoseconds: time), duration: .nanoseconds(duration),
                generation: decoding.generation.number, lift: lift,
                cost: decoding.meter.prepared(isChanged: isChanged)))
    }

    private func geometry(of frame: UnsafeMutablePointer<AVFrame>, _ decoding: borrowing Decoding) -> PictureGeometry {
        var turn = decoding.start.configuration.rotation
        if let data = av_frame_get_side_data(frame, AV_FRAME_DATA_DISPLAYMATRIX)?.pointee.data {
            turn = rotation(displayMatrix: UnsafeRawPointer(data))
        }
        return PictureGeometry(
            pixelAspect: ratio(frame.pointee.sample_aspect_ratio) ?? decoding.start.configuration.pixelAspect ?? 1,
            rotation: turn)
    }
}

extension PictureRequest {
    /// Whether a decoded picture can be drawn as it is, or resolved, which takes samples of any depth.
    func canShow(_ format: PictureFormat) -> Bool {
        let isResolved = resolvedSize?.isEmpty == false && PictureResolver.canResolve(format)
        return (acceptsDeepSamples || format.bitDepth == 8 || isResolved)
            && max(format.size.width, format.size.height) <= sizeLimit
    }
}
