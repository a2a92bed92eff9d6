import Motion

/// Which media time each frame of the server's stream carries: what was written, in order, until it has been heard.
///
/// Pure. Frames are counted from the stream's beginning.
struct PlayedRuns {
    private struct Run {
        var firstFrame: Int
        var frameCount: Int
        var mediaTime: MediaTime
        var speed: Double
    }

    private var runs: [Run] = []
    private let sampleRate: Double

    init(sampleRate: Int) { self.sampleRate = Double(sampleRate) }

    mutating func removeAll() { runs.removeAll(keepingCapacity: true) }

    mutating func append(firstFrame: Int, _ run: SampleQueue.Run) {
        if let last = runs.last, last.firstFrame + last.frameCount == firstFrame, last.speed == run.speed {
            let expected = time(in: last, at: Double(firstFrame))
            if abs((run.mediaTime - expected).nanoseconds) < 1_000_000 {
                runs[runs.count - 1].frameCount += run.frameCount
                return
            }
        }
        runs.append(
            Run(firstFrame: firstFrame, frameCount: run.frameCount, mediaTime: run.mediaTime, speed: run.speed))
    }

    /// The media time of `frame`; nil before the first and past the last one.
    func mediaTime(at frame: Double) -> MediaTime? {
        for run in runs where frame >= Double(run.firstFrame) && frame < Double(run.firstFrame + run.frameCount) {
            return time(in: run, at: frame)
        }
        return nil
    }

    /// Where the newest run ends.
    var last: MediaTime? { runs.last.map { time(in: $0, at: Double($0.firstFrame + $0.frameCount)) } }

    /// Forgets what lies wholly before `frame`.
    mutating func prune(before frame: Double) {
        while let first = runs.first, runs.count > 1, Double(first.firstFrame + first.frameCount) < frame {
            runs.removeFirst()
        }
    }

    private func time(in run: Run, at frame: Double) -> MediaTime {
        let seconds = (frame - Double(run.firstFrame)) / sampleRate * run.speed
        return run.mediaTime + .nanoseconds(Int64(clampingNanoseconds: seconds))
    }
}
