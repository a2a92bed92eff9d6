import GlissadeCFFmpeg
import GlissadeMedia
import GlissadePicture
import GlissadePixelConversion
import GlissadePlatform
import GlissadeTime
import Glibc
import Synchronization

/// Decodes video on its own thread and queues the frames.
///
/// `run` is the thread's main function. It feeds FFmpeg's frame threads, gives frames their times, converts those that
/// cannot be drawn as they are, and sleeps while the queue is full.
///
/// Threads: `run` is the video decoder's thread, and only it uses the codec. Members that other threads may use say so.
final class VideoDecoder: Sendable {
    private let packets: PacketBuffer
    /// The streams that can be played.
    private let streams: [VideoStream]
    private let frames: FrameQueue
    private let stage: ConversionStage
    private let report: @Sendable (PlaybackProblem) -> Void
    private let hardware: HardwareDecoding
    private let access: HardwareAccess
    private let request: Mutex<FrameFormat>
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
    private let lost = Atomic<Int>(-1)
    /// Whether anything could be decoded so far.
    let output = DecoderOutput()
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
            if generation.number != decoding.generation.number {
                output.begin()
                decoding.begin(generation)
            }
            endTime.store(.min, ordering: .relaxed)
            if let track = item.track, track != decoding.stream.track { change(to: track, &decoding) }
            switch consume item {
            case .packet(let packet) where generation.isScrubPreview: decodePreview(packet, &decoding)
            case .packet(let packet): take(packet, &decoding)
            case .end(let end):
                drain(&decoding)
                if end.isLast { deliverCandidate(&decoding) }
                while decoding.failure != nil {
                    goOn(&decoding, with: nil)
                    drain(&decoding)
                    deliverCandidate(&decoding)
                }
                decoding.times.noteDrained()
                decoding.settledTimes = decoding.times
                decoding.history.reset()
                countSkipped(decoding.skips.takeAll())
                if !end.isLast { break }
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
        // A packet that an edit discards gives no frame anyway.
        if packet.pointer.pointee.flags & AV_PKT_FLAG_DISCARD == 0 {
            if isSkippable, !isLate { decoding.noteSkippable(packet.pointer) }
            if isLate { decoding.skips.note(packet.pointer.pointee.pts) }
        }
        output.sawPacket()
        decoding.times.noteFirst(packet.pointer)
        if decoding.isOnHardware { decoding.history.number(packet.pointer) }
        send(packet.pointer, &decoding)
        if decoding.failure != nil { goOn(&decoding, with: packet.pointer) }
        if decoding.isOnHardware { decoding.history.append(packet) }
    }

