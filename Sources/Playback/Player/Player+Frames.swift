import GlissadeMedia
import GlissadePlatform
public import GlissadeTime

// Choosing the frame to show in each draw.

extension Player {
    /// When the next queued frame is due. Nil if no frame is queued, or if the player must not show the next one now.
    ///
    /// Frames that do not depend on the clock are due immediately: the first one after a seek, those for a frame step
    /// or a scrub, and every frame of untimed playback.
    public var nextFrameDue: HostTime? {
        guard let first = pipeline.frames.head().first else { return nil }
        let since = HostTime(nanoseconds: 0)
        switch phase {
        case .scrubbing where followTarget.map { first <= $0 } ?? false: return since
        case .preroll, .scrubbing: return lastShown == nil ? since : nil
        case .paused: return isStepPending ? since : nil
        case .running where loopEnd.map { first >= $0 } ?? false: return nil
        case .running: return isUntimed ? since : clock.hostTime(of: first)
        default: return nil
        }
    }

    /// When a frame with `presentationTime` is due according to the running clock; nil if the clock is stopped, or if
    /// playback is untimed.
    public func dueTime(of presentationTime: MediaTime) -> HostTime? {
        phase == .running && !isUntimed ? clock.hostTime(of: presentationTime) : nil
    }

    /// Takes the newest frame that is due by `visible`, the time at which the next draw appears on screen. Returns nil
    /// if the current frame stays. Older due frames are dropped and counted.
    public func takeFrame(visibleAt visible: HostTime) -> VideoFrame? {
        feed.exclusively { state in
            noteTaken(&state.taken)
            guard let schedule,
                let frame = feed.take(
                    schedule, by: visible, &state, decodesAhead: true,
                    noteLateness: { pipeline.video?.setLateness($0) })
            else { return nil }
            noteTaken(&state.taken)
            (lastShown, onShow) = (frame.presentationTime, frame.presentationTime)
            switch phase {
            case .paused:
                pendingSteps -= 1
                audioIsElsewhere = true
                clock.set(frame.presentationTime, at: visible)
            case .running where isUntimed: clock.set(frame.presentationTime, at: visible)
            default: break
            }
            return frame
        }
    }

    /// Which of the queued frames the main thread may take now; nil if none.
    private var schedule: FrameFeed.Schedule? {
        switch phase {
        case .scrubbing where lastShown == nil: .next(isDue: false)
        case .scrubbing: followTarget.map { .upTo($0) }
        case .preroll where lastShown == nil: .next(isDue: !wantsPause)
        case .paused where isStepPending: .next(isDue: false)
        case .running where isUntimed: .next(isDue: true)
        case .running: .clock(clock, end: loopEnd)
        default: nil
        }
    }

    /// Counts a frame that was taken when it was due, and not seen: it was replaced before, or the display did not take it.
    public func countDroppedFrame() { takenCounts.dropped += 1 }

    /// Takes back the count of a frame that was due while the film was hidden.
    public func uncountDueFrame() { takenCounts.due -= 1 }

    /// Accounts for frames that were taken, on whatever thread.
    private func noteTaken(_ taken: inout FrameFeed.Taken) {
        guard let last = taken.last else { return }
        takenCounts.due += taken.counts.due
        takenCounts.dropped += taken.counts.dropped
        // If `lastShown` is nil, a seek has begun, and these frames are older.
        if lastShown != nil { lastShown = last }
        onShow = last
        taken = FrameFeed.Taken()
    }

    /// Opens `feed` for other threads if the clock runs and playback is timed; otherwise, closes it.
    func feedFrames() {
        let runs = phase == .running && !isUntimed
        feed.exclusively { state in
            noteTaken(&state.taken)
            state.schedule = runs ? .clock(clock, end: loopEnd) : nil
        }
    }

    /// Closes `feed`, so that only the main thread takes frames.
    func closeFeed() {
        feed.exclusively { state in
            noteTaken(&state.taken)
            state.schedule = nil
        }
    }

    /// Whether another frame is queued or may still come.
    var hasNextFrame: Bool {
        let head = pipeline.frames.head()
        return head.first != nil || !head.hasEnded
    }

    /// Drops pending frame steps if no further frame will come.
    func dropStepPastEnd() {
        if isStepPending { isStepPending = hasNextFrame }
    }
}
