import CPulse
import Glibc
import Platform
import Time

/// Asks the server where it stands, often after a change and seldom later, and never while nothing plays.
///
/// Lives on `PulseLink`'s thread. (PulseAudio's own automatic updates go on under a corked stream, every 1.5 s, and its
/// interpolation cannot be read without its lock: hence this and `StreamClock`.)
final class PulseTiming {
    /// What the server said. Counts are in frames since the stream was made.
    struct Report {
        /// When it was so.
        let host: HostTime
        /// Where the next write goes.
        let writeIndex: Int
        /// What the server has handed to its sink.
        let readIndex: Int
        /// What leaves the loudspeaker; after running dry it counts on, as if there had been more.
        let heard: Double
        /// The first frame since the server last ran dry.
        let first: Double
        /// Whether it does not run dry just now.
        let isPlaying: Bool
    }

    private static let shortest = Duration.milliseconds(10)
    private static let longest = Duration.milliseconds(500)
    /// While it is still to be told when sound will be heard.
    private static let longestUntilHeard = Duration.milliseconds(20)
    /// A server on the same machine that says nothing for so long hangs.
    private static let patience = Duration.seconds(2)

    private let stream: OpaquePointer
    private let format: AudioFormat
    /// Requests on their way, oldest first (the server answers in order): when they were sent, and since which change.
    private var pending: [(sent: HostTime, epoch: Int, operation: OpaquePointer)] = []
    private var reports: [Report] = []
    private var epoch = 0
    private var interval = PulseTiming.shortest
    private var next: HostTime?

    init(stream: OpaquePointer, format: AudioFormat) {
        self.stream = stream
        self.format = format
    }

    func cancel() {
        for request in pending {
            pa_operation_cancel(request.operation)
            pa_operation_unref(request.operation)
        }
        pending = []
    }

    /// Something has changed: answers to earlier questions are void, and it is asked at once.
    func restart(now: HostTime) {
        epoch += 1
        reports = []
        hurry(now: now)
    }

    /// Asks at once, and often for a while.
    func hurry(now: HostTime) {
        interval = Self.shortest
        next = now
    }

    func takeReports() -> [Report] {
        defer { reports = [] }
        return reports
    }

    func isUnanswered(at now: HostTime) -> Bool {
        guard let oldest = pending.first else { return false }
        return now - oldest.sent > Self.patience
    }

    /// Asks if it is time to.
    ///
    /// - Parameters:
    ///   - needs: an answer is wanted though nothing plays.
    ///   - awaitsSound: what was written is to be heard, and the server has not said when.
    /// - Returns: when to look again; nil for never.
    func settle(now: HostTime, isPlaying: Bool, needs: Bool, awaitsAudio: Bool) -> HostTime? {
        guard isPlaying || needs else {
            next = nil
            // An answer still on its way wakes the thread by itself; one that never comes must not be missed.
            return pending.first.map { $0.sent + Self.patience + .milliseconds(1) }
        }
        if next == nil || next.map({ now >= $0 }) == true {
            if pending.count < 4 { ask(now: now) }
            next = now + interval
            interval = min(interval * 2, awaitsAudio ? Self.longestUntilHeard : Self.longest)
        }
        return next
    }

    private func ask(now: HostTime) {
        let operation = pa_stream_update_timing_info(
            stream,
            { _, success, timing in
                // Cancelled before the object goes: it is there as long as this may be called.
                Unmanaged<PulseTiming>.fromOpaque(timing!).takeUnretainedValue().take(isValid: success != 0)
            }, Unmanaged.passUnretained(self).toOpaque())
        if let operation { pending.append((now, epoch, operation)) }
    }

    private func take(isValid: Bool) {
        guard !pending.isEmpty else { return }
        let request = pending.removeFirst()
        pa_operation_unref(request.operation)
        guard isValid, request.epoch == epoch, let info = pa_stream_get_timing_info(stream)?.pointee,
            info.read_index_corrupt == 0
        else { return }
        let frame = Double(format.bytesPerFrame)
        let read = Double(info.read_index) / frame
        let unheard = Double(info.sink_usec) * Double(format.sampleRate) / 1e6
        // How much it has played since it last ran dry, or how much silence since it did (−1 for ever).
        let since = max(0, Double(info.since_underrun) / frame)
        let isPlaying = info.playing != 0
        reports.append(
            Report(
                host: host(of: info, sent: request.sent), writeIndex: Int(info.write_index) / format.bytesPerFrame,
                readIndex: Int(info.read_index) / format.bytesPerFrame,
                heard: read - unheard + (isPlaying ? 0 : since), first: isPlaying ? read - since : 0,
                isPlaying: isPlaying))
    }

    /// The server dates its report by the wall clock. Its age by that is trusted as far as it fits between question and
    /// answer: the wall clock may have been set meanwhile.
    private func host(of info: pa_timing_info, sent: HostTime) -> HostTime {
        var wall = timeval()
        gettimeofday(&wall, nil)
        let now = HostTime.now()
        let microseconds =
            (wall.tv_sec - info.timestamp.tv_sec) * 1_000_000 + Int(wall.tv_usec) - Int(info.timestamp.tv_usec)
        return max(sent, min(now, now - .microseconds(microseconds)))
    }
}
