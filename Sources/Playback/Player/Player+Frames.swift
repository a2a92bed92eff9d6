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

    /// The least delay at which a frame counts as late. The delay must also be at least the frame's duration.
    private static let lateness = Duration.milliseconds(10)

    /// Takes the newest frame that is due by `visible`, the time at which the next draw appears on screen. Returns nil
    /// if the current frame stays. Older due frames are dropped and counted.
    public func takeFrame(visibleAt visible: HostTime) -> VideoFrame? {
        feed.exclusively { state in
            noteTaken(&state.taken)
            guard let frame = takeNext(visibleAt: visible) else { return nil }
            state.number += 1
            takenNumber = state.number
            return frame
        }
    }

    /// Accounts for frames that another thread took while the main thread was late.
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
            state.schedule = runs ? FrameFeed.Schedule(clock: clock, end: loopEnd) : nil
        }
    }

    /// Closes `feed`, so that only the main thread takes frames.
    func closeFeed() {
        feed.exclusively { state in
            noteTaken(&state.taken)
            state.schedule = nil
        }
    }

    private func takeNext(visibleAt visible: HostTime) -> VideoFrame? {
        var head = pipeline.frames.head()
        guard let first = head.first else { return nil }
        switch phase {
        case .scrubbing where lastShown == nil: return take(countsAsDue: false)
        case .scrubbing:
            guard let target = followTarget, first <= target else { return nil }
            while let second = head.second, second <= target {
                _ = pipeline.frames.pop()
                head = pipeline.frames.head()
            }
            return take(countsAsDue: false)
        case .preroll where lastShown == nil: return take(countsAsDue: !wantsPause)
        case .paused where isStepPending:
            pendingSteps -= 1
            audioIsElsewhere = true
            clock.set(first, at: visible)
            return take(countsAsDue: false)
        case .running where isUntimed:
            clock.set(first, at: visible)
            return take(countsAsDue: true)
        case .running:
            let time = clock.time(at: visible)
            guard first <= time, loopEnd.map({ first < $0 }) ?? true else { return nil }
            pipeline.video?.setLateness(time - first)
            let isLate = time - first >= max(head.duration ?? .zero, Self.lateness)
            while let second = head.second, second <= time, loopEnd.map({ second < $0 }) ?? true {
                takenCounts.due += 1
                takenCounts.dropped += 1
                _ = pipeline.frames.pop()
                head = pipeline.frames.head()
            }
            return take(countsAsDue: true, isLate ? .ahead : .onceShown)
        default: return nil
        }
    }

    /// Lets decoding continue. Call when the last frame taken is on screen, or if it will never be shown.
    ///
    /// Unless frames are late, the frame's slot in the queue is refilled only after this call or when the next frame is
    /// taken. Decoding then does not compete with presentation for CPU.
    public func didShowFrame() { pipeline.frames.didPresent() }

    /// Whether another frame is queued or may still come.
    var hasNextFrame: Bool {
        let head = pipeline.frames.head()
        return head.first != nil || !head.hasEnded
    }

    /// Drops pending frame steps if no further frame will come.
    func dropStepPastEnd() {
        if isStepPending { isStepPending = hasNextFrame }
    }

    private func take(countsAsDue: Bool, _ refill: FrameQueue.RefillPolicy = .atOnce) -> VideoFrame? {
        guard let frame = pipeline.frames.pop(refill) else { return nil }
        if countsAsDue { takenCounts.due += 1 }
        lastShown = frame.presentationTime
        onShow = frame.presentationTime
        return frame
    }
}
