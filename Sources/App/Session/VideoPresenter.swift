import Geometry
import Layers
import Picture
import Platform
import Playback
import Presentation
import Rendering
import Time

/// The video of a player: takes each frame when it is due, uploads it once, and shows it wherever it is visible.
///
/// Main thread. A renderer that accepts planes gets them unconverted. One that needs converted frames gets RGB at the
/// size on the screen, converted on a separate thread. The few frames decoded before that size is known are converted
/// here; frames converted for another size, while the window is resized, are scaled here. A small video keeps its
/// planes, so that it is sharp as soon as it is large again.
@MainActor final class VideoPresenter {
    let player: Player
    let target: any VideoTarget
    let surface: SurfaceID
    private let log: FrameLog
    private let resolves: Bool
    /// Shows the video while the main thread is late; nil for a renderer that draws only there.
    let late: LateVideo?
    private var resolver = FrameRescaler()
    /// The rotation of the current frame, or that of the file before there is one.
    private var rotation: QuarterTurns { shownRotation ?? player.info?.rotation ?? .none }
    private var shownRotation: QuarterTurns?
    /// The upright size of the current frame in square pixels, or that of the file before there is one.
    var displaySize: Size? { shownSize ?? (isCleared ? nil : player.info?.displaySize) }
    private var shownSize: Size?
    private var isCleared = false
    /// The layer content that shows the video.
    private(set) var content = Layer.Content.none
    /// The latest frame, until it is uploaded, or longer if it may be needed at another size.
    private var current: VideoFrame?
    private var isUploaded = true
    /// The number of the last frame taken, among those taken by any thread.
    private var takenNumber = 0
    /// The presentation time of the uploaded frame; a still frame may be decoded again.
    private var uploadedTime: MediaTime?
    /// The size that the uploaded frame was converted for.
    private var resolvedSize: PixelSize?
    /// The size that the frame was last uploaded for; not `resolvedSize` if it could only be scaled.
    private var preparedSize: PixelSize?
    private var request: FrameFormat
    /// The video's last layout.
    private var placement: Placement?
    /// The brightness offset that the uploaded frame was converted with; the rest is added when drawing.
    private var convertedBrightness = 0.0
    /// The presentation time of the visible frame in the file; nil without one.
    private(set) var shownTime: MediaTime?

    /// The brightness adjustment.
    ///
    /// Takes effect with the next draw, also for a still frame: the part that its pixels do not contain yet is added
    /// when drawing. With converted frames, frames decoded from now on contain it, and a still frame is decoded again
    /// (`refreshIfStill`), which restores clipped values and makes drawing as cheap as before.
    var brightness: Brightness {
        didSet {
            guard brightness != oldValue else { return }
            target.brightnessOffset = brightness.brightnessOffset - convertedBrightness
            guard resolves else { return }
            request.brightnessOffset = brightness.brightnessOffset
            player.setPictureRequest(request)
        }
    }
    /// How far video was ahead of audio at the last frame; nil if there is no audio.
    private(set) var audioOffset: Duration?
    /// The frame that will be visible with the next swap.
    private(set) var pending: Shown?
    /// Whether the visible frame was lost with the previous renderer.
    private var lacksPicture = false
    /// The error of a failed allocation.
    private(set) var failure: RenderingError?
    /// The presentation time of the last logged frame.
    private var recorded: MediaTime?

    private struct Placement {
        var size: PixelSize
        var isSmall: Bool
        var goal: PixelSize?
    }

    /// A frame as recorded in the log.
    struct Shown {
        var presentationTime: MediaTime
        var due: HostTime?
        var duration: Duration
    }

    /// - Parameter previous: The presenter whose target it takes over; its last frame stays until there is a new one.
    init(
        player: Player, renderer: any Renderer, surface: SurfaceID, log: FrameLog, after previous: VideoPresenter?
    ) {
        self.player = player
        self.surface = surface
        self.log = log
        target = previous?.target ?? renderer.makeVideoTarget(for: .film)
        resolves = renderer.traits.wantsConvertedFrames
        late = renderer.drawsOnAnyThread ? LateVideo(feed: player.feed, surface: surface, target: target) : nil
        content = previous?.content ?? .none
        brightness = previous?.brightness ?? .unchanged
        convertedBrightness = previous?.convertedBrightness ?? 0
        request = Self.request(renderer.traits)
        if resolves { request.brightnessOffset = brightness.brightnessOffset }
        player.setPictureRequest(request)
        (shownSize, shownRotation) = (previous?.displaySize, previous?.displaySize == nil ? nil : previous?.rotation)
    }

    /// - Parameter former: The presenter of the same player with the previous renderer. Its frame is decoded again if
    ///   no new one follows.
    convenience init(replacing former: VideoPresenter, renderer: any Renderer) {
        if former.pending != nil { former.pass() }
        self.init(player: former.player, renderer: renderer, surface: former.surface, log: former.log, after: nil)
        brightness = former.brightness
        lacksPicture = true
        (uploadedTime, recorded) = (former.uploadedTime, former.recorded)
        if former.isCleared { clear() }
    }

    /// The frame format that the renderer needs.
    static func request(_ traits: RendererTraits) -> FrameFormat {
        FrameFormat(acceptsDeepSamples: traits.acceptsDeepSamples, sizeLimit: traits.largestPicture)
    }

    /// Shows nothing, as there is no video.
    func clear() {
        content = .none
        shownSize = nil
        isCleared = true
        shownTime = nil
    }

