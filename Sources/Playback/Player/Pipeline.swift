import GlissadeAudio
import GlissadeMedia
import GlissadePlatform
import Synchronization
import GlissadeTime

/// The background threads of a player and the queues between them.
///
/// Threads: shared; the player calls the pipeline from the main thread. `stop` ends the background threads and waits
/// for them.
final class Pipeline: Sendable {
    let packets: PacketBuffer
    let frames: FrameQueue
    let audio: AudioOutput?

    /// The media's description, and whether its video and audio can be played.
    struct Opened: Sendable {
        var info: MediaInfo
        var hasVideo: Bool
        var hasAudio: Bool
    }

    private struct State {
        var outcome: Result<Opened, PlaybackError>?
        var video: VideoDecoder?
        var audio: AudioDecoder?
        var threads: [NamedThread] = []
        var request: FrameFormat
        var speed: Double
        var audioTrack: Int?
        var isStopped = false
        /// Why the sound server was last unavailable; nil if it has never been unavailable.
        var silence: String?
    }

    private let state: Monitor<State>
    private let demuxer: Demuxer
    private let subtitles: SubtitleSelection
    private let wake: @Sendable () -> Void
    private let report: @Sendable (PlaybackProblem) -> Void
    private let hardware: HardwareDecoding
    private let access: HardwareAccess

    /// Starts opening `location` on the demuxer's thread.
    init(
        location: String, options: PlayerOptions, access: HardwareAccess = .ffmpeg,
        wake: @escaping @Sendable () -> Void, report: @escaping @Sendable (PlaybackProblem) -> Void
    ) {
        self.wake = wake
        hardware = options.hardware
        self.access = access
        let said = Monitor<Set<PlaybackProblem.Kind>>([])
        // Damage rarely comes alone, so each kind of problem is reported once.
        let report: @Sendable (PlaybackProblem) -> Void = { problem in
            if said.withLock({ $0.insert(problem.kind).inserted }) { report(problem) }
        }
        self.report = report
        packets = PacketBuffer(isOfAddress: MediaInput.isAddress(location))
        frames = FrameQueue(wake: wake)
        let state = Monitor(
            State(request: options.pictures, speed: options.speed, audioTrack: options.audioTrack))
        self.state = state
        func output(_ backend: AudioOutput.Backend) -> AudioOutput {
            AudioOutput(backend: backend, applicationName: "Glissade", streamName: location) { event in
                Self.soundServer(event, state, report)
            }
        }
        audio =
            switch options.isUntimed ? .none : options.audio {
            case .server: output(.pulse)
            case .silent: output(.silent)
            case .none: nil
            }
        packets.isLooping = options.isLooping
        packets.screenLines = options.screenLines
        subtitles = SubtitleSelection(track: options.subtitleTrack)
        demuxer = Demuxer(
            location: location, network: options.network, packets: packets, subtitles: subtitles, wake: wake,
            report: report)
        do throws(ThreadError) {
            let thread = try NamedThread(name: "demuxer") { [self] in
                demuxer.run(wantsAudio: audio != nil, audioTrack: options.audioTrack) { outcome, video, audio in
                    start(outcome, video, audio)
                }
            }
            state.withLock { $0.threads.append(thread) }
        } catch {
            publish(.failure(.cannotOpen(reason: "\(error)")))
        }
    }

    /// The result of opening the media; nil until opening has finished.
    var outcome: Result<Opened, PlaybackError>? { state.withLock { $0.outcome } }

    /// Blocks until opening has finished, and returns the result. Returns nil if opening has not finished by
    /// `deadline`.
    func waitForOutcome(until deadline: HostTime) -> Result<Opened, PlaybackError>? {
        state.wait(until: deadline) { $0.outcome }
    }

    /// Sets the format of frames decoded from now on.
    func setRequest(_ request: FrameFormat) {
        let video = state.withLock { state in
            state.request = request
            return state.video
        }
        video?.setRequest(request)
    }

    func setSpeed(_ speed: Double) {
        let audio = state.withLock { state in
            state.speed = speed
            return state.audio
        }
        audio?.setSpeed(speed)
    }

