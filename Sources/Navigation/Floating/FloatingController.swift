/// Controls one floating element at a time, from opening to closing its window.
///
/// Main thread. Each `willStart` is followed by one `didStart` or `failedToStart`, and each `didStart` by one
/// `willStop` and one `didStop`. The delegate may act from within a notification: the state has already changed.
@MainActor public final class FloatingController {
    /// Opens the windows. If nil, nothing can float.
    public weak var host: (any FloatingHost)?
    /// Told of each step; restores the page.
    public weak var delegate: (any FloatingDelegate)?
    /// Whether the element's page is left once it floats.
    public var leavesPageOnStart = true
    /// Called after the state has changed.
    public var onStateChange: (@MainActor (FloatingState) -> Void)?

    /// Whether something floats, is about to, or is being closed.
    public private(set) var state = FloatingState.idle
    /// The element that floats or is about to.
    public private(set) var element: (any FloatingElement)?
    /// Whether its page is being restored, or will be once it floats.
    public private(set) var isRestoring = false
    /// Identifies this start: answers to an earlier one are ignored.
    private var generation = 0

    public init() {}

    /// Whether floating windows are possible.
    public var isPossible: Bool { host?.canFloat ?? false }
    /// Whether the window is open.
    public var isActive: Bool { state == .active }

    // MARK: - Calls

    /// Opens a window for `element`.
    ///
    /// - Throws: `FloatingError.notPossible`, or `.alreadyFloating` while there is one, even if it is opening or
    /// closing. Later failures go to the delegate.
    public func start(_ element: any FloatingElement) throws(FloatingError) {
        guard state == .idle else { throw .alreadyFloating }
        guard isPossible else { throw .notPossible }
        generation += 1
        let generation = generation
        self.element = element
        isRestoring = false
        setState(.starting)
        guard isOn(generation, .starting) else { return }
        delegate?.floatingWillStart(element)
        guard isOn(generation, .starting) else { return }
        guard let host else { return fail(.notPossible) }
        host.open(element) { [weak self] result in self?.answer(result, generation: generation) }
    }

    /// Closes the window. If it is not open yet, starting fails.
    public func stop() {
        switch state {
        case .starting:
            host?.close()
            fail(.closedTooSoon)
        case .active: end(isRestored: false, closesWindow: true)
        case .idle, .stopping: break
        }
    }

    /// Returns the element to its page: has the page restored, then closes the window. An element that is still
    /// starting finishes that first.
    ///
    /// - Returns: False if nothing floats, or if the element is already returning.
    @discardableResult
    public func restore() -> Bool {
        guard let element, !isRestoring, state == .starting || state == .active else { return false }
        isRestoring = true
        if state == .active { restore(element) }
        return true
    }

    /// Call when the window was closed by the user or the server.
    public func windowClosed() {
        switch state {
        case .starting: fail(.closedTooSoon)
        case .active: end(isRestored: false, closesWindow: false)
        case .idle, .stopping: break
        }
    }

    // MARK: - Inside

    private func answer(_ result: Result<Void, FloatingError>, generation: Int) {
        guard isOn(generation, .starting), let element else { return }
        if case .failure(let error) = result { return fail(error) }
        setState(.active)
        guard isOn(generation, .active) else { return }
        delegate?.floatingDidStart(element)
        // The delegate may have called `restore` from within `didStart`.
        if isOn(generation, .active), leavesPageOnStart, restoredGeneration != generation {
            delegate?.leavePage(of: element)
        }
        if isOn(generation, .active), isRestoring, restoredGeneration != generation { restore(element) }
    }

    /// The start whose page was requested.
    private var restoredGeneration = 0

    private func restore(_ element: any FloatingElement) {
        let generation = generation
        restoredGeneration = generation
        guard let delegate else { return end(isRestored: false, closesWindow: true) }
        delegate.restoreUserInterface(for: element) { [weak self] isRestored in
            // If this is a second answer, or the window was closed, it is no longer active.
            guard let self, isOn(generation, .active) else { return }
            end(isRestored: isRestored, closesWindow: true)
        }
    }

    private func fail(_ error: FloatingError) {
        guard let element else { return }
        clear()
        setState(.idle, of: element)
        delegate?.floatingFailedToStart(element, error: error)
    }

    private func end(isRestored: Bool, closesWindow: Bool) {
        guard let element else { return }
        setState(.stopping)
        delegate?.floatingWillStop(element)
        if closesWindow { host?.close() }
        clear()
        setState(.idle, of: element)
        delegate?.floatingDidStop(element, isRestored: isRestored)
    }

    private func clear() {
        element = nil
        isRestoring = false
        generation += 1
    }

    private func isOn(_ generation: Int, _ state: FloatingState) -> Bool {
        generation == self.generation && state == self.state
    }

    private func setState(_ state: FloatingState, of element: (any FloatingElement)? = nil) {
        self.state = state
        (element ?? self.element)?.floatingStateChanged(to: state)
        if state == self.state { onStateChange?(state) }
    }
}
