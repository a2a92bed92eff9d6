public import GlissadeGeometry
public import GlissadeLayers
public import GlissadePicture
public import GlissadePlayback
public import GlissadePresentation
public import GlissadeRendering
public import GlissadeTime

/// What is on screen of a player's film: takes frames when they are due, fits them to where the film is seen, uploads
/// them, and provides the layer content that shows them.
///
/// A renderer that accepts YUV planes gets frames unconverted. Other renderers get RGB frames at the size on screen,
/// normally converted on a separate thread. If a frame does not have the current size or adjustments, it is converted
/// or scaled here (`FrameFitter`).
///
/// While the film is shown small, its frames keep their planes, so that the film is sharp as soon as it is enlarged.
///
/// Threads: main thread. While that is late, `threadSource` shows the film on the film thread, by the same code.
@MainActor public final class FilmScreen {
    /// The player whose frames are shown.
    public let player: Player
    /// Holds the frame on screen.
    public let target: any VideoTarget
    /// The surface that stands for the film in display lists.
    public let surface: SurfaceID
    private let log: FrameLog
    private let converts: Bool
    private let shared: SharedScreen
    /// The film as the film thread shows it; nil if the renderer draws only on the main thread.
    public var threadSource: (any FilmThreadSource)? { hasThread ? shared : nil }
    private let hasThread: Bool

    /// The layer content that shows the film; `none` if there is nothing to show.
    public private(set) var content = Layer.Content.none
    /// The frame that becomes visible next; nil if there is no new frame.
    public private(set) var pending: Shown?
    /// The visible frame's presentation time in the file; nil if no frame is visible.
    public private(set) var shownTime: MediaTime?
    /// How far the film was ahead of the audio when the last frame was shown; nil if no audio was playing.
    public private(set) var audioOffset: Duration?
    /// The error of the last failed allocation; nil if no allocation has failed.
    public private(set) var failure: RenderingError?
    /// The presentation time of the last logged frame.
    private var recorded: MediaTime?

    /// The times of a frame, as recorded in the log.
    public struct Shown: Hashable, Sendable {
        /// When the frame is shown, on the media timeline.
        public var presentationTime: MediaTime
        /// When the frame was due; nil if it did not depend on the clock.
        public var due: HostTime?
        /// Whether the player has counted the frame as due. Then it is shown, or counted as dropped, even if the clock has
        /// stopped since.
        public var isCounted: Bool
        /// How long the frame is shown.
        public var duration: Duration
    }

    /// The newest frame that the main thread has taken.
    private enum Upload: ~Copyable {
        /// It was uploaded and released, or there is none.
        case none
        /// It waits for its upload.
        case taken(VideoFrame)
        /// It is in the target, and may be needed at another size.
        case shown(VideoFrame)

        var isWaiting: Bool {
            switch self {
            case .taken: true
            case .none: false
            case .shown: false
            }
        }

        /// Takes the frame out.
        mutating func take() -> Upload {
            var taken = Upload.none
            swap(&taken, &self)
            return taken
        }
    }
    private var upload = Upload.none
    /// The number of the last frame that the main thread has taken: see `VideoFrame.number`.
    private var takenNumber = 0

    /// What the target holds.
    private enum Contents {
        /// Nothing of this film: nothing at all, or the last frame of the film before, which contains these adjustments.
        case other(PictureAdjustments)
        /// The frame of this time, if any, was lost with the previous renderer. `isAwaited` says whether it was
        /// requested again, or a newer one has come.
        case lost(MediaTime?, isAwaited: Bool)
        /// A frame. `isAwaited` says whether it was requested again, for another size or other adjustments.
        case frame(FrameFitter.Fitted, isAwaited: Bool)

        var presentationTime: MediaTime? {
            switch self {
            case .other: nil
            case .lost(let time, _): time
            case .frame(let fitted, _): fitted.presentationTime
            }
        }

