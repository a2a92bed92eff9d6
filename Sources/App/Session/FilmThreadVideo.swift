import GlissadeGeometry
import GlissadeLayers
import GlissadePicture
import GlissadePlayback
import GlissadePresentation
import GlissadeRendering
import Synchronization
import GlissadeTime

/// Shows the frames of a player's video while the main thread is late.
///
/// Uploads each due frame to the video's target, at the size last set by the main thread. Records each uploaded frame
/// for the main thread.
///
/// Threads: shared. The main thread sets the size and takes the records. The film thread (`FilmThread`) uploads frames.
final class FilmThreadVideo: FilmThreadSource, Sendable {
    /// The record of a frame that has been uploaded to the target.
    struct Shown: Sendable {
        /// The frame's sequence number. Frames taken on any thread share one sequence.
        var number: Int
        var presentationTime: MediaTime
        var due: HostTime?
        var duration: Duration
        /// The time taken to convert and upload the frame.
        var cost: Duration
        /// When the frame became visible; nil if it was uploaded but not shown.
        var time: HostTime?
        /// The size for which the frame was converted; nil if it was not converted.
        var size: PixelSize?
        var brightnessOffset: Double
    }

    private struct State: ~Copyable {
        /// The video's size on screen in device pixels, in the orientation of the stored frame; nil while it is
        /// unknown.
        var size: PixelSize?
        var brightnessOffset = 0.0
        var pending: Shown?
        var shown: [Shown] = []
        var rescaler = FrameRescaler()
    }

    /// The maximum number of records kept for the main thread. If there are more, the oldest are discarded.
    private static let notedLimit = 1000
    let surface: SurfaceID
    private let feed: FrameFeed
    private let target: Target
    /// Whether frames are converted to RGB at their size on screen. If false, frames are uploaded as decoded.
    private let converts: Bool
    private let state = Mutex(State())

    private struct Target: @unchecked Sendable {
        // @unchecked: the target is used only while `RenderLock` is held.
        let target: any VideoTarget
    }

    init(feed: FrameFeed, surface: SurfaceID, target: any VideoTarget, converts: Bool) {
        self.feed = feed
        self.surface = surface
        self.target = Target(target: target)
        self.converts = converts
    }

    // MARK: - Main thread

    /// Sets the size on screen and the brightness offset for the next frames. The size is in device pixels, in the
    /// orientation of the stored frame.
    func place(_ size: PixelSize, brightnessOffset: Double) {
        state.withLock { ($0.size, $0.brightnessOffset) = (size, brightnessOffset) }
    }

    /// Takes the records of the frames uploaded since the last call, oldest first.
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
            let (target, wanted, began) = (target.target, state.brightnessOffset, HostTime.now())
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
            if !converts {
                (shownSize, shownBrightness) = (nil, frame.brightnessOffset)
                frame.withPicture(upload)
            } else if frame.isConverted, frame.format.size == size, frame.brightnessOffset == wanted {
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
            // Without conversion, the whole offset is added when the frame is drawn.
            if converts { target.brightnessOffset = wanted - shownBrightness }
            state.pending = Shown(
                number: number, presentationTime: frame.presentationTime,
                due: feed.dueTime(of: frame.presentationTime), duration: frame.duration, cost: .now() - began,
                size: shownSize, brightnessOffset: shownBrightness)
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
