import Geometry
import Rendering
import Time

/// When to prepare the renderer's resources and the page beneath the player. A value; main thread.
@MainActor struct Preparation {
    private var prewarmStep = 0
    private let stepCount: Int
    /// The page last prepared beneath the player, and when.
    private var prepared: Beneath?
    private var preparedAt = HostTime(nanoseconds: 0)
    private var lastInput: HostTime?

    private struct Beneath: Equatable {
        var page: ObjectIdentifier
        var size: Size
        var scale: Double
    }

    /// The delay from a video's first frame to preparing the page beneath, so that the start is not slowed down.
    private static let delay = Duration.milliseconds(600)
    private static let interval = Duration.seconds(4)
    /// The time before the next frame that a prewarm step needs.
    private static let timePerStep = Duration.milliseconds(8)
    /// The time that several quick steps may take between two frames.
    private static let timePerFrame = Duration.milliseconds(3)
    /// The interval between rounds of steps while no frames are drawn.
    private static let prewarmInterval = Duration.milliseconds(10)
    /// How long more input is expected after the last one.
    private static let inputTimeout = Duration.seconds(10)

    /// - Parameter stepCount: `Renderer.prewarmSteps`.
    init(stepCount: Int) { self.stepCount = stepCount }

    /// Whether any prewarm steps are left.
    var isPrewarming: Bool { prewarmStep < stepCount }

    /// When to run more prewarm steps, if some have run and no frame is drawn.
    func nextPrewarm(now: HostTime) -> HostTime? {
        prewarmStep > 0 && isPrewarming ? now + Self.prewarmInterval : nil
    }

    /// Whether no page has been prepared yet.
    var isFirst: Bool { prepared == nil }

    mutating func noteInput(at now: HostTime) { lastInput = now }

    /// Until when more input is expected.
    var inputExpectedUntil: HostTime? { lastInput.map { $0 + Self.inputTimeout } }

    /// Whether the page beneath may be prepared: after the first frames and the first input.
    func mayPrepare(now: HostTime, firstShown: HostTime) -> Bool {
        lastInput != nil && now >= firstShown + Self.delay
    }

    /// When the page may be prepared.
    func nextWake(now: HostTime, firstShown: HostTime) -> HostTime? {
        lastInput != nil && isFirst && now < firstShown + Self.delay ? firstShown + Self.delay : nil
    }

    /// Whether the page must be prepared: it is another one, has another size, or was prepared a while ago. Counts as
    /// done from then on.
    mutating func isDue(_ page: AnyObject, size: Size, scale: Double, isChanged: Bool, now: HostTime) -> Bool {
        let state = Beneath(page: ObjectIdentifier(page), size: size, scale: scale)
        guard isChanged || prepared != state || now - preparedAt > Self.interval else { return false }
        prepared = state
        preparedAt = now
        return true
    }

    /// Runs prewarm steps while there is time before the next frame.
    mutating func prewarm(_ renderer: any Renderer, nextFrameDue: HostTime?) {
        let start = HostTime.now()
        var now = start
        while isPrewarming, now - start < Self.timePerFrame {
            // One late frame is still shown; two in a row would drop one.
            if let nextFrameDue, nextFrameDue - now < Self.timePerStep { return }
            // A driver that fails here will fail again, with an error, when the resource is needed.
            try? renderer.prewarm(step: prewarmStep)
            prewarmStep += 1
            now = .now()
        }
    }
}