    /// Outputs the frames that are still in the decoder, and resets the decoder.
    private func drain(_ decoding: inout Decoding) {
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

    private func send(_ packet: UnsafePointer<AVPacket>?, _ decoding: inout Decoding) {
        let (context, generation) = (decoding.context, decoding.generation.number)
        decode(
            packet, with: context, isCurrent: { packets.isCurrent(generation) && decoding.failure == nil },
            failed: { noteFailure($0, &decoding) },
            receive: {
                let code = avcodec_receive_frame(context, decoding.frame.pointer)
                if code >= 0 { receive(&decoding) }
                return code
            })
        if decoding.decoder.link?.isRefused == true { decoding.failRefused() }
    }

    /// Handles a decoded frame, or drops it if the same frame from an earlier decoder has already been handled.
    private func receive(_ decoding: inout Decoding) {
        let frame = decoding.takeFrame()
        let mark = ReplayBuffer.Mark(frame.pointer)
        guard !decoding.history.wasSettled(mark) else { return }
        decoding.refusals = 0
        use(frame, &decoding)
        decoding.settle(mark)
    }

    /// Sets the time of a decoded frame, and delivers the frame unless it comes before an exact seek's target.
    private func use(_ frame: consuming CodecFrame, _ decoding: inout Decoding) {
        let fields = frame.pointer
        output.sawFrame()
        if fields.pointee.decode_error_flags != 0 || fields.pointee.flags & AV_FRAME_FLAG_CORRUPT != 0 {
            report(.damagedData(reason: "a frame is damaged"))
        }
        countSkipped(decoding.skips.take(before: fields.pointee.pts))
        let stamp = fields.pointee.pts
        let placed = decoding.times.place(fields)
        fields.pointee.pts = placed.time
        glissade_set_frame_duration(fields, placed.duration)
        decoding.end = max(decoding.end, placed.time.addingClamped(placed.duration))
        if decoding.generation.isScrubPreview {
            guard decoding.scrubPreview != .given else { return }
            decoding.scrubPreview = .given
            return deliver(frame, &decoding)
        }
        guard !decoding.hasMissed else { return }
        guard let target = decoding.seekTarget else { return deliver(frame, &decoding) }
        if placed.time <= target {
            _ = decoding.sought.take(before: stamp)
            decoding.candidate = consume frame
            if placed.time == target { deliverTarget(target, &decoding) }
        } else {
            deliverTarget(target, &decoding)
            if !decoding.hasMissed, decoding.failure == nil { deliver(frame, &decoding) }
        }
    }

    /// Delivers the frame to display at `target`, which an exact seek has reached.
    private func deliverTarget(_ target: Int64, _ decoding: inout Decoding) {
        decoding.seekTarget = nil
        deliverCandidate(&decoding)
        // After a failure, the frame to display at the target still has to be decoded.
        if decoding.failure != nil { decoding.seekTarget = target }
    }

    /// Delivers the frame to display at an exact seek's target. If that frame may have been skipped, ends the
    /// generation instead, so that the player repeats the seek.
    private func deliverCandidate(_ decoding: inout Decoding) {
        if decoding.hasMissed { return }
        let candidate = decoding.candidate.take()
        guard decoding.sought.takeAll() > 0, candidate != nil else {
            // A repeated seek is done, so the next one may skip again.
            isThorough.store(false, ordering: .relaxed)
            if let candidate { deliver(candidate, &decoding) }
            return
        }
        decoding.hasMissed = true
        isThorough.store(true, ordering: .relaxed)
        missed.store(decoding.generation.number, ordering: .releasing)
        stage.end(generation: decoding.generation.number)
    }

    private func countSkipped(_ count: Int) {
        if count > 0 { skipped.wrappingAdd(count, ordering: .relaxed) }
    }
}

// MARK: - The state of the decoding thread

extension VideoDecoder {
    /// The state of the decoding thread.
    struct Decoding: ~Copyable {
        private(set) var stream: VideoStream
        var decoder: CodecContext
        var context: UnsafeMutablePointer<AVCodecContext> { decoder.pointer }
        /// The hardware devices still to be tried, in this order, if the current decoder fails.
        var candidates: [HardwareDevice] = []
        /// The recent input of the hardware decoder.
        var history: ReplayBuffer
        /// Why the hardware decoder cannot continue; nil while it can.
        var failure: String?
        /// The number of frames downloaded from the current device.
        var downloads = 0
        /// The number of packets in a row that the current device has failed to decode.
        var refusals = 0
        /// Whether nothing can be decoded before the next keyframe.
        var isLost = false
        /// Whether decoding has ended because no decoder could be opened.
        var hasGivenUp = false
        var generation = PacketBuffer.Generation(number: 0, start: nil)
        var times: TimestampEstimator
        /// The value of `times` after the last frame that was used.
        var settledTimes: TimestampEstimator
        var skips = SkippedFrameCounter()
        var converter: SwscaleConverter
        var meter: DecodeCostMeter
        var frame: CodecFrame
        var end: Int64 = 0
        /// During an exact seek, the last frame so far at or before the target. It is shown unless a later frame is
        /// also at or before the target.
        var candidate: CodecFrame?
        /// The target of an exact seek, in nanoseconds; nil if there is none, or once it has been reached.
        var seekTarget: Int64?
        /// Counts the packets that the decoder has skipped in an exact seek.
        var sought = SkippedFrameCounter()
        /// Whether the exact seek has skipped the frame to show at its target.
        var hasMissed = false
        var scrubPreview = ScrubPreview.wanted

        init(_ start: consuming DecoderStart, historyLimit: Int) {
            guard let frame = CodecFrame() else { fatalError("out of memory for a frame") }
            meter = DecodeCostMeter(start.context.threads)
            times = TimestampEstimator(frameRate: start.stream.configuration.frameRate)
            settledTimes = times
            history = ReplayBuffer(byteLimit: historyLimit)
            converter = SwscaleConverter(budget: start.stream.configuration.pictureBudget)
            stream = start.stream
            decoder = start.context
            self.frame = frame
        }

        mutating func begin(_ new: PacketBuffer.Generation) {
            avcodec_flush_buffers(context)
            generation = new
            times.reset()
            settledTimes = times
            history.reset()
            failure = nil
            refusals = 0
            isLost = false
            _ = skips.takeAll()
            end = 0
            candidate = nil
            seekTarget = new.start?.nanoseconds
            scrubPreview = .wanted
            _ = sought.takeAll()
            hasMissed = false
        }

