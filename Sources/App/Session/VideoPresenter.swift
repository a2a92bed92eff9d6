import GlissadeGeometry
import GlissadeLayers
import GlissadePicture
import GlissadePlatform
import GlissadePlayback
import GlissadePresentation
import GlissadeRendering
import GlissadeTime

/// Presents a player's video: takes frames when they are due, uploads them, and provides the layer content that shows
/// them.
///
/// Main thread. A renderer that accepts YUV planes gets frames unconverted. Other renderers get RGB frames at the size
/// on screen, normally converted on a separate thread. If a frame does not have the current size or brightness, the
/// presenter converts or scales it.
///
/// While the video is shown small, its frames keep their planes, so that the video is sharp as soon as it is enlarged.
@MainActor final class VideoPresenter {
    let player: Player
    let target: any VideoTarget
    let surface: SurfaceID
    private let log: FrameLog
    private let resolves: Bool
    /// Shows the video while the main thread is late; nil if the renderer draws only on the main thread.
    let late: FilmThreadVideo?
    private var resolver = FrameRescaler()
    /// The rotation of the current frame. Before the first frame, the file's rotation.
    private var rotation: QuarterTurns { shownRotation ?? player.info?.rotation ?? .none }
    private var shownRotation: QuarterTurns?
    /// The upright size of the current frame, in square pixels. Before the first frame, the file's size. Nil while the
    /// size is unknown, and after `clear`.
    var displaySize: Size? { shownSize ?? (isCleared ? nil : player.info?.displaySize) }
    private var shownSize: Size?
    private var isCleared = false
    /// The layer content that shows the video; `none` if there is nothing to show.
    private(set) var content = Layer.Content.none
    /// The latest frame. It is released after its upload, unless it may be needed at another size.
    private var current: VideoFrame?
    private var isUploaded = true
    /// When the conversion of the current frame for its upload began, or its upload if the conversion is over. A
    /// property, because a variable would be allocated for each frame.
    private var resolutionBegan = HostTime(nanoseconds: 0)
    /// The sequence number of the last frame taken by the main thread. Frames taken on any thread share one sequence.
    private var takenNumber = 0
    /// The presentation time of the uploaded frame. Used to tell a new frame from one that was decoded again.
    private var uploadedTime: MediaTime?
    /// The size for which the uploaded frame was converted; nil if the frame was not converted, or will be decoded
    /// again.
    private var resolvedSize: PixelSize?
    /// The size for which the frame was last uploaded. Differs from `resolvedSize` if the frame could only be scaled.
    private var preparedSize: PixelSize?
    private var request: FrameFormat
    /// The sizes that `place` set last; nil before its first call.
    private var placement: Placement?
    /// The video's size on the screen, in device pixels; nil until the video is first laid out.
    var placedSize: PixelSize? { placement?.size }
    /// The brightness offset that the uploaded frame already contains. The rest of the adjustment is added during
    /// drawing.
    private var convertedBrightness = 0.0
    /// The visible frame's presentation time in the file; nil if no frame is visible.
    private(set) var shownTime: MediaTime?

    /// The brightness adjustment of the video.
    ///
    /// A change takes effect with the next draw. If the renderer needs converted frames, the conversion of later frames
    /// includes the adjustment, and a still frame is decoded again (`refreshIfStill`).
    var brightness: Brightness {
        didSet {
            guard brightness != oldValue else { return }
            target.brightnessOffset = brightness.brightnessOffset - convertedBrightness
            guard resolves else { return }
            request.brightnessOffset = brightness.brightnessOffset
            player.setPictureRequest(request)
        }
    }
    /// How far the video was ahead of the audio when the last frame was shown; nil if no audio was playing.
    private(set) var audioOffset: Duration?
    /// The frame that becomes visible with the next swap; nil if there is no new frame.
    private(set) var pending: Shown?
    /// Whether the visible frame was lost with the previous renderer and must be decoded again.
    private var lacksPicture = false
    /// The error of the last failed allocation; nil if no allocation has failed.
    private(set) var failure: RenderingError?
    /// The presentation time of the last logged frame.
    private var recorded: MediaTime?

    private struct Placement {
        var size: PixelSize
        var isSmall: Bool
        var goal: PixelSize?
    }

    /// The times of a frame, as recorded in the log.
    struct Shown {
        var presentationTime: MediaTime
        var due: HostTime?
        var duration: Duration
    }

