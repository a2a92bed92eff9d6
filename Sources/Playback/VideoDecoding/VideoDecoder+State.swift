import CFFmpeg
import Media
import Time

extension VideoDecoder {
    /// What the thread knows while it decodes.
    struct Decoding: ~Copyable {
        let configuration: CodecConfiguration
        var decoder: CodecContext
        var context: UnsafeMutablePointer<AVCodecContext> { decoder.pointer }
        /// Devices that may decode it, should the present decoder not.
        var candidates: [HardwareDevice] = []
        /// What the decoder on hardware was given lately.
        var history: ReplayBuffer
        /// Why the decoder on hardware cannot go on.
        var failure: String?
        /// Pictures that came down from the present device, and pieces of data in a row of which it could make none.
        var downloads = 0
        var refusals = 0
        /// Nothing can be decoded before a keyframe.
        var isLost = false
        /// No decoder could be opened any more.
        var hasGivenUp = false
        var generation = PacketBuffer.Generation(number: 0, start: nil)
        var times: TimestampEstimator
        /// As it was after the last frame that was settled.
        var settledTimes: TimestampEstimator
        var skips = SkippedFrameCounter()
        var converter: SwscaleConverter
        var meter: DecodeCostMeter
        var frame: UnsafeMutablePointer<AVFrame>
        var end: Int64 = 0
        /// While an exact seek is on: the last frame not after its target, which is the one to be shown first.
        var candidate: UnsafeMutablePointer<AVFrame>?
        var seekTarget: Int64?
        /// The packets that an exact seek let the decoder skip and that have not come out.
        var sought = SkippedFrameCounter()
        var hasMissed = false
        var glance = Glance.wanted

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
            glance = .wanted
            _ = sought.takeAll()
            hasMissed = false
        }

        mutating func noteSkippable(_ packet: UnsafePointer<AVPacket>) { sought.note(packet.pointee.pts) }

        /// Whether a packet lies so far before an exact seek's target that its picture will not be shown, whatever the
        /// lengths of pictures around it. Twice as much is decoded a second where those are skipped that no other needs.
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

        /// Takes the frame out, leaving an empty one in its place.
        mutating func takeFrame() -> UnsafeMutablePointer<AVFrame> {
            guard let fresh = av_frame_alloc() else { fatalError("out of memory for a frame") }
            defer { frame = fresh }
            return frame
        }
    }
}
