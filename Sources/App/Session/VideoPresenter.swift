import Geometry
import Layers
import Picture
import Platform
import Playback
import Presentation
import Rendering
import Time

/// A player's picture: takes each frame when it is due, brings it to the GPU once, and shows it wherever it is wanted.
///
/// Main thread. Where the renderer takes planes, the frame's go up as they are. Where it wants converted pictures, each is resolved
/// to RGB at the size at which it will be seen, on a thread for that. The few frames that were decoded before that size
/// was known are resolved here; those that were resolved for another one, while a window is resized, are scaled here. A
/// picture that is shown small keeps its planes, so that it is sharp at once when it is large again.
@MainActor final class VideoPresenter {
    let player: Player
    let target: any VideoTarget
    private let surface: SurfaceID
    private let log: FrameLog
    private let resolves: Bool
    private var resolver = FrameRescaler()
    /// That of the picture on show; before there is one, that of the first, where it is known.
    private var rotation: QuarterTurns { shownRotation ?? player.info?.rotation ?? .none }
    private var shownRotation: QuarterTurns?
    /// The upright size of the picture on show, in square pixels; before there is one, that of the first, where it is known.
    var displaySize: Size? { shownSize ?? (isCleared ? nil : player.info?.displaySize) }
    private var shownSize: Size?
    private var isCleared = false
    /// What a layer shows the picture by.
    private(set) var content = Layer.Content.none
    /// The newest frame: until it is on the GPU, and longer where it may be wanted in another size.
    private var current: VideoFrame?
    private var isUploaded = true
    /// When the frame on the GPU is to be seen: one that stands still may be decoded once more.
    private var uploadedTime: MediaTime?
    /// The size for which the picture on the GPU was resolved.
    private var resolvedSize: PixelSize?
    /// The size for which the picture was brought to the GPU last: another one where it could not be resolved for that, but
    /// only scaled.
    private var preparedSize: PixelSize?
    private var request: FrameFormat
    /// Where the picture was seen last; nil before it was laid out anywhere.
    private var placement: Placement?
    /// The lift that is in the picture on the GPU, from when it was resolved; what else is wanted is added in drawing.
    private var resolvedLift = 0.0
    /// The frame on show, on the media's own time line; nil while there is none.
    private(set) var shownTime: MediaTime?

    /// How much brighter than it is the picture is shown.
    ///
    /// Takes effect with the next draw, also on a picture that stands still: what its pixels do not have in them yet is
    /// added as they are drawn. Where the CPU draws, those that are decoded from now on have it in them, and one that
    /// stands still is made anew (`refreshIfStill`): what was clipped comes back, and drawing costs no more than before.
    var brightness: Brightness {
        didSet {
            guard brightness != oldValue else { return }
            target.brightnessOffset = brightness.brightnessOffset - resolvedLift
            guard resolves else { return }
            request.brightnessOffset = brightness.brightnessOffset
            player.setPictureRequest(request)
        }
    }
    /// How far the picture was ahead of the sound when it was last shown; nil where nothing is heard.
    private(set) var audioOffset: Duration?
    /// The frame that goes on screen with the next swap.
    private(set) var pending: Shown?
    /// Whether the picture that should be on show went with another renderer.
    private var lacksPicture = false
    /// What the renderer has had no memory for.
    private(set) var failure: RenderingError?
    /// The last that the log was told of.
    private var recorded: MediaTime?

    private struct Placement {
        var size: PixelSize
        var isSmall: Bool
        var goal: PixelSize?
    }

    /// What the log is told of a frame.
    struct Shown {
        var presentationTime: MediaTime
        var due: HostTime?
        var duration: Duration
    }

    /// - Parameter previous: whose texture, and picture until there is another one, it takes over.
    init(
        player: Player, renderer: any Renderer, surface: SurfaceID, log: FrameLog, after previous: VideoPresenter?
    ) {
        self.player = player
        self.surface = surface
        self.log = log
        target = previous?.target ?? renderer.makeVideoTarget(for: .film)
        resolves = renderer.traits.wantsConvertedFrames
        content = previous?.content ?? .none
        brightness = previous?.brightness ?? .unchanged
        resolvedLift = previous?.resolvedLift ?? 0
        request = Self.request(renderer.traits)
        if resolves { request.brightnessOffset = brightness.brightnessOffset }
        player.setPictureRequest(request)
        (shownSize, shownRotation) = (previous?.displaySize, previous?.displaySize == nil ? nil : previous?.rotation)
    }

    /// - Parameter former: showed the same film, by another renderer. Its picture is decoded once more where none
    ///   follows by itself.
    convenience init(replacing former: VideoPresenter, renderer: any Renderer) {
        if former.pending != nil { former.pass() }
        self.init(player: former.player, renderer: renderer, surface: former.surface, log: former.log, after: nil)
        brightness = former.brightness
        lacksPicture = true
        (uploadedTime, recorded) = (former.uploadedTime, former.recorded)
        if former.isCleared { clear() }
    }

    /// What frames must be like for a renderer.
    static func request(_ traits: RendererTraits) -> FrameFormat {
        FrameFormat(acceptsDeepSamples: traits.acceptsDeepSamples, sizeLimit: traits.largestPicture)
    }

    /// Shows nothing: what plays has no picture.
    func clear() {
        content = .none
        shownSize = nil
        isCleared = true
        shownTime = nil
    }

    /// When the frame that was taken last, and is not on screen yet, was due.
    var takenFrameDue: HostTime? { pending?.due }

