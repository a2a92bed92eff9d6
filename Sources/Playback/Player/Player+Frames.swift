import Media
import Platform
public import Time

// The choice of the frame that a draw shows.

extension Player {
    /// When the next frame is due; nil if none is queued or the clock stands.
    ///
    /// A frame that only waits to be taken is due immediately: the first after a seek, a frame step, or any frame
    /// without a clock.
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

    /// When a frame with `presentationTime` was due by the clock as it runs now.
    public func dueTime(of presentationTime: MediaTime) -> HostTime? {
        phase == .running && !isUntimed ? clock.hostTime(of: presentationTime) : nil
    }

    /// A frame is late if it comes this long after its time, and by its own duration.
    private static let lateness = Duration.milliseconds(10)

    /// Takes the newest frame that is due by `visible`, when the next draw will be seen; nil if the current frame
    /// stays. Older frames that are due as well are dropped and counted.
    public func takeFrame(visibleAt visible: HostTime) -> VideoFrame? {
        feed.exclusively { state in
            noteTaken(&state.taken)
            guard let frame = takeNext(visibleAt: visible) else { return nil }
            state.number += 1
            takenNumber = state.number
            return frame
        }
    }

    /// Takes over what was taken by another thread while this one was late.
    private func noteTaken(_ taken: inout FrameFeed.Taken) {
        guard let last = taken.last else { return }
        takenCounts.due += taken.counts.due
        takenCounts.dropped += taken.counts.dropped
        // A seek has begun if nothing has been shown.
        if lastShown != nil { lastShown = last }
        onShow = last
        taken = FrameFeed.Taken()
    }

    /// Lets another thread take frames if this one is late, as long as the clock runs.
    func feedFrames() {
        let runs = phase == .running && !isUntimed
        feed.exclusively { state in
            noteTaken(&state.taken)
            state.schedule = runs ? FrameFeed.Schedule(clock: clock, end: loopEnd) : nil
        }
    }

    /// Takes frames itself from now on.
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

    /// The last frame taken is on screen, or will not be: decoding may continue.
    ///
    /// Starting to decode when a frame is shown means that most of the work is done before the next is due, so that
    /// decoding does not compete with presentation for CPU. Without this call decoding continues when the next frame is
    /// taken, or at once if frames are late.
    public func didShowFrame() { pipeline.frames.didPresent() }

    /// Whether another frame is queued or may still come.
    var hasNextFrame: Bool {
        let head = pipeline.frames.head()
        return head.first != nil || !head.hasEnded
    }

    /// A frame step requested on the last frame does nothing.
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