    /// Sends the packets of the selected subtitle track to `receiver`, starting with recently read ones. If `receiver`
    /// is nil, stops sending packets.
    func attach(_ receiver: (any SubtitleReceiver)?) {
        subtitles.attach(receiver)
        packets.orderSelection()
    }

    func selectSubtitles(_ track: Int?) {
        subtitles.select(track)
        packets.orderSelection()
    }

    /// What reading has found out about a file's length.
    var readLength: Demuxer.ReadLength { demuxer.readLength }

    var video: VideoDecoder? { state.withLock { $0.video } }
    var audioDecoder: AudioDecoder? { state.withLock { $0.audio } }
    var roundLength: Duration? { demuxer.roundLength }

    /// Makes the demuxer seek, and begins `generation`. Drops the packets, frames and audio of earlier generations.
    func seek(to target: MediaTime, mode: SeekMode, generation: Int) {
        order(PacketBuffer.SeekOrder(generation: generation, target: target, mode: mode))
    }

    /// Requests the frame of the keyframe nearest to `target`, and begins `generation`. Drops the packets, frames and
    /// audio of earlier generations.
    ///
    /// - Parameter shown: The time of the frame on screen; nil if there is none. If that frame is at least as near to
    ///   `target` as the keyframe, the generation ends without a frame.
    func scrubPreview(at target: MediaTime, shown: MediaTime?, generation: Int) {
        order(
            PacketBuffer.SeekOrder(
                generation: generation, target: target, mode: .fast, isScrubPreview: true, shown: shown))
    }

    private func order(_ order: PacketBuffer.SeekOrder) {
        // The frame queue and the audio output come first: they must accept the new generation before a thread
        // produces anything for it.
        frames.flush(generation: order.generation)
        audio?.flush(generation: order.generation)
        packets.seek(order)
    }

    /// Ends the threads and waits for them, unless `claimEnd` was called before. Either `stop` or `end` must be called
    /// before the last reference is released.
    func stop() { if claimEnd() { end() } }

    /// Claims the task of ending the threads. Returns true to the first caller, which must then call `end`.
    func claimEnd() -> Bool {
        state.withLock { state in
            defer { state.isStopped = true }
            return !state.isStopped
        }
    }

    /// Ends the threads and waits for them. Call only after `claimEnd` has returned true.
    func end() {
        packets.stop()
        frames.stop()
        audio?.stop()
        while true {
            let thread = state.withLock { $0.threads.popLast() }
            guard let thread else { return }
            thread.join()
        }
    }

    /// Opens the decoders, starts their threads, and publishes the outcome of opening. Runs on the demuxer's thread.
    /// Returns whether to read video, and whether to read audio.
    private func start(
        _ outcome: Demuxer.Outcome, _ videoStreams: [VideoStream], _ audioStreams: [AudioStream]
    ) -> (video: Bool, audio: Bool) {
        let info: MediaInfo
        switch outcome {
        case .failed(let error):
            publish(.failure(error))
            return (false, false)
        case .opened(let opened): info = opened
        }
        var refusal: PlaybackError?
        func refused(_ kind: String, _ error: PlaybackError) {
            if refusal == nil { refusal = error }
            report(.streamNotPlayable(kind: kind, reason: error.description))
        }
        var hasVideo = false
        if let first = videoStreams.first {
            do throws(PlaybackError) {
                try startVideo(first, videoStreams)
                hasVideo = true
            } catch { refused("video", error) }
        }
        var hasAudio = false
        if let first = audioStreams.first {
            var start: CodecContext?
            do throws(PlaybackError) {
                start = try first.configuration.openDecoder(threads: 1)
                hasAudio = true
            } catch { refused("audio", error) }
            // The user may still choose another track.
            if hasAudio || hasVideo && audioStreams.count > 1 {
                do throws(PlaybackError) { try startAudio(start, audioStreams) } catch {
                    hasAudio = false
                    refused("audio", error)
                }
            }
        }
        if hasVideo { packets.activate(.video, isStill: info.isStill) }
        if audio != nil {
            for stream in audioStreams {
                packets.activate(.audio, track: stream.track, isSelected: hasAudio && stream === audioStreams[0])
            }
        }
        if hasVideo || hasAudio {
            publish(.success(Opened(info: info, hasVideo: hasVideo, hasAudio: hasAudio)))
        } else {
            publish(.failure(refusal ?? .nothingToPlay(reason: "audio only, and audio is turned off")))
        }
        return (hasVideo, audio != nil)
    }

