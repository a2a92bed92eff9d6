import CFFmpeg
import Glibc
import Media
import Platform
import Synchronization

// Decoding on hardware, and the way back into software where it fails, also in the middle of a film: on the decoder's
// thread, which may wait for a driver.

extension VideoDecoder {
    /// What decodes, for those who ask. A value; any thread.
    package struct Work: Hashable, Sendable {
        /// As FFmpeg calls it.
        package var name: String?
        /// The device that it works on; nil in software.
        var device: String?
        var threads: Int
        /// How often a device has failed in the middle of the film.
        var failures = 0

        package init(_ decoder: borrowing CodecContext) {
            name = decoder.name
            device = decoder.link?.device.name
            threads = max(1, Int(decoder.pointer.pointee.thread_count))
        }
    }

    /// Whether pictures are missing from `generation`, and come only where the place is sought. Any thread.
    func hasLost(_ generation: Int) -> Bool { lost.load(ordering: .acquiring) == generation }

    /// A frame thread a core. FFmpeg's own choice is one more, which costs two pictures' memory and gains nothing that
    /// could be measured.
    static let frameThreads = min(max(1, ResourceUsage.coreCount), 16)
    /// After so many pieces of data in a row that a device makes nothing of, it is the device that is to blame.
    private static let mostRefusals = 3

    /// Opens a decoder on hardware in the place of the one in software, where that is asked for and there is such.
    func takeUpHardware(_ decoding: inout Decoding) {
        guard hardware != .off, !decoding.configuration.isStill else { return }
        decoding.candidates = hardware.candidates(for: decoding.configuration.parameters.pointee.codec_id)
        openNext(&decoding)
    }

    /// Opens a decoder on the next device, or in software after the last.
    private func openNext(_ decoding: inout Decoding) {
        (decoding.downloads, decoding.refusals) = (0, 0)
        while !decoding.candidates.isEmpty {
            let device = decoding.candidates.removeFirst()
            do throws(PlaybackError) {
                decoding.decoder = try access.open(decoding.configuration, device)
                decoding.meter = DecodeCostMeter(decoding.decoder.threads)
                return noteWork(decoding)
            } catch {
                refused(device, error.description)
            }
        }
        guard decoding.isOnHardware else { return }
        do throws(PlaybackError) {
            decoding.decoder = try decoding.configuration.openDecoder(threads: Self.frameThreads)
            decoding.meter = DecodeCostMeter(decoding.decoder.threads)
            noteWork(decoding)
        } catch {
            // It could be opened when the film began: the machine is at its end.
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

    /// Where nobody has named the device, nobody misses it.
    private func refused(_ device: HardwareDevice, _ reason: String) {
        if hardware != .automatic { report(.noHardwareDecoding(device: device.name, reason: reason)) }
    }

    /// FFmpeg makes nothing of a piece of data. Where a device decodes, that may be the device's fault.
    func noteFailure(_ code: CInt, _ decoding: inout Decoding) {
        guard let link = decoding.decoder.link else { return report(decoding.problem(code)) }
        // That it has chosen no format comes out as all kinds of errors; it is told of by itself.
        if link.isRefused { return decoding.failRefused() }
        guard code == glissade_averror_invaliddata() else { return decoding.fail(describe(code: code)) }
        // In software it would most likely be the same; but not for ever.
        decoding.refusals += 1
        if decoding.refusals >= Self.mostRefusals { return decoding.fail(describe(code: code)) }
        report(.damagedData(reason: describe(code: code)))
    }

    /// Brings a frame down from the device; as it is where it is none of the device's. Takes over `frame`; nil where that
    /// fails, which is noted.
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

    /// The decoder on hardware has failed: opens another.
    func replaceDecoder(_ decoding: inout Decoding) {
        guard let reason = decoding.failure else { return }
        decoding.failure = nil
        guard let device = decoding.decoder.link?.device else { return }
        if decoding.downloads > 0 {
            // What has worked and ceases to is no matter of choosing another one.
            decoding.candidates = []
            work.withLock { $0.failures += 1 }
            report(.hardwareFailed(device: device.name, reason: reason))
        } else {
            refused(device, reason)
        }
        openNext(&decoding)
    }

    /// The decoder on hardware has failed, at `packet` or at the end: goes on with another, which is given once more what
    /// has not come out, and then `packet`.
    func goOn(_ decoding: inout Decoding, with packet: UnsafePointer<AVPacket>?) {
        while decoding.failure != nil {
            replaceDecoder(&decoding)
            // A seek has come: there everything begins anew.
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

    /// There is nothing to begin from: the player is to seek the place. One that cannot goes on with the next keyframe.
    private func lose(_ decoding: inout Decoding) {
        decoding.history.reset()
        decoding.isLost = true
        lost.store(decoding.generation.number, ordering: .releasing)
        frames.tell()
    }
}

extension VideoDecoder.Decoding {
    var isOnHardware: Bool { decoder.link != nil }

    /// The decoder on hardware cannot go on; what it would make of what follows is not asked for any more.
    mutating func fail(_ reason: String) {
        if isOnHardware, failure == nil, !hasGivenUp { failure = reason }
    }

    /// What a decoder's code in software tells of.
    func problem(_ code: CInt) -> PlaybackProblem {
        if decoder.pool?.takeRefusal() == true {
            let limit = configuration.pictureBudget.limit >> 20
            return .streamNotPlayable(
                kind: "video", reason: "its frames exceed the memory limit (\(limit) MiB)")
        }
        // So FFmpeg leaves a decoder that was given a size which it may not have.
        if code == glissade_averror_from_errno(EINVAL), context.pointee.width == 0 {
            return .streamNotPlayable(kind: "video", reason: "its dimensions are zero or too large")
        }
        return .damagedData(reason: describe(code: code))
    }

    /// The device does not decode this stream, or not from here on.
    mutating func failRefused() { fail("it does not decode this stream") }

    /// A new decoder is going to be given once more what is in the history.
    mutating func startReplay() {
        let isSeeking = seekTarget != nil
        var old = takeCandidate()
        av_frame_free(&old)
        // Nothing is skipped now: what was to be skipped comes out, or was counted.
        _ = skips.takeAll()
        _ = sought.takeAll()
        context.pointee.skip_frame = AVDISCARD_DEFAULT
        // How the container's times are to be read stays as it was: found out anew, in the middle, it might be another way.
        times = settledTimes
        if isSeeking { times.goBack() }
        history.startReplay(isSeeking: isSeeking)
    }

    /// A frame has come out and was used.
    package mutating func settle(_ mark: ReplayBuffer.Mark) {
        guard isOnHardware, failure == nil else { return }
        history.settle(mark)
        settledTimes = times
    }
}
