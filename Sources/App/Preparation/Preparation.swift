import GlissadeGeometry
import GlissadeRendering
import GlissadeTime

/// Decides when to prepare the renderer's resources and the page beneath the player's page. Main thread.
@MainActor struct Preparation {
    /// The number of the next prewarm step (`Renderer.prewarm`). Each step prepares some of the renderer's resources.
    private var prewarmStep = 0
    private let stepCount: Int
    /// When the last prewarm step ended. Before the first step has run, the time at which it was first postponed; nil
    /// if it has not been postponed.
    private var lastStepEnd: HostTime?
    /// The page that was last prepared, with its size and scale; nil before the first preparation.
    private var prepared: Beneath?
    private var preparedAt = HostTime(nanoseconds: 0)
    private var lastInput: HostTime?

    private struct Beneath: Equatable {
        var page: ObjectIdentifier
        var size: Size
        var scale: Double
    }

    /// The minimum time between the first video frame and the first preparation of the page beneath. The delay keeps
    /// the start of playback fast.
    private static let delay = Duration.milliseconds(600)
    private static let interval = Duration.seconds(4)
    /// The time that must be left before the next frame is due for a prewarm step to start, unless `longestPause` has
    /// passed.
    private static let timePerStep = Duration.milliseconds(8)
    /// After this much time without a prewarm step, the next step runs even if less than `timePerStep` is left. On a
    /// slow GPU, no step might ever run otherwise.
    private static let longestPause = Duration.milliseconds(40)
    /// The time after which a series of steps is interrupted until the next frame.
    private static let timePerFrame = Duration.milliseconds(3)
    /// The interval between one series of prewarm steps and the next while no frames are drawn.
    private static let prewarmInterval = Duration.milliseconds(10)
    /// The time after user input during which more input is expected.
    private static let inputTimeout = Duration.seconds(10)

    /// - Parameter stepCount: The number of prewarm steps (`Renderer.prewarmSteps`).
    init(stepCount: Int) { self.stepCount = stepCount }

    /// Whether any prewarm steps are left.
    var isPrewarming: Bool { prewarmStep < stepCount }

    /// When to run more prewarm steps while no frames are drawn; nil before the first step and after the last.
    func nextPrewarm(now: HostTime) -> HostTime? {
        prewarmStep > 0 && isPrewarming ? now + Self.prewarmInterval : nil
    }

    /// Whether no page has been prepared yet.
    var isFirst: Bool { prepared == nil }

    mutating func noteInput(at now: HostTime) { lastInput = now }

    /// The time until which more input is expected; nil before the first input.
    var inputExpectedUntil: HostTime? { lastInput.map { $0 + Self.inputTimeout } }

    /// Returns whether the page beneath may be prepared: after the first user input, and at least `delay` after the
    /// first frame.
    func mayPrepare(now: HostTime, firstShown: HostTime) -> Bool {
        lastInput != nil && now >= firstShown + Self.delay
    }

    /// Returns when the page beneath may be prepared for the first time. Nil before the first user input, and once that
    /// time has passed.
    func nextWake(now: HostTime, firstShown: HostTime) -> HostTime? {
        lastInput != nil && isFirst && now < firstShown + Self.delay ? firstShown + Self.delay : nil
    }

    /// Returns whether `page` must be prepared. This is the case after a change, and at regular intervals even without
    /// a change.
    ///
    /// If `page` must be prepared, records it as prepared.
    mutating func isDue(_ page: AnyObject, size: Size, scale: Double, isChanged: Bool, now: HostTime) -> Bool {
        let state = Beneath(page: ObjectIdentifier(page), size: size, scale: scale)
        guard isChanged || prepared != state || now - preparedAt > Self.interval else { return false }
        prepared = state
        preparedAt = now
        return true
    }

    /// Runs prewarm steps while there is time before the next frame. If no step has run for `longestPause`, runs one
    /// step in any case.
    ///
    /// - Parameters:
    ///   - clock: Returns the current time.
    ///   - run: Called with the number of each step to run.
    mutating func prewarm(nextFrameDue: HostTime?, clock: () -> HostTime = HostTime.now, run: (Int) -> Void) {
        let start = clock()
        var now = start
        while isPrewarming, now - start < Self.timePerFrame {
            // If a step delays one frame, the frame is still shown. If steps delayed two frames in a row, one would be
            // dropped.
            if let nextFrameDue, nextFrameDue - now < Self.timePerStep {
                let last = lastStepEnd ?? start
                lastStepEnd = last
                if now - last < Self.longestPause { return }
            }
            run(prewarmStep)
            prewarmStep += 1
            now = clock()
            lastStepEnd = now
        }
    }
}
