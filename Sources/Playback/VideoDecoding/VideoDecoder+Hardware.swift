import GlissadeCFFmpeg
import Glibc
import GlissadeMedia
import GlissadePlatform
import Synchronization

// Hardware decoding, and the fallback to software when it fails, even during playback. Runs on the decoder's thread,
// which may wait for a driver.

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
    func takeUpHardware(_ decoding: inout Decoding) {
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

    func noteWork(_ decoding: borrowing Decoding) {
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
    func noteFailure(_ code: CInt, _ decoding: inout Decoding) {
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
    /// fails, marks the hardware decoder as failed and returns nil. Takes ownership of `frame`.
    func bringDown(_ frame: UnsafeMutablePointer<AVFrame>, _ decoding: inout Decoding) -> UnsafeMutablePointer<AVFrame>?
    {
        guard let link = decoding.decoder.link, frame.pointee.format == link.pixelFormat.rawValue else { return frame }
        var original: UnsafeMutablePointer<AVFrame>? = frame
        defer { av_frame_free(&original) }
        var copy = av_frame_alloc()
        let code = copy.map { access.download(frame, $0) } ?? outOfMemory
        guard code >= 0 else {
            av_frame_free(&copy)
            decoding.fail(describe(code: code))
            return nil
        }
        decoding.downloads += 1
        return copy
    }

    /// Replaces a failed hardware decoder with one on the next device or, if no device is left, with a software
    /// decoder. Does nothing if the decoder has not failed.
    func replaceDecoder(_ decoding: inout Decoding) {
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
    func goOn(_ decoding: inout Decoding, with packet: UnsafePointer<AVPacket>?) {
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
        var old = takeCandidate()
        av_frame_free(&old)
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