        /// Continues with another stream, whose decoder is `new`. The old decoder must have been drained.
        mutating func use(_ new: consuming CodecContext, of stream: VideoStream) {
            self.stream = stream
            decoder = new
            candidates = []
            (downloads, refusals, failure, isLost) = (0, 0, nil, false)
            meter = DecodeCostMeter(decoder.threads)
            times = TimestampEstimator(frameRate: stream.configuration.frameRate)
            settledTimes = times
            converter = SwscaleConverter(budget: stream.configuration.pictureBudget)
            history.reset()
        }

        mutating func noteSkippable(_ packet: UnsafePointer<AVPacket>) { sought.note(packet.pointee.pts) }

        /// Whether a packet is far enough before an exact seek's target to skip its frame: at least eight frame
        /// durations, and at least `leastSkipMargin`. Skipping non-reference frames there doubles the decoding speed.
        func isFarBeforeTarget(_ packet: UnsafePointer<AVPacket>) -> Bool {
            guard let seekTarget, packet.pointee.pts != glissade_nopts() else { return false }
            let margin = max(
                VideoDecoder.leastSkipMargin.nanoseconds,
                max(times.nominal, packet.pointee.duration).multipliedClamped(by: 8))
            return packet.pointee.pts.addingClamped(margin) < seekTarget
        }

        /// Takes the last received frame, leaving an empty one in its place.
        mutating func takeFrame() -> CodecFrame {
            guard let taken = frame.take() else { fatalError("out of memory for a frame") }
            return taken
        }
    }
}

// MARK: - Delivery

// Makes decoded frames fit for drawing or conversion to RGB.

extension VideoDecoder {
    /// Passes a frame to the conversion stage. If the frame's format cannot be shown, swscale converts the frame first.
    /// If that fails, a hardware decoder is marked as failed; for a software decoder, damaged data is reported.
    private func deliver(_ decoded: consuming CodecFrame, _ decoding: inout Decoding) {
        guard var frame = download(decoded, &decoding) else { return }
        let request = request.withLock { $0 }
        decoding.meter.decoded()
        let backdrop = decoding.stream.configuration.backdrop
        let ignoresZero = decoding.stream.configuration.ignoresZeroAlpha
        let need = AlphaBlending.need(of: frame.pointer, ignoresZero: ignoresZero)
        var isChanged = false
        if need == .blending, decoding.converter.makeWritable(&frame) {
            AlphaBlending.blend(frame.pointer, over: backdrop)
            isChanged = true
        }
        var format = PixelFormat(frame.pointer)
        if format.map({ !request.canShow($0) }) ?? true {
            let converted = decoding.converter.convert(
                frame.pointer, sizeLimit: request.sizeLimit, reducesDepth: !request.acceptsDeepSamples)
            guard let converted else {
                if decoding.isOnHardware { return decoding.fail("it outputs a format that cannot be displayed") }
                return report(.damagedData(reason: "a frame has a format that cannot be displayed"))
            }
            frame = converted
            isChanged = true
            if need == .conversion, AlphaBlending.need(of: frame.pointer, ignoresZero: ignoresZero) == .blending {
                AlphaBlending.blend(frame.pointer, over: backdrop)
            }
            format = PixelFormat(frame.pointer)
        }
        // Either the frame could be shown as it was, or the converter has made one that can be.
        guard let format else { return }
        let geometry = decoding.stream.configuration.geometry(of: frame.pointer)
        let (time, duration) = (frame.pointer.pointee.pts, glissade_frame_duration(frame.pointer))
        stage.push(
            DecodedFrame(
                picture: DecodedPicture(frame, format: format), request: request, geometry: geometry,
                presentationTime: MediaTime(nanoseconds: time), duration: .nanoseconds(duration),
                generation: decoding.generation.number, cost: decoding.meter.prepared(isChanged: isChanged)))
    }
}

extension FrameFormat {
    /// Whether frames of `format` are to be converted to BGRA: a size is requested, and the converter supports the
    /// format.
    func converts(_ format: PixelFormat) -> Bool {
        convertedSize?.isEmpty == false && PixelConverter.canConvert(format)
    }

    /// Whether frames of `format` can be shown without swscale: they fit `sizeLimit`, and can be drawn as they are or
    /// converted to BGRA.
    func canShow(_ format: PixelFormat) -> Bool {
        (acceptsDeepSamples || format.bitDepth == 8 || converts(format))
            && max(format.size.width, format.size.height) <= sizeLimit
    }
}

// MARK: - Hardware

// Hardware decoding, and the fallback to software when it fails, even during playback. The decoder's thread may wait for
// a driver.

extension VideoDecoder {
    /// A description of the decoder in use, for the statistics overlay. A value type, usable on any thread.
    package struct Work: Hashable, Sendable {
        /// FFmpeg's name for the decoder.
        package var name: String?
        /// The name of the hardware device; nil for software decoding.
        var device: String?
        var threads: Int
        /// The number of times a device has failed during playback.
        var failures = 0

        package init(_ decoder: borrowing CodecContext) {
            name = decoder.name
            device = decoder.link?.device.name
            threads = max(1, Int(decoder.pointer.pointee.thread_count))
        }
    }

