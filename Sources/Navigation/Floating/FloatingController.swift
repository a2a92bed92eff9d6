/// Shows an element in a floating window, and can later return the element to its page. A controller floats only one
/// element at a time.
///
/// Main thread. Each `floatingWillStart` is followed by one `floatingDidStart` or `floatingFailedToStart`. Each
/// `floatingDidStart` is followed by one `floatingWillStop` and one `floatingDidStop`. The state changes before the
/// delegate is notified, so the delegate may call the controller from within a notification.
@MainActor public final class FloatingController {
    /// The provider of windows, held weakly. If this is nil, nothing can float.
    public weak var host: (any FloatingHost)?
    /// The delegate, held weakly. It is notified of each start and stop, and restores the element's page.
    public weak var delegate: (any FloatingDelegate)?
    /// Whether to call the delegate's `leavePage` after the element has started to float.
    public var leavesPageOnStart = true
    /// Called after the state has changed, with the new state.
    public var onStateChange: (@MainActor (FloatingState) -> Void)?

    /// The state of the floating element; `.idle` if there is none.
    public private(set) var state = FloatingState.idle
    /// The element whose window is open, opening or closing; nil when idle.
    public private(set) var element: (any FloatingElement)?
    /// Whether the element's page is being restored, or will be once the window is open.
    public private(set) var isRestoring = false
    /// Incremented whenever floating starts or ends, to detect late answers from the host and the delegate.
    private var generation = 0

    public init() {}

    /// Whether the host can open floating windows; false without a host.
    public var isPossible: Bool { host?.canFloat ?? false }
    /// Whether the state is `.active`: the window is open, and is not being closed.
    public var isActive: Bool { state == .active }

    // MARK: - Calls

    /// Opens a window for `element`.
    ///
    /// - Throws: `FloatingError.notPossible` if floating windows are not possible, or `.alreadyFloating` unless the
    ///   state is `.idle`. Later failures are reported to the delegate.
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

    /// Closes the window without restoring the element's page. If the window is still opening, the start fails with
    /// `.closedTooSoon`.
    public func stop() {
        switch state {
        case .starting:
            host?.close()
            fail(.closedTooSoon)
        case .active: end(isRestored: false, closesWindow: true)
        case .idle, .stopping: break
        }
    }

    /// Returns the element to its page: the delegate restores the page, then the window closes. If the window is still
    /// opening, the page is restored once the window is open.
    ///
    /// - Returns: False if no window is open or opening, or if the page is already being restored.
    @discardableResult
    public func restore() -> Bool {
        guard let element, !isRestoring, state == .starting || state == .active else { return false }
        isRestoring = true
        if state == .active { restore(element) }
        return true
    }

    /// Stops floating. The host calls this when the window was closed by anything other than `FloatingHost.close`.
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
        // The delegate may have called `restore` from within `floatingDidStart`.
        if isOn(generation, .active), leavesPageOnStart, restoredGeneration != generation {
            delegate?.leavePage(of: element)
        }
        if isOn(generation, .active), isRestoring, restoredGeneration != generation { restore(element) }
    }

    /// The value of `generation` when the delegate was last asked to restore the page; 0 if it was never asked.
    private var restoredGeneration = 0

    private func restore(_ element: any FloatingElement) {
        let generation = generation
        restoredGeneration = generation
        guard let delegate else { return end(isRestored: false, closesWindow: true) }
        delegate.restoreUserInterface(for: element) { [weak self] isRestored in
            // The state is no longer active if the window was closed, or if this is a second answer.
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