    /// - Parameter previous: The presenter whose target is reused, so that its last frame stays visible until the first
    ///   new frame. If nil, a new target is made.
    init(
        player: Player, renderer: any Renderer, surface: SurfaceID, log: FrameLog, after previous: VideoPresenter?
    ) {
        self.player = player
        self.surface = surface
        self.log = log
        target = previous?.target ?? renderer.makeVideoTarget(for: .film)
        resolves = renderer.traits.wantsConvertedFrames
        late =
            renderer.drawsOnAnyThread
            ? FilmThreadVideo(feed: player.feed, surface: surface, target: target, converts: resolves) : nil
        content = previous?.content ?? .none
        brightness = previous?.brightness ?? .unchanged
        convertedBrightness = previous?.convertedBrightness ?? 0
        request = Self.request(renderer.traits)
        if resolves { request.brightnessOffset = brightness.brightnessOffset }
        player.setPictureRequest(request)
        (shownSize, shownRotation) = (previous?.displaySize, previous?.displaySize == nil ? nil : previous?.rotation)
    }

    /// Creates the presenter that replaces another one after a change of renderer.
    ///
    /// - Parameter former: The presenter that used the previous renderer. Its visible frame is decoded again unless a
    ///   new frame becomes due first.
    convenience init(replacing former: VideoPresenter, renderer: any Renderer) {
        if former.pending != nil { former.pass() }
        self.init(player: former.player, renderer: renderer, surface: former.surface, log: former.log, after: nil)
        brightness = former.brightness
        lacksPicture = true
        (uploadedTime, recorded) = (former.uploadedTime, former.recorded)
        if former.isCleared { clear() }
    }

    /// Returns the frame format that a renderer with these traits needs.
    static func request(_ traits: RendererTraits) -> FrameFormat {
        FrameFormat(acceptsDeepSamples: traits.acceptsDeepSamples, sizeLimit: traits.largestPicture)
    }

    /// Removes the video from the screen.
    func clear() {
        content = .none
        shownSize = nil
        isCleared = true
        shownTime = nil
    }

    /// When the pending frame was due; nil if there is no pending frame, or if it had no due time.
    var takenFrameDue: HostTime? { pending?.due }

    /// Takes the newest frame that is due by `visible`. Returns whether there was one.
    func update(visibleAt visible: HostTime) -> Bool {
        noteLateFrames()
        guard let frame = player.takeFrame(visibleAt: visible) else { return false }
        log.recordTaken(decode: frame.cost.decode, prepare: frame.cost.prepare)
        pending = Shown(
            presentationTime: frame.presentationTime, due: player.dueTime(of: frame.presentationTime),
            duration: frame.duration)
        shownSize = frame.displaySize
        shownRotation = frame.geometry.rotation
        current = consume frame
        takenNumber = player.takenNumber
        isUploaded = false
        lacksPicture = false
        return true
    }

    /// Takes over the records of the frames that the film thread uploaded while the main thread was late.
    private func noteLateFrames() {
        guard let shown = late?.takeShown(), let last = shown.last else { return }
        for frame in shown {
            log.recordUpload(frame.cost, isAgain: frame.presentationTime == uploadedTime)
            uploadedTime = frame.presentationTime
            guard let time = frame.time else { continue }
            log.recordShown(
                presentationTime: frame.presentationTime, due: frame.due, frameDuration: frame.duration, at: time)
            shownTime = player.wrapped(frame.presentationTime)
            recorded = frame.presentationTime
        }
        (resolvedSize, preparedSize, convertedBrightness) = (last.size, last.size, last.brightnessOffset)
        target.brightnessOffset = brightness.brightnessOffset - convertedBrightness
        // If the main thread's last frame is older than the last one uploaded by the film thread, it is discarded.
        guard last.number > takenNumber else { return }
        current = nil
        (isUploaded, pending) = (true, nil)
    }

    /// Sets the video's size on the screen, for which frames are prepared.
    ///
    /// - Parameters:
    ///   - size: The size in device pixels.
    ///   - isSmall: Whether the video is shown small and may be enlarged at any time. If so, frames keep their planes.
    ///   - goal: The size at the end of a transition; nil if there is no transition. During a transition, the main
    ///     thread converts each frame for the exact size.
    func place(destination size: PixelSize, isSmall: Bool = false, goal: PixelSize? = nil) {
        placement = Placement(size: size, isSmall: isSmall, goal: goal)
        let upright = stored(size)
        late?.place(upright, brightnessOffset: request.brightnessOffset)
        let wantedSize = goal == nil ? upright : nil
        if resolves, !upright.isEmpty, request.convertedSize != wantedSize || request.retainsSource != isSmall {
            if request.convertedSize != wantedSize {
                request.convertedSize = wantedSize
                request.memory = wantedSize.flatMap { target.allocator(for: $0) }
            }
            request.retainsSource = isSmall
            player.setPictureRequest(request)
        }
        if !isUploaded { content = .surface(surface, rotation: rotation) }
    }