    private func startVideo(_ first: VideoStream, _ streams: [VideoStream]) throws(PlaybackError) {
        let context = try first.configuration.openDecoder(threads: VideoDecoder.frameThreads)
        let decoder = VideoDecoder(
            packets: packets, streams: streams, frames: frames, request: state.withLock { $0.request },
            decoder: context, hardware: hardware, access: access, report: report)
        let start = DecoderStart(context: context, stream: first)
        let handOver = OneShotBox(start)
        let thread = try Self.thread("video decoder") {
            if let start = handOver.take() { decoder.run(start) }
        }
        state.withLock { state in
            state.video = decoder
            state.threads.append(thread)
        }
    }

    /// Starts a decoder's thread. Throws `nothingToPlay` if the thread cannot be started.
    private static func thread(
        _ name: String, _ body: @escaping @Sendable () -> Void
    ) throws(PlaybackError) -> NamedThread {
        do throws(ThreadError) { return try NamedThread(name: name, body) } catch {
            throw .nothingToPlay(reason: "\(error)")
        }
    }

    private func startAudio(
        _ start: consuming CodecContext?, _ streams: [AudioStream]
    ) throws(PlaybackError) {
        guard let audio else { return }
        let track = streams[0].track
        let decoder = AudioDecoder(packets: packets, output: audio, report: report, wake: wake)
        decoder.setSpeed(state.withLock { $0.speed })
        let handOver = OneShotBox(AudioStart(context: start))
        let thread = try Self.thread("audio decoder") {
            if let start = handOver.take() { decoder.run(start.takeContext(), track: track, streams: streams) }
        }
        state.withLock { state in
            state.audio = decoder
            state.threads.append(thread)
        }
    }

    private func publish(_ outcome: Result<Opened, PlaybackError>) {
        let silence = state.update { state in
            state.outcome = outcome
            return state.silence
        }
        if let silence, case .success(let opened) = outcome, opened.hasAudio { report(.noSoundServer(reason: silence)) }
        wake()
    }

    /// Handles an event from the sound server. If the media has audio that the server cannot play, reports `noSoundServer`.
    private static func soundServer(
        _ event: AudioEvent, _ state: Monitor<State>, _ report: (PlaybackProblem) -> Void
    ) {
        let reason: String
        switch event {
        case .connected: return
        case .unavailable(let why), .lost(let why): reason = why
        }
        let outcome = state.withLock { state in
            state.silence = reason
            return state.outcome
        }
        if case .success(let opened) = outcome, opened.hasAudio { report(.noSoundServer(reason: reason)) }
    }
}

/// An open decoder and its stream, handed over to the decoder's thread.
///
/// Threads: passed from the demuxer's thread to the decoder's; one owner at a time.
struct DecoderStart: ~Copyable, @unchecked Sendable {
    // @unchecked: made on one thread and passed as a whole to another.
    let context: CodecContext
    let stream: VideoStream
}

/// The decoder of the first audio track, handed over to the audio decoder's thread; empty if it could not be opened.
///
/// Threads: passed from the demuxer's thread to the decoder's; one owner at a time.
struct AudioStart: ~Copyable, @unchecked Sendable {
    // @unchecked: made on one thread and passed as a whole to another.
    private let context: CodecContext?

    init(context: consuming CodecContext?) { self.context = context }

    consuming func takeContext() -> CodecContext? { context }
}

/// Carries a noncopyable value into a thread's closure, which takes the value out once.
///
/// Threads: one thread creates the box, and another takes the content.
final class OneShotBox<Content: ~Copyable>: Sendable {
    private let content: Monitor<Content?>
    init(_ content: consuming sending Content) { self.content = Monitor(content) }
    func take() -> Content? { content.withLock { $0.take() } }
}
