import GlissadeTime

@testable import GlissadePlayback

extension PlaybackHarness {
    /// Runs until a frame of the variant with `height` is shown; false where none comes.
    func run(toHeight height: Int) -> Bool { run { last?.codedSize.height == height } }

    /// Whether each frame comes after the one before it, at its own time, and none is missing except dropped ones.
    func isContinuous(from first: Int = 0) -> Bool {
        let frames = shown[first...]
        guard let first = frames.first, let last = frames.last else { return false }
        let frame = Duration.milliseconds(40).nanoseconds
        let steps = frames.map { ($0.time - first.time).nanoseconds / frame }
        let isRight = zip(frames, steps).allSatisfy { shown, step in
            (first.number + Int(step)) & 255 == shown.number && shown.time == first.time + .nanoseconds(step * frame)
        }
        let missing = (last.time - first.time).nanoseconds / frame + 1 - Int64(frames.count)
        return isRight && zip(steps, steps.dropFirst()).allSatisfy { $0 < $1 } && missing <= player.counts.dropped
    }
}
