import GlissadeGeometry
import GlissadeNavigation
import GlissadeRendering
import GlissadeTime

/// Prepares the renderer's resources, and the library page beneath the player's page, before the user needs them.
/// Main thread.
@MainActor final class BackgroundPreparation {
    private var plan: Preparation
    private let renderer: any Renderer
    private let snapshots: PageSnapshots
    private let pages: Pages
    private let history: HistoryController
    /// When the first video frame was shown; nil before that.
    private(set) var firstShown: HostTime?

    init(renderer: any Renderer, snapshots: PageSnapshots, pages: Pages, history: HistoryController) {
        plan = Preparation(stepCount: renderer.prewarmSteps)
        self.renderer = renderer
        self.snapshots = snapshots
        self.pages = pages
        self.history = history
    }

    func noteInput(at now: HostTime) { plan.noteInput(at: now) }

    func noteFirstFrame(at time: HostTime) { if firstShown == nil { firstShown = time } }

    func nextWake(now: HostTime) -> HostTime? {
        let release = snapshots.keepsMemory ? plan.inputExpectedUntil : nil
        let next = HostTime.earliest(release, plan.nextPrewarm(now: now))
        return .earliest(next, firstShown.flatMap { plan.nextWake(now: now, firstShown: $0) })
    }

    // MARK: - The renderer

    /// Runs prewarm steps if there is time before the next frame (`Preparation.prewarm`). Does nothing if `isBusy` is
    /// true.
    func prewarm(isBusy: Bool, nextFrameDue: HostTime?) {
        guard plan.isPrewarming, !isBusy else { return }
        plan.prewarm(nextFrameDue: nextFrameDue) { [renderer] step in
            // If the driver fails here, it will fail again when the resource is needed. The error is reported then.
            try? renderer.prewarm(step: step)
        }
    }

    /// Continues prewarming while no frames are drawn.
    func prewarmAtRest(isBusy: Bool, now: HostTime) {
        if plan.nextPrewarm(now: now) != nil { prewarm(isBusy: isBusy, nextFrameDue: nil) }
    }

    // MARK: - The page beneath

    /// Loads and lays out the page beneath the player's page, and requests its images.
    ///
    /// Requests the images again every few seconds, so that the image cache does not drop them. Frees the memory
    /// reserved for a page snapshot after a while without input.
    func prepareBeneath(isBusy: Bool, now: HostTime) {
        if let end = plan.inputExpectedUntil, now >= end { snapshots.releaseMemory() }
        guard let library = pageToPrepare(isBusy: isBusy, now: now) else { return }
        if plan.isFirst { history.askRecent() }
        library.load()
        let isChanged = library.advance(to: now, isMoving: false)
        let size = pages.stack.layer.frame.size
        if plan.isDue(library, size: size, scale: snapshots.scale, isChanged: isChanged, now: now) {
            snapshots.prepare(library, size: size)
        }
    }

    private func pageToPrepare(isBusy: Bool, now: HostTime) -> LibraryPage? {
        let stack = pages.stack
        guard let firstShown, plan.mayPrepare(now: now, firstShown: firstShown), !isBusy, !stack.isTransitioning,
            stack.pages.count > 1, stack.top === pages.playerPage
        else { return nil }
        return stack.pages[stack.pages.count - 2] as? LibraryPage
    }
}
