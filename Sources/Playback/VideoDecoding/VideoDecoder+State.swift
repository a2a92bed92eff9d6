import CFFmpeg
import Media
import Time

extension VideoDecoder {
    /// The state of the decoding thread.
    struct Decoding: ~Copyable {
        let configuration: CodecConfiguration
        var decoder: CodecContext
        var context: UnsafeMutablePointer<AVCodecContext> { decoder.pointer }
        /// Devices to try if the current decoder fails.
        var candidates: [HardwareDevice] = []
        /// The hardware decoder's recent input.
        var history: ReplayBuffer
        /// The reason why the hardware decoder cannot continue.
        var failure: String?
        /// Frames downloaded from the current device, and packets in a row that it failed to decode.
        var downloads = 0
        var refusals = 0
        /// Whether nothing can be decoded before the next keyframe.
        var isLost = false
        /// Whether no decoder could be opened.
        var hasGivenUp = false
        var generation = PacketBuffer.Generation(number: 0, start: nil)
        var times: TimestampEstimator
        /// The state after the last settled frame.
        var settledTimes: TimestampEstimator
        var skips = SkippedFrameCounter()
        var converter: SwscaleConverter
        var meter: DecodeCostMeter
        var frame: UnsafeMutablePointer<AVFrame>
        var end: Int64 = 0
        /// During an exact seek, the last frame at or before its target: the first one to show.
        var candidate: UnsafeMutablePointer<AVFrame>?
        var seekTarget: Int64?
        /// Packets that the decoder may skip in an exact seek and that have produced no frame.
        var sought = SkippedFrameCounter()
        var hasMissed = false
        var scrubPreview = ScrubPreview.wanted

        init(_ start: consuming DecoderStart, historyLimit: Int) {
            guard let frame = av_frame_alloc() else { fatalError("out of memory for a frame") }
            meter = DecodeCostMeter(start.context.threads)
            times = TimestampEstimator(frameRate: start.configuration.frameRate)
            settledTimes = times
            history = ReplayBuffer(byteLimit: historyLimit)
            converter = SwscaleConverter(budget: start.configuration.pictureBudget)
            configuration = start.configuration
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

        mutating func noteSkippable(_ packet: UnsafePointer<AVPacket>) { sought.note(packet.pointee.pts) }

        /// Whether a packet is so far before an exact seek's target that its frame will not be shown, whatever the
        /// durations near it. Skipping non-reference frames there doubles the decoding speed.
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

        /// Takes the frame, leaving an empty one in its place.
        mutating func takeFrame() -> UnsafeMutablePointer<AVFrame> {
            guard let fresh = av_frame_alloc() else { fatalError("out of memory for a frame") }
            defer { frame = fresh }
            return frame
        }
    }
}