    /// Whether `generation` lacks frames that only a seek can restore. Any thread.
    func hasLost(_ generation: Int) -> Bool { lost.load(ordering: .acquiring) == generation }

    /// The number of threads for software decoding: one per core, at most 16.
    static let frameThreads = min(max(1, ResourceUsage.coreCount), 16)
    /// A device that fails to decode this many packets in a row is considered faulty.
    private static let mostRefusals = 3

    /// Replaces the software decoder with a hardware decoder, if requested and available. Still images are always
    /// decoded in software.
    private func takeUpHardware(_ decoding: inout Decoding) {
        guard hardware != .off, !decoding.stream.configuration.isStill else { return }
        decoding.candidates = hardware.candidates(for: decoding.stream.configuration.parameters.pointee.codec_id)
        openNext(&decoding)
    }

    /// Opens a decoder on the next device that works. If no device works, replaces a failed hardware decoder with a
    /// software decoder.
    private func openNext(_ decoding: inout Decoding) {
        (decoding.downloads, decoding.refusals) = (0, 0)
        while !decoding.candidates.isEmpty {
            let device = decoding.candidates.removeFirst()
            do throws(PlaybackError) {
                decoding.decoder = try access.open(decoding.stream.configuration, device)
                decoding.meter = DecodeCostMeter(decoding.decoder.threads)
                return noteWork(decoding)
            } catch {
                refused(device, error.description)
            }
        }
        guard decoding.isOnHardware else { return }
        do throws(PlaybackError) {
            decoding.decoder = try decoding.stream.configuration.openDecoder(threads: Self.frameThreads)
            decoding.meter = DecodeCostMeter(decoding.decoder.threads)
            noteWork(decoding)
        } catch {
            // The software decoder could be opened when playback began, so the system must be out of resources.
            decoding.hasGivenUp = true
            report(.streamNotPlayable(kind: "video", reason: error.description))
        }
    }

    private func noteWork(_ decoding: borrowing Decoding) {
        var new = Work(decoding.decoder)
        work.withLock { work in
            new.failures = work.failures
            work = new
        }
    }

    /// Reports a device that cannot be used, unless the device was chosen automatically.
    private func refused(_ device: HardwareDevice, _ reason: String) {
        if hardware != .automatic { report(.noHardwareDecoding(device: device.name, reason: reason)) }
    }

    /// Handles a packet that FFmpeg cannot decode. With a hardware decoder, the device may be at fault.
    private func noteFailure(_ code: CInt, _ decoding: inout Decoding) {
        guard let link = decoding.decoder.link else { return report(decoding.problem(code)) }
        // A device without a usable format causes all kinds of errors; it is reported separately.
        if link.isRefused { return decoding.failRefused() }
        guard code == glissade_averror_invaliddata() else { return decoding.fail(describe(code: code)) }
        // Probably the data is damaged. If further packets fail, blame the device.
        decoding.refusals += 1
        if decoding.refusals >= Self.mostRefusals { return decoding.fail(describe(code: code)) }
        report(.damagedData(reason: describe(code: code)))
    }

    /// Downloads a frame from the device; a frame that is not on the device is returned unchanged. If the download
    /// fails, marks the hardware decoder as failed and returns nil.
    private func download(_ frame: consuming CodecFrame, _ decoding: inout Decoding) -> CodecFrame? {
        guard let link = decoding.decoder.link, frame.pointer.pointee.format == link.pixelFormat.rawValue else {
            return frame
        }
        guard let copy = CodecFrame() else {
            decoding.fail(describe(code: outOfMemory))
            return nil
        }
        let code = access.download(frame.pointer, copy.pointer)
        guard code >= 0 else {
            decoding.fail(describe(code: code))
            return nil
        }
        decoding.downloads += 1
        return copy
    }

    /// Replaces a failed hardware decoder with one on the next device or, if no device is left, with a software
    /// decoder. Does nothing if the decoder has not failed.
    private func replaceDecoder(_ decoding: inout Decoding) {
        guard let reason = decoding.failure else { return }
        decoding.failure = nil
        guard let device = decoding.decoder.link?.device else { return }
        if decoding.downloads > 0 {
            // A device that has worked before is not replaced by another one.
            decoding.candidates = []
            work.withLock { $0.failures += 1 }
            report(.hardwareFailed(device: device.name, reason: reason))
        } else {
            refused(device, reason)
        }
        openNext(&decoding)
    }