        var adjustments: PictureAdjustments {
            switch self {
            case .other(let adjustments): adjustments
            case .lost: .none
            case .frame(let fitted, _): fitted.adjustments
            }
        }
    }
    private var contents: Contents

    /// What the film is like as a whole.
    private enum Shape {
        /// As the file says, once it is open.
        case asInFile
        /// As the newest frame is.
        case asInFrame(Size, PixelGeometry)
        /// There is no film to see.
        case cleared
    }
    private var shape = Shape.asInFile

    /// The upright size of the current frame, in square pixels. Before the first frame, the file's size. Nil while the
    /// size is unknown, and after `clear`.
    public var displaySize: Size? {
        switch shape {
        case .asInFile: player.info?.displaySize
        case .asInFrame(let size, _): size
        case .cleared: nil
        }
    }

    /// The orientation of the current frame. Before the first frame, the file's orientation.
    private var geometry: PixelGeometry {
        if case .asInFrame(_, let geometry) = shape { return geometry }
        return player.info?.geometry ?? PixelGeometry()
    }

    /// What the film's layer shows: the newest frame, upright.
    private var uprightFrame: Layer.Content {
        .surface(surface, rotation: geometry.rotation, isMirrored: geometry.isMirrored)
    }

    private struct Place {
        var size: PixelSize
        var isSmall: Bool
        var goal: PixelSize?
    }
    /// Where the film is seen; nil before it is first laid out.
    private var place: Place?
    /// The film's size on the screen, in device pixels; nil until the film is first laid out.
    public var placedSize: PixelSize? { place?.size }
    /// The format in which the player makes frames.
    private var format: FrameFormat

    /// What the user has changed about how the film looks.
    ///
    /// A change takes effect with the next draw. If the renderer needs converted frames, the conversion of later frames
    /// includes the adjustments, and a still frame is decoded again (`refreshIfStill`).
    public var adjustments: PictureAdjustments {
        didSet {
            guard adjustments != oldValue else { return }
            addRest()
            guard converts else { return }
            format.adjustments = adjustments
            player.setFrameFormat(format)
        }
    }

    /// Creates the screen of a film.
    ///
    /// - Parameters:
    ///   - surface: The surface that stands for the film in display lists.
    ///   - previous: The screen whose target is reused, so that its last frame stays visible until the first new frame.
    ///     If nil, a new target is made.
    public init(
        player: Player, renderer: any Renderer, surface: SurfaceID, log: FrameLog, after previous: FilmScreen?
    ) {
        self.player = player
        self.surface = surface
        self.log = log
        target = previous?.target ?? renderer.makeVideoTarget(for: .film)
        converts = renderer.traits.wantsConvertedFrames
        shared = SharedScreen(feed: player.feed, surface: surface, target: target, converts: converts)
        hasThread = renderer.drawsOnAnyThread
        content = previous?.content ?? .none
        adjustments = previous?.adjustments ?? .none
        contents = .other(previous?.contents.adjustments ?? .none)
        format = Self.format(for: renderer.traits)
        if converts { format.adjustments = adjustments }
        player.setFrameFormat(format)
        if let previous, let size = previous.displaySize { shape = .asInFrame(size, previous.geometry) }
    }

    /// Creates the screen that replaces another one after a change of renderer.
    ///
    /// - Parameter former: The screen that used the previous renderer. Its visible frame is decoded again unless a new
    ///   frame becomes due first.
    public convenience init(replacing former: FilmScreen, renderer: any Renderer) {
        if former.pending != nil { former.giveUp() }
        self.init(player: former.player, renderer: renderer, surface: former.surface, log: former.log, after: nil)
        adjustments = former.adjustments
        contents = .lost(former.contents.presentationTime, isAwaited: false)
        recorded = former.recorded
        if case .cleared = former.shape { clear() }
    }