    /// Takes the frame that is due by `visible`, if one is. True where the picture changed.
    func update(visibleAt visible: HostTime) -> Bool {
        guard let frame = player.takeFrame(visibleAt: visible) else { return false }
        log.recordTaken(decode: frame.cost.decode, prepare: frame.cost.prepare)
        pending = Shown(
            presentationTime: frame.presentationTime, due: player.dueTime(of: frame.presentationTime),
            duration: frame.duration)
        shownSize = frame.displaySize
        shownRotation = frame.geometry.rotation
        current = consume frame
        isUploaded = false
        lacksPicture = false
        return true
    }

    /// Takes note of where the picture is seen: the next frames are made for that.
    ///
    /// - Parameters:
    ///   - size: in which it will be seen, in device pixels.
    ///   - isSmall: it may be wanted larger at any time.
    ///   - goal: the size that it is going to have, while it is on its way there and has another in each frame. Then it is
    ///     resolved here, for the very size, and not before the frame loop has it.
    func place(destination size: PixelSize, isSmall: Bool = false, goal: PixelSize? = nil) {
        placement = Placement(size: size, isSmall: isSmall, goal: goal)
        let upright = stored(size)
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

    /// Hands the newest frame to the target, where that has not got it yet, in the size in which it is seen.
    ///
    /// - Parameter isLaidOut: whether that size is this very moment's. Before, a picture whose size changes all the time waits.
    func bring(isLaidOut: Bool = true) {
        guard let placement, isLaidOut || placement.goal == nil else { return }
        let (upright, room) = (stored(placement.size), placement.goal.map(stored))
        guard let frame = current.take() else { return }
        let (wanted, presentationTime) = (request.brightnessOffset, frame.presentationTime)
        let isPrepared = preparedSize == upright && (resolvedLift == wanted || !frame.hasPlanes)
        if isUploaded, !resolves || isPrepared {
            current = consume frame
            return
        }
        // Only what was resolved for another size, and kept nothing else to be resolved from, is not sharp.
        var isSharp = true
        var began = HostTime.now()
        func upload(_ picture: PixelView) {
            // A picture that the device refuses was announced by the request; what is left is a failing driver, and the
            // picture before it stays.
            do throws(RenderingError) {
                try target.upload(picture, room: room)
            } catch {
                if case .allocation = error { failure = error }
            }
        }
        func uploadResolved(_ picture: PixelView) {
            let resolved = HostTime.now()
            log.recordResolution(resolved - began)
            began = resolved
            upload(picture)
        }
        if resolves, !frame.isConverted || frame.format.size != upright || frame.brightnessOffset != wanted,
            frame.hasPlanes,
            resolver.withPicture(of: frame, size: upright, room: room, brightnessOffset: wanted, uploadResolved) != nil
        {
            resolvedSize = upright
            resolvedLift = wanted
        } else {
            isSharp = !frame.isConverted || frame.format.size == upright
            // What comes as it is wanted is resolved elsewhere.
            if frame.isConverted, isSharp, room == nil { resolver.wasNotNeeded() }
            if isSharp || resolver.withScaledPicture(of: frame, size: upright, room: room, uploadResolved) == nil {
                frame.withPicture(upload)
            }
            resolvedSize = frame.isConverted ? frame.format.size : nil
            resolvedLift = frame.brightnessOffset
        }
        preparedSize = upright
        target.brightnessOffset = brightness.brightnessOffset - resolvedLift
        log.recordUpload(.now() - began, isAgain: isUploaded || presentationTime == uploadedTime)
        uploadedTime = presentationTime
        isUploaded = true
        content = .surface(surface, rotation: rotation)
        if resolves, !isSharp || (placement.isSmall || room != nil) && frame.hasPlanes { current = consume frame }
    }

    /// A size on the screen, as the picture is stored.
    private func stored(_ size: PixelSize) -> PixelSize {
        rotation.swapsAxes ? PixelSize(width: size.height, height: size.width) : size
    }

    /// Has a picture that stands still decoded once more where it was resolved for another size, or another brightness,
    /// than is wanted now.
    ///
    /// To be called in each round of the frame loop, drawn or not: while a window is resized the player is busy with the
    /// size before, and what it brings then is out of date when it comes.
    func refreshIfStill(now: HostTime) {
        if lacksPicture, player.restoreFrame(now: now) { lacksPicture = false }
        guard let resolvedSize, let wanted = request.convertedSize,
            resolvedSize != wanted || resolvedLift != request.brightnessOffset, player.refresh(now: now)
        else { return }
        self.resolvedSize = nil
    }

    /// The frame that was pending will not be seen: nobody looks.
    func pass() {
        pending = nil
        player.didShowFrame()
    }

    /// The frame that was pending is on screen since `time`.
    func didPresent(at time: HostTime) {
        guard let shown = pending else { return }
        player.didShowFrame()
        pending = nil
        shownTime = player.wrapped(shown.presentationTime)
        // A picture that stands still and was decoded once more, for another size, is none that is shown anew.
        if shown.due != nil || shown.presentationTime != recorded {
            log.recordShown(
                presentationTime: shown.presentationTime, due: shown.due, frameDuration: shown.duration, at: time)
        }
        recorded = shown.presentationTime
        audioOffset = player.audioOffset(of: shown.presentationTime, at: time)
        if let audioOffset { log.recordAudioOffset(audioOffset) }
    }
}