    /// Continues with another decoder after a hardware decoder has failed. The new decoder gets the packets of the
    /// replay buffer, and then `packet`, which is nil at the end of the stream.
    private func goOn(_ decoding: inout Decoding, with packet: UnsafePointer<AVPacket>?) {
        while decoding.failure != nil {
            replaceDecoder(&decoding)
            // A seek makes the replay unnecessary.
            guard packets.isCurrent(decoding.generation.number), !decoding.hasGivenUp else { return }
            guard decoding.history.isWhole else { return lose(&decoding) }
            decoding.startReplay()
            var index = decoding.history.begin
            while decoding.failure == nil, let earlier = decoding.history.packet(at: index) {
                decoding.times.noteFirst(earlier)
                send(earlier, &decoding)
                index += 1
            }
            if decoding.failure == nil, let packet {
                decoding.times.noteFirst(packet)
                send(packet, &decoding)
            }
        }
        if !decoding.isOnHardware { decoding.history.dropPackets() }
    }

    /// Gives up the replay, and makes the player seek. If the media cannot seek, decoding continues with the next
    /// keyframe.
    private func lose(_ decoding: inout Decoding) {
        decoding.history.reset()
        decoding.isLost = true
        lost.store(decoding.generation.number, ordering: .releasing)
        frames.tell()
    }
}

extension VideoDecoder.Decoding {
    var isOnHardware: Bool { decoder.link != nil }

    /// Marks the hardware decoder as failed for the given reason. The decoder's further output is ignored. Does nothing
    /// for a software decoder.
    mutating func fail(_ reason: String) {
        if isOnHardware, failure == nil, !hasGivenUp { failure = reason }
    }

    /// The problem to report for a software decoder's error code.
    func problem(_ code: CInt) -> PlaybackProblem {
        if decoder.pool?.takeRefusal() == true {
            let limit = stream.configuration.pictureBudget.limit >> 20
            return .streamNotPlayable(
                kind: "video", reason: "its frames exceed the memory limit (\(limit) MiB)")
        }
        // FFmpeg leaves a decoder in this state after rejecting the video's size.
        if code == glissade_averror_from_errno(EINVAL), context.pointee.width == 0 {
            return .streamNotPlayable(kind: "video", reason: "its dimensions are zero or too large")
        }
        return .damagedData(reason: describe(code: code))
    }

    /// Marks the hardware decoder as failed because its device cannot decode this stream.
    mutating func failRefused() { fail("it cannot decode this stream") }

    /// Prepares for sending the packets of the replay buffer to a new decoder. Drops the frame in `candidate`, and
    /// stops skipping frames.
    mutating func startReplay() {
        let isSeeking = seekTarget != nil
        candidate = nil
        // Nothing is skipped now. Packets that may have been skipped either produce frames this time or were counted.
        _ = skips.takeAll()
        _ = sought.takeAll()
        context.pointee.skip_frame = AVDISCARD_DEFAULT
        // Keep the interpretation of the container's times: if it were detected again in mid-stream, it might differ.
        times = settledTimes
        if isSeeking { times.goBack() }
        history.startReplay(isSeeking: isSeeking)
    }

    /// Marks a frame as used, so that a replay does not deliver it again.
    package mutating func settle(_ mark: ReplayBuffer.Mark) {
        guard isOnHardware, failure == nil else { return }
        history.settle(mark)
        settledTimes = times
    }
}

// MARK: - Variants

extension VideoDecoder {
    /// Continues with the decoder of the stream at the index `track`, after outputting the frames that are still in the
    /// old decoder. Does nothing if there is no such stream.
    private func change(to track: Int, _ decoding: inout Decoding) {
        guard let stream = streams.first(where: { $0.track == track }) else { return }
        drain(&decoding)
        countSkipped(decoding.skips.takeAll())
        do throws(PlaybackError) {
            let decoder = try stream.configuration.openDecoder(threads: Self.frameThreads)
            decoding.use(decoder, of: stream)
            decoding.hasGivenUp = false
            noteWork(decoding)
            takeUpHardware(&decoding)
        } catch {
            // The demuxer has opened such a decoder before it chose the variant, so the system must be out of
            // resources.
            decoding.hasGivenUp = true
            report(.streamNotPlayable(kind: "video", reason: error.description))
        }
    }
}