    /// Uploads the latest frame at the video's size on the screen, unless the frame has already been uploaded at that
    /// size.
    ///
    /// - Parameter isLaidOut: Whether the size is up to date. If false during a transition, nothing is uploaded.
    func bring(isLaidOut: Bool = true) {
        // The lock keeps the film thread from uploading a frame at the same time.
        RenderLock.withLock {
            noteLateFrames()
            bringLocked(isLaidOut: isLaidOut)
        }
    }

    private func bringLocked(isLaidOut: Bool) {
        guard let placement, isLaidOut || placement.goal == nil else { return }
        let (upright, capacity) = (stored(placement.size), placement.goal.map(stored))
        guard let frame = current.take() else { return }
        let (wanted, presentationTime) = (request.brightnessOffset, frame.presentationTime)
        let isPrepared = preparedSize == upright && (convertedBrightness == wanted || !frame.hasPlanes)
        if isUploaded, !resolves || isPrepared {
            current = consume frame
            return
        }
        // A frame is blurred only if it was converted for another size and no longer has the planes to be converted
        // again.
        var isSharp = true
        resolutionBegan = HostTime.now()
        func memory() -> (any FrameAllocator)? {
            target.overwritingAllocator(for: upright, capacity: capacity ?? upright)
        }
        if resolves, !frame.isConverted || frame.format.size != upright || frame.brightnessOffset != wanted,
            frame.hasPlanes,
            resolver.withPicture(
                of: frame, size: upright, capacity: capacity, memory: memory(), brightnessOffset: wanted,
                { uploadResolved($0, capacity: capacity) }) != nil
        {
            resolvedSize = upright
            convertedBrightness = wanted
        } else {
            isSharp = !frame.isConverted || frame.format.size == upright
            // Frames now arrive already converted to this size, so the rescaler may soon release its memory.
            if frame.isConverted, isSharp, capacity == nil { resolver.wasNotNeeded() }
            if isSharp
                || resolver.withScaledPicture(
                    of: frame, size: upright, capacity: capacity, memory: memory(),
                    { uploadResolved($0, capacity: capacity) }) == nil
            {
                frame.withPicture { upload($0, capacity: capacity) }
            }
            resolvedSize = frame.isConverted ? frame.format.size : nil
            convertedBrightness = frame.brightnessOffset
        }
        preparedSize = upright
        target.brightnessOffset = brightness.brightnessOffset - convertedBrightness
        log.recordUpload(.now() - resolutionBegan, isAgain: isUploaded || presentationTime == uploadedTime)
        uploadedTime = presentationTime
        isUploaded = true
        content = .surface(surface, rotation: rotation)
        if resolves, !isSharp || (placement.isSmall || capacity != nil) && frame.hasPlanes { current = consume frame }
    }

    private func upload(_ picture: PixelView, capacity: PixelSize?) {
        // The requested format excludes frames that are too large, so an upload fails only if the driver does. The
        // previous frame then stays visible.
        do throws(RenderingError) {
            try target.upload(picture, capacity: capacity)
        } catch {
            if case .allocation = error { failure = error }
        }
    }

    /// Uploads a frame that has just been converted.
    private func uploadResolved(_ picture: PixelView, capacity: PixelSize?) {
        let resolved = HostTime.now()
        log.recordResolution(resolved - resolutionBegan)
        resolutionBegan = resolved
        upload(picture, capacity: capacity)
    }

    /// Converts a size on the screen to the orientation of the stored frame.
    private func stored(_ size: PixelSize) -> PixelSize { size.rotated(by: rotation) }

    /// Requests a still frame again if it was converted for another size or brightness, or was lost in a change of
    /// renderer.
    ///
    /// Must be called in each iteration of the frame loop, even if nothing is drawn.
    func refreshIfStill(now: HostTime) {
        if lacksPicture, player.restoreFrame(now: now) { lacksPicture = false }
        guard let resolvedSize, let wanted = request.convertedSize,
            resolvedSize != wanted || convertedBrightness != request.brightnessOffset, player.refresh(now: now)
        else { return }
        self.resolvedSize = nil
    }

    /// Drops the pending frame without showing it.
    func pass() {
        pending = nil
        player.didShowFrame()
    }

    /// Records that the pending frame became visible at `time`.
    func didPresent(at time: HostTime) {
        noteLateFrames()
        guard let shown = pending else { return }
        player.didShowFrame()
        pending = nil
        shownTime = player.wrapped(shown.presentationTime)
        // A still frame that was decoded again does not count as a new frame.
        if shown.due != nil || shown.presentationTime != recorded {
            log.recordShown(
                presentationTime: shown.presentationTime, due: shown.due, frameDuration: shown.duration, at: time)
        }
        recorded = shown.presentationTime
        audioOffset = player.audioOffset(of: shown.presentationTime, at: time)
        if let audioOffset { log.recordAudioOffset(audioOffset) }
    }
}