    /// When the pending frame was due.
    var takenFrameDue: HostTime? { pending?.due }

    /// Takes the frame that is due by `visible`. Returns whether there was one.
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

    /// Takes over what was shown while this thread was late.
    private func noteLateFrames() {
        guard let shown = late?.takeShown(), let last = shown.last else { return }
        for frame in shown {
            guard let time = frame.time else { continue }
            log.recordShown(
                presentationTime: frame.presentationTime, due: frame.due, frameDuration: frame.duration, at: time)
            shownTime = player.wrapped(frame.presentationTime)
            recorded = frame.presentationTime
        }
        uploadedTime = last.presentationTime
        (resolvedSize, preparedSize, convertedBrightness) = (last.size, last.size, last.brightnessOffset)
        target.brightnessOffset = brightness.brightnessOffset - convertedBrightness
        // The frame that this thread has taken may be older or newer.
        guard last.number > takenNumber else { return }
        current = nil
        (isUploaded, pending) = (true, nil)
    }

    /// Sets the size on the screen, for which the next frames are prepared.
    ///
    /// - Parameters:
    ///   - size: In device pixels.
    ///   - isSmall: Whether a larger size may be needed at any time.
    ///   - goal: The size at the end of a transition, during which the size changes in each frame. Frames are then converted
    ///     here, for the exact size.
    func place(destination size: PixelSize, isSmall: Bool = false, goal: PixelSize? = nil) {
        placement = Placement(size: size, isSmall: isSmall, goal: goal)
        let upright = stored(size)
        late?.place(upright, brightnessOffset: request.brightnessOffset)
        let wantedSize = goal == nil ? upright : nil
        if resolves, !upright.isEmpty, request.convertedSize != wantedSize || request.retainsSource != isSmall {
            if request.convertedSize != wantedSize {
                request.convertedSize = wantedSize
                request.memory = wantedSize.flatMap { target.lender(for: $0) }
            }
            request.retainsSource = isSmall
            player.setPictureRequest(request)
        }
        if !isUploaded { content = .surface(surface, rotation: rotation) }
    }

    /// Uploads the latest frame at its size on the screen, unless it already is.
    ///
    /// - Parameter isLaidOut: Whether the size is up to date. If not, a frame whose size is changing waits.
    func bring(isLaidOut: Bool = true) {
        // Not between two steps of the film thread.
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
        // A frame is only blurred if it was converted for another size and has no planes to be converted from.
        var isSharp = true
        var began = HostTime.now()
        func upload(_ picture: PixelView) {
            // The format excludes frames that are too large. What can fail is the driver; the previous frame then
            // stays.
            do throws(RenderingError) {
                try target.upload(picture, capacity: capacity)
            } catch {
                if case .allocation = error { failure = error }
            }
        }
        func memory() -> (any FrameAllocator)? {
            target.overwritingAllocator(for: upright, capacity: capacity ?? upright)
        }
        func uploadResolved(_ picture: PixelView) {
            let resolved = HostTime.now()
            log.recordResolution(resolved - began)
            began = resolved
            upload(picture)
        }
        if resolves, !frame.isConverted || frame.format.size != upright || frame.brightnessOffset != wanted,
            frame.hasPlanes,
            resolver.withPicture(
                of: frame, size: upright, capacity: capacity, memory: memory(), brightnessOffset: wanted,
                uploadResolved) != nil
        {
            resolvedSize = upright
            convertedBrightness = wanted
        } else {
            isSharp = !frame.isConverted || frame.format.size == upright
            // From now on, frames come converted to this size.
            if frame.isConverted, isSharp, capacity == nil { resolver.wasNotNeeded() }
            if isSharp
                || resolver.withScaledPicture(
                    of: frame, size: upright, capacity: capacity, memory: memory(), uploadResolved) == nil
            {
                frame.withPicture(upload)
            }
            resolvedSize = frame.isConverted ? frame.format.size : nil
            convertedBrightness = frame.brightnessOffset
        }
        preparedSize = upright
        target.brightnessOffset = brightness.brightnessOffset - convertedBrightness
        log.recordUpload(.now() - began, isAgain: isUploaded || presentationTime == uploadedTime)
        uploadedTime = presentationTime
        isUploaded = true
        content = .surface(surface, rotation: rotation)
        if resolves, !isSharp || (placement.isSmall || capacity != nil) && frame.hasPlanes { current = consume frame }
    }

    /// A size on the screen in the orientation of the stored frame.
    private func stored(_ size: PixelSize) -> PixelSize {
        rotation.swapsAxes ? PixelSize(width: size.height, height: size.width) : size
    }

    /// Requests a still frame again if it was converted for another size or brightness.
    ///
    /// Called in each round of the frame loop, drawn or not: while a window is resized, the player is still busy with
    /// the previous size, and that frame is out of date when it arrives.
    func refreshIfStill(now: HostTime) {
        if lacksPicture, player.restoreFrame(now: now) { lacksPicture = false }
        guard let resolvedSize, let wanted = request.convertedSize,
            resolvedSize != wanted || convertedBrightness != request.brightnessOffset, player.refresh(now: now)
        else { return }
        self.resolvedSize = nil
    }

    /// Drops the pending frame, which will not be visible.
    func pass() {
        pending = nil
        player.didShowFrame()
    }

    /// Notes that the pending frame has been visible since `time`.
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
