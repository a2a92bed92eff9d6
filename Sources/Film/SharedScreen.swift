import GlissadeGeometry
import GlissadeLayers
import GlissadePicture
import GlissadePlayback
import GlissadePresentation
import GlissadeRendering
import GlissadeTime
import Synchronization

/// The part of a `FilmScreen` that both threads use: the target, the fitter, and where the film is seen. As a
/// `FilmThreadSource`, it shows the film's frames while the main thread is late, and keeps a record of each.
///
/// Threads: shared. Frames are fitted while `RenderLock` is held.
final class SharedScreen: FilmThreadSource, Sendable {
    /// The record of a frame that the film thread has taken: uploaded, unless `fitted` has an error.
    struct Record: Sendable {
        /// See `VideoFrame.number`.
        var number: Int
        var frame: FilmScreen.Shown
        var fitted: FrameFitter.Fitted
        /// When the frame became visible; nil if it was uploaded but not shown.
        var time: HostTime?
    }

    private struct State: ~Copyable {
        var fitter: FrameFitter
        /// What the film thread's frames shall be like; nil while the size on screen is unknown.
        var goal: FrameFitter.Goal?
        /// The frame that the film thread uploaded last, until it is shown.
        var pending: Record?
        var records: [Record] = []

        /// Keeps a record for the main thread. If there are too many, the oldest is discarded.
        mutating func add(_ record: Record) {
            if records.count == 1000 { records.removeFirst() }
            records.append(record)
        }
    }

    let surface: SurfaceID
    private let feed: FrameFeed
    private let target: Target
    private let state: Mutex<State>

    private struct Target: @unchecked Sendable {
        // @unchecked: the target is used only while `RenderLock` is held.
        let target: any VideoTarget
    }

    /// - Parameter converts: Whether frames are converted to RGB at their size on screen.
    init(feed: FrameFeed, surface: SurfaceID, target: any VideoTarget, converts: Bool) {
        self.feed = feed
        self.surface = surface
        self.target = Target(target: target)
        state = Mutex(State(fitter: FrameFitter(converts: converts)))
    }

    // MARK: - Main thread

    /// Fits a frame that the main thread has taken, and uploads it.
    func fit(_ frame: borrowing VideoFrame, for goal: FrameFitter.Goal) -> FrameFitter.Fitted {
        state.withLock { $0.fitter.fit(frame, for: goal, into: target.target) }
    }

    /// Sets what the film thread's next frames shall be like.
    func place(_ goal: FrameFitter.Goal) { state.withLock { $0.goal = goal } }

    /// Takes the records of the frames that the film thread has uploaded since the last call, oldest first.
    func takeRecords() -> [Record] {
        state.withLock { state in
            guard !state.records.isEmpty else { return [] }
            defer { state.records = [] }
            return state.records
        }
    }

    // MARK: - Film thread

    var nextDue: HostTime? { feed.nextDue }
    var isRunning: Bool { feed.isOpen }

    func update(by time: HostTime) -> Bool {
        state.withLock { state in
            guard let goal = state.goal, let frame = feed.take(by: time) else { return false }
            let fitted = state.fitter.fit(frame, for: goal, into: target.target)
            let record = Record(
                number: frame.number,
                frame: FilmScreen.Shown(
                    presentationTime: frame.presentationTime, due: feed.dueTime(of: frame.presentationTime),
                    isCounted: frame.isCounted, duration: frame.duration),
                fitted: fitted)
            guard fitted.error == nil else {
                state.add(record)
                return false
            }
            // Without conversion, all adjustments are made when the frame is drawn, as the main thread has set them.
            if state.fitter.converts {
                target.target.brightnessOffset = goal.adjustments.brightnessOffset(beyond: fitted.adjustments)
            }
            state.pending = record
            return true
        }
    }

    func didShow(at time: HostTime?) {
        if time != nil { feed.didShowFrame() }
        state.withLock { state in
            guard var record = state.pending.take() else { return }
            record.time = time
            state.add(record)
        }
    }
}