    /// Returns the format of the first frames, for a renderer with these traits.
    public static func format(for traits: RendererTraits) -> FrameFormat {
        FrameFormat(acceptsDeepSamples: traits.acceptsDeepSamples, sizeLimit: traits.largestPicture)
    }

    /// Removes the film from the screen.
    public func clear() {
        content = .none
        shape = .cleared
        shownTime = nil
    }

    // MARK: - Where it is seen

    /// Sets the film's size on the screen, for which frames are prepared.
    ///
    /// - Parameters:
    ///   - size: The size in device pixels.
    ///   - isSmall: Whether the film is shown small and may be enlarged at any time. If so, frames keep their planes.
    ///   - goal: The size at the end of a transition; nil if there is no transition. During a transition, the main
    ///     thread converts each frame for the exact size.
    public func place(destination size: PixelSize, isSmall: Bool = false, goal: PixelSize? = nil) {
        place = Place(size: size, isSmall: isSmall, goal: goal)
        let upright = stored(size)
        shared.place(FrameFitter.Goal(size: upright, adjustments: format.adjustments))
        let wantedSize = goal == nil ? upright : nil
        if converts, !upright.isEmpty, format.convertedSize != wantedSize || format.retainsSource != isSmall {
            if format.convertedSize != wantedSize {
                format.convertedSize = wantedSize
                format.memory = wantedSize.flatMap { target.allocator(for: $0) }
            }
            format.retainsSource = isSmall
            player.setFrameFormat(format)
        }
        if upload.isWaiting { content = uprightFrame }
    }

    /// Converts a size on the screen to the orientation of the stored frame.
    private func stored(_ size: PixelSize) -> PixelSize { size.rotated(by: geometry.rotation) }

    /// Has the renderer make the adjustments that the uploaded frame does not contain.
    private func addRest() { target.brightnessOffset = adjustments.brightnessOffset(beyond: contents.adjustments) }

    /// Requests a still frame again if it was converted for another size or with other adjustments, or was lost in a
    /// change of renderer.
    ///
    /// Must be called in each iteration of the frame loop, even if nothing is drawn.
    public func refreshIfStill(now: HostTime) {
        switch contents {
        case .lost(let time, isAwaited: false):
            if player.restoreFrame(now: now) { contents = .lost(time, isAwaited: true) }
        case .frame(let fitted, isAwaited: false):
            guard let size = fitted.convertedSize, let wanted = format.convertedSize,
                size != wanted || fitted.adjustments != format.adjustments, player.refresh(now: now)
            else { return }
            contents = .frame(fitted, isAwaited: true)
        case .other, .lost, .frame: break
        }
    }

    /// Takes over the records of the frames that the film thread uploaded while the main thread was late.
    private func noteThread() {
        guard hasThread else { return }
        var records = shared.takeRecords()
        // Mostly there are none, several times a frame.
        guard !records.isEmpty else { return }
        // The driver refused these: the frame before stays on screen.
        records.removeAll { record in
            guard let error = record.fitted.error else { return false }
            if case .allocation = error { failure = error }
            if record.frame.isCounted { player.countDroppedFrame() }
            return true
        }
        guard let last = records.last else { return }
        for record in records {
            let (frame, fitted) = (record.frame, record.fitted)
            log.recordUpload(
                (fitted.conversion ?? .zero) + fitted.upload,
                isAgain: frame.presentationTime == contents.presentationTime)
            contents = .frame(fitted, isAwaited: false)
            guard let time = record.time else {
                // Uploaded, and replaced before it was seen: by the film thread's next frame, or by the main thread's.
                let isReplaced = record.number != last.number || last.number <= takenNumber
                if isReplaced, frame.isCounted { player.countDroppedFrame() }
                continue
            }
            log.recordShown(
                presentationTime: frame.presentationTime, due: frame.due, frameDuration: frame.duration, at: time)
            shownTime = player.wrapped(frame.presentationTime)
            recorded = frame.presentationTime
        }
        addRest()
        // If the main thread's last frame is older than the last one uploaded by the film thread, it has been replaced
        // before it was seen.
        guard last.number > takenNumber else { return }
        upload = .none
        if pending?.isCounted == true { player.countDroppedFrame() }
        // A frame that was uploaded but not drawn is shown by the next draw.
        pending = last.time == nil ? last.frame : nil
    }

