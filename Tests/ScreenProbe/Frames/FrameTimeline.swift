package import GlissadeTime

/// What was observed of a video wherever it went on screen, and its summary for any part of that time.
///
/// Where several pictures are on show the largest one that can be read counts. Where another window takes over, a frame
/// that has been on show before is no step, neither on nor back.
package struct FrameTimeline: Sendable {
    /// A frame from when it was first seen until the next one was.
    struct Stand: Sendable {
        var number: Int
        var began: HostTime
        var ended: HostTime?
    }
    /// A time in which no frame was to be seen.
    struct Gap: Sendable {
        var observation: FrameObservation
        var began: HostTime
        var ended: HostTime?
    }
    /// Another window took over.
    struct Handover: Sendable {
        var time: HostTime
        /// How many frames behind what had been on show it began.
        var lag: Int
    }

    /// Frames in the film, where it may begin again: a step back of more than half of it is then a step on.
    package let filmLength: Int?
    private(set) var stands: [Stand] = []
    private(set) var gaps: [Gap] = []
    private(set) var handovers: [Handover] = []
    private(set) var backwards: [HostTime] = []
    private var gap: Gap?
    /// The last frame that was read, and in which window.
    private var last: (number: Int, window: UInt)?

    package init(filmLength: Int? = nil) { self.filmLength = filmLength }

    /// Adds an observation.
    ///
    /// - Parameter window: Whichever window shows it; any number that tells one from the other.
    package mutating func add(_ observation: FrameObservation, window: UInt = 0, at time: HostTime) {
        guard case .frame(let number) = observation else {
            guard gap?.observation != observation else { return }
            closeGap(at: time)
            // Before the first frame nothing is amiss.
            if last != nil { gap = Gap(observation: observation, began: time) }
            return
        }
        closeGap(at: time)
        let counted = countedOn(number)
        if let last, last.window != window {
            handovers.append(Handover(time: time, lag: max(0, last.number - counted)))
        } else if let last, counted < last.number {
            backwards.append(time)
            begin(counted, at: time)
        }
        last = (counted, window)
        if counted > stands.last?.number ?? -1 { begin(counted, at: time) }
    }

    /// Ends the timeline: the current frame was shown until then.
    package mutating func end(at time: HostTime) {
        closeGap(at: time)
        if !stands.isEmpty, stands[stands.count - 1].ended == nil { stands[stands.count - 1].ended = time }
    }

    private mutating func begin(_ number: Int, at time: HostTime) {
        if !stands.isEmpty { stands[stands.count - 1].ended = time }
        stands.append(Stand(number: number, began: time))
    }

    private mutating func closeGap(at time: HostTime) {
        guard var ended = gap else { return }
        ended.ended = time
        gaps.append(ended)
        gap = nil
    }

    private func countedOn(_ number: Int) -> Int {
        guard let before = last?.number, let filmLength, filmLength > 0 else { return number }
        let half = filmLength / 2
        var step = (number - before) % filmLength
        if step < -half { step += filmLength }
        if step > half { step -= filmLength }
        return before + step
    }
}
