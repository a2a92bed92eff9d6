import Geometry
import Rendering
import Time

/// Decides when to prepare the renderer's resources and the page beneath the player's page. A value; main thread.
@MainActor struct Preparation {
    /// The next prewarm step (`Renderer.prewarm`). Each step prepares some of the renderer's resources.
    private var prewarmStep = 0
    private let stepCount: Int
    /// When the last prewarm step ended. Before the first step, when that was first put off; nil if it was not.
    private var lastStepEnd: HostTime?
    /// The page that was last prepared, with its size and scale; nil before the first.
    private var prepared: Beneath?
    private var preparedAt = HostTime(nanoseconds: 0)
    private var lastInput: HostTime?

    private struct Beneath: Equatable {
        var page: ObjectIdentifier
        var size: Size
        var scale: Double
    }

    /// The page beneath is prepared at the earliest this long after the first video frame. The delay keeps the start
    /// of playback fast.
    private static let delay = Duration.milliseconds(600)
    private static let interval = Duration.seconds(4)
    /// A prewarm step usually starts only if at least this much time is left before the next frame is due.
    private static let timePerStep = Duration.milliseconds(8)
    /// After this long without a step, one runs even if less than `timePerStep` is left: on slow GPUs, there may
    /// never be that much time. Without these steps, all resources would be prepared at once, in the first frame of a
    /// drag.
    private static let longestPause = Duration.milliseconds(40)
    /// Once a series of steps has taken this long, no further step starts before the next frame.
    private static let timePerFrame = Duration.milliseconds(3)
    /// The interval between rounds of steps while no frames are drawn.
    private static let prewarmInterval = Duration.milliseconds(10)
    /// How long after the last input more input is expected.
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

    /// Whether the page beneath may be prepared: after the first input, and a while after the first frame.
    func mayPrepare(now: HostTime, firstShown: HostTime) -> Bool {
        lastInput != nil && now >= firstShown + Self.delay
    }

    /// When the page beneath may be prepared for the first time; nil if that time is unknown or has passed.
    func nextWake(now: HostTime, firstShown: HostTime) -> HostTime? {
        lastInput != nil && isFirst && now < firstShown + Self.delay ? firstShown + Self.delay : nil
    }

    /// Whether `page` must be prepared: something has changed since the last preparation, or that was a while ago.
    ///
    /// If true, records the page as prepared.
    mutating func isDue(_ page: AnyObject, size: Size, scale: Double, isChanged: Bool, now: HostTime) -> Bool {
        let state = Beneath(page: ObjectIdentifier(page), size: size, scale: scale)
        guard isChanged || prepared != state || now - preparedAt > Self.interval else { return false }
        prepared = state
        preparedAt = now
        return true
    }

    /// Runs prewarm steps while there is time before the next frame. Runs one in any case if none has run for
    /// `longestPause`.
    ///
    /// - Parameters:
    ///   - clock: Returns the current time.
    ///   - run: Called with the number of each step to run.
    mutating func prewarm(nextFrameDue: HostTime?, clock: () -> HostTime = HostTime.now, run: (Int) -> Void) {
        let start = clock()
        var now = start
        while isPrewarming, now - start < Self.timePerFrame {
            // A step may delay one frame, which is still shown. If it delayed two in a row, one would be dropped.
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