    private func fitLocked(isLaidOut: Bool) {
        guard let place, isLaidOut || place.goal == nil else { return }
        let goal = FrameFitter.Goal(
            size: stored(place.size), capacity: place.goal.map(stored), adjustments: format.adjustments)
        switch upload.take() {
        case .none: break
        case .taken(let frame): show(frame, at: place, for: goal, isAgain: false)
        case .shown(let frame):
            if !converts || isFitted(frame, for: goal) {
                upload = .shown(frame)
            } else {
                show(frame, at: place, for: goal, isAgain: true)
            }
        }
    }

    /// Whether the uploaded `frame` is as good as it can be for `goal`.
    private func isFitted(_ frame: borrowing VideoFrame, for goal: FrameFitter.Goal) -> Bool {
        guard case .frame(let fitted, _) = contents, fitted.size == goal.size else { return false }
        return fitted.adjustments == goal.adjustments || !frame.hasPlanes
    }

    private func show(
        _ frame: consuming VideoFrame, at place: Place, for goal: FrameFitter.Goal, isAgain: Bool
    ) {
        let fitted = shared.fit(frame, for: goal)
        // The requested format excludes frames that are too large, so an upload fails only if the driver does. The
        // previous frame then stays visible.
        if case .allocation? = fitted.error { failure = fitted.error }
        if let conversion = fitted.conversion { log.recordConversion(conversion) }
        log.recordUpload(fitted.upload, isAgain: isAgain || fitted.presentationTime == contents.presentationTime)
        contents = .frame(fitted, isAwaited: false)
        addRest()
        content = uprightFrame
        if converts, !fitted.isSharp || (place.isSmall || goal.capacity != nil) && frame.hasPlanes {
            upload = .shown(frame)
        }
    }
}

extension FilmScreen: FrameLoopFilm {
    public var nextFrameDue: HostTime? { player.nextFrameDue }

    public func take(by time: HostTime) -> TakenFrame? {
        noteThread()
        guard let frame = player.takeFrame(visibleAt: time) else { return nil }
        log.recordTaken(decode: frame.cost.decode, prepare: frame.cost.prepare)
        let due = player.dueTime(of: frame.presentationTime)
        // The frame before was postponed, and is replaced before it was seen.
        if pending?.isCounted == true { player.countDroppedFrame() }
        pending = Shown(
            presentationTime: frame.presentationTime, due: due, isCounted: frame.isCounted, duration: frame.duration)
        shape = .asInFrame(frame.displaySize, frame.geometry)
        takenNumber = frame.number
        upload = .taken(frame)
        if case .lost(let time, _) = contents { contents = .lost(time, isAwaited: true) }
        return TakenFrame(due: due)
    }

    public func fit(isLaidOut: Bool = true) {
        // The lock keeps the film thread from uploading a frame at the same time.
        RenderLock.withLock {
            noteThread()
            fitLocked(isLaidOut: isLaidOut)
        }
    }

    public func willPresent() { noteThread() }

    public func leaveOut(isDropped: Bool) {
        if pending?.isCounted == true {
            if isDropped { player.countDroppedFrame() } else { player.uncountDueFrame() }
        }
        giveUp()
    }

    public func end() {
        noteThread()
        leaveOut(isDropped: true)
    }

    private func giveUp() {
        pending = nil
        player.feed.didShowFrame()
    }

    public func postpone() { player.feed.didShowFrame() }

    public func didPresent(at time: HostTime) {
        // The film thread may have shown newer frames since; they are noted after this one.
        defer { noteThread() }
        guard let shown = pending else { return }
        player.feed.didShowFrame()
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
