import GlissadeCPulse
import Glibc
import GlissadePlatform
import GlissadeTime

/// Queries the server's position in a stream: often after a change, and less often later. While the stream is corked,
/// queries only if an answer is needed.
///
/// Replaces PulseAudio's automatic updates, which continue while the stream is corked.
///
/// Threads: confined to `PulseLink`'s thread.
final class PulseTiming {
    /// A report from the server about the stream. Positions are in frames since the stream was created.
    struct Report {
        /// The host time to which the report refers.
        let host: HostTime
        /// The position of the client's next write.
        let writeIndex: Int
        /// The end of the audio that the server has passed to its sink.
        let readIndex: Int
        /// The position of the frame heard at `host`. During an underrun, the position keeps advancing as if audio were
        /// playing.
        let heard: Double
        /// The position of the first frame played after the last underrun; 0 during an underrun.
        let first: Double
        /// Whether the server has samples to play at the moment.
        let isPlaying: Bool
    }

    private static let shortest = Duration.milliseconds(10)
    private static let longest = Duration.milliseconds(500)
    /// The longest interval between queries until the server has reported when written audio will be heard.
    private static let longestUntilHeard = Duration.milliseconds(20)
    /// How long the server may take to answer before it is considered hung.
    private static let timeout = Duration.seconds(2)

    private let stream: OpaquePointer
    private let format: AudioFormat
    /// The unanswered queries, oldest first, each with the time and the epoch in which it was sent. The server answers
    /// them in order.
    private var pending: [(sent: HostTime, epoch: Int, operation: OpaquePointer)] = []
    private var reports: [Report] = []
    /// Counts the calls of `restart`. An answer to a query from an earlier epoch is ignored.
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

    /// Discards all reports, ignores the answers to earlier queries, and makes the next `settle` query the server. Call
    /// after a change to the stream.
    func restart(now: HostTime) {
        epoch += 1
        reports = []
        hurry(now: now)
    }

    /// Makes the next `settle` query the server, and resets the interval between queries to the shortest.
    func hurry(now: HostTime) {
        interval = Self.shortest
        next = now
    }

    /// Returns the reports received since the last call, oldest first.
    func takeReports() -> [Report] {
        defer { reports = [] }
        return reports
    }

    /// Whether a query has been unanswered for so long that the server is considered hung.
    func isUnanswered(at now: HostTime) -> Bool {
        guard let oldest = pending.first else { return false }
        return now - oldest.sent > Self.timeout
    }

    /// Queries the server if a query is due. Call after each wake-up.
    ///
    /// - Parameters:
    ///   - isPlaying: Whether the stream is uncorked.
    ///   - needs: Whether an answer is needed even if the stream is corked.
    ///   - awaitsAudio: Whether audio has been written, but the server has not yet reported when it will be heard.
    /// - Returns: When to call again at the latest; nil for no time limit.
    func settle(now: HostTime, isPlaying: Bool, needs: Bool, awaitsAudio: Bool) -> HostTime? {
        guard isPlaying || needs else {
            next = nil
            // A pending answer wakes the thread when it comes. If it never comes, that must be noticed.
            return pending.first.map { $0.sent + Self.timeout + .milliseconds(1) }
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
                // The query is canceled in `cancel`, so the object is alive whenever this is called.
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
        // The frames played since the last underrun or, during one, the frames of silence so far (−1 if nothing has
        // played).
        let since = max(0, Double(info.since_underrun) / frame)
        let isPlaying = info.playing != 0
        reports.append(
            Report(
                host: host(of: info, sent: request.sent), writeIndex: Int(info.write_index) / format.bytesPerFrame,
                readIndex: Int(info.read_index) / format.bytesPerFrame,
                heard: read - unheard + (isPlaying ? 0 : since), first: isPlaying ? read - since : 0,
                isPlaying: isPlaying))
    }

    /// Converts the wall-clock time of `info` to host time. The result is clamped to the time between the query and its
    /// answer, in case the wall clock was set in between.
    private func host(of info: pa_timing_info, sent: HostTime) -> HostTime {
        var wall = timeval()
        gettimeofday(&wall, nil)
        let now = HostTime.now()
        let microseconds =
            (wall.tv_sec - info.timestamp.tv_sec) * 1_000_000 + Int(wall.tv_usec) - Int(info.timestamp.tv_usec)
        return max(sent, min(now, now - .microseconds(microseconds)))
    }
}
