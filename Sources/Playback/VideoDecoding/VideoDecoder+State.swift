import GlissadeCFFmpeg
import GlissadeMedia
import GlissadeTime

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
        var frame: UnsafeMutablePointer<AVFrame>
        var end: Int64 = 0
        /// During an exact seek, the last frame so far at or before the target. It is shown unless a later frame is
        /// also at or before the target.
        var candidate: UnsafeMutablePointer<AVFrame>?
        /// The target of an exact seek, in nanoseconds; nil if there is none, or once it has been reached.
        var seekTarget: Int64?
        /// Counts the packets that the decoder has skipped in an exact seek.
        var sought = SkippedFrameCounter()
        /// Whether the exact seek has skipped the frame to show at its target.
        var hasMissed = false
        var scrubPreview = ScrubPreview.wanted

        init(_ start: consuming DecoderStart, historyLimit: Int) {
            guard let frame = av_frame_alloc() else { fatalError("out of memory for a frame") }
            meter = DecodeCostMeter(start.context.threads)
            times = TimestampEstimator(frameRate: start.stream.configuration.frameRate)
            settledTimes = times
            history = ReplayBuffer(byteLimit: historyLimit)
            converter = SwscaleConverter(budget: start.stream.configuration.pictureBudget)
            stream = start.stream
            decoder = start.context
            self.frame = frame
        }

        deinit {
            var frame: UnsafeMutablePointer<AVFrame>? = frame
            av_frame_free(&frame)
            var candidate = candidate
            av_frame_free(&candidate)
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
            var old = takeCandidate()
            av_frame_free(&old)
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

        mutating func takeCandidate() -> UnsafeMutablePointer<AVFrame>? {
            defer { candidate = nil }
            return candidate
        }

        /// Takes the last received frame, leaving an empty one in its place.
        mutating func takeFrame() -> UnsafeMutablePointer<AVFrame> {
            guard let fresh = av_frame_alloc() else { fatalError("out of memory for a frame") }
            defer { frame = fresh }
            return frame
        }
    }
}
