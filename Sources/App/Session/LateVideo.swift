import Geometry
import Layers
import Picture
import Playback
import Presentation
import Rendering
import Synchronization
import Time

/// The frames of a player's video while the main thread is late: each is made the picture of the video's target as it was
/// placed last, and noted for the main thread.
///
/// Threads: shared. The main thread places the video and asks what was shown; the film thread shows frames.
final class LateVideo: LateFilm, Sendable {
    /// A frame that became the target's picture.
    struct Shown: Sendable {
        /// Its number among those taken by any thread.
        var number: Int
        var presentationTime: MediaTime
        var due: HostTime?
        var duration: Duration
        /// Since when it is on screen; nil if it was left out.
        var time: HostTime?
        /// The size that it was converted for; nil if it was not converted.
        var size: PixelSize?
        var brightnessOffset: Double
    }

    private struct State: ~Copyable {
        /// The size on screen, in the orientation of the stored frame; nil while it is unknown.
        var size: PixelSize?
        var brightnessOffset = 0.0
        var pending: Shown?
        var shown: [Shown] = []
        var rescaler = FrameRescaler()
    }

    /// The main thread does not stand still for longer than these frames last, or the rest is not noted.
    private static let notedLimit = 1000
    let surface: SurfaceID
    private let feed: FrameFeed
    private let target: Target
    private let state = Mutex(State())

    private struct Target: @unchecked Sendable {
        // @unchecked: used while `RenderLock` is held.
        let target: any VideoTarget
    }

    init(feed: FrameFeed, surface: SurfaceID, target: any VideoTarget) {
        self.feed = feed
        self.surface = surface
        self.target = Target(target: target)
    }

    // MARK: - Main thread

    /// Sets how the next frames are shown.
    func place(_ size: PixelSize, brightnessOffset: Double) {
        state.withLock { ($0.size, $0.brightnessOffset) = (size, brightnessOffset) }
    }

    /// The frames shown since the last call, oldest first.
    func takeShown() -> [Shown] {
        state.withLock { state in
            guard !state.shown.isEmpty else { return [] }
            defer { state.shown = [] }
            return state.shown
        }
    }

    // MARK: - Film thread

    var nextDue: HostTime? { feed.nextDue }
    var isRunning: Bool { feed.isOpen }

    func update(by time: HostTime) -> Bool {
        state.withLock { state in
            var number = 0
            guard let size = state.size, let frame = feed.take(by: time, number: &number) else { return false }
            let (target, wanted) = (target.target, state.brightnessOffset)
            var isUploaded = false
            func upload(_ picture: PixelView) {
                do throws(RenderingError) {
                    try target.upload(picture, capacity: nil)
                    isUploaded = true
                } catch {
                    // The previous frame stays.
                }
            }
            var (shownSize, shownBrightness): (PixelSize?, Double) = (size, wanted)
            if frame.isConverted, frame.format.size == size, frame.brightnessOffset == wanted {
                state.rescaler.wasNotNeeded()
                frame.withPicture(upload)
            } else {
                let memory = target.overwritingAllocator(for: size, capacity: size)
                if state.rescaler.withPicture(
                    of: frame, size: size, memory: memory, brightnessOffset: wanted, upload) == nil
                {
                    shownSize = frame.isConverted ? frame.format.size : nil
                    shownBrightness = frame.brightnessOffset
                    if state.rescaler.withScaledPicture(of: frame, size: size, memory: memory, upload) == nil {
                        frame.withPicture(upload)
                    }
                }
            }
            guard isUploaded else { return false }
            target.brightnessOffset = wanted - shownBrightness
            state.pending = Shown(
                number: number, presentationTime: frame.presentationTime,
                due: feed.dueTime(of: frame.presentationTime), duration: frame.duration, size: shownSize,
                brightnessOffset: shownBrightness)
            return true
        }
    }

    func didShow(at time: HostTime?) {
        if time != nil { feed.didShowFrame() }
        state.withLock { state in
            guard var shown = state.pending.take() else { return }
            shown.time = time
            if state.shown.count == Self.notedLimit { state.shown.removeFirst() }
            state.shown.append(shown)
        }
    }
}
