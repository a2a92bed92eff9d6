import GlissadeLayers
import GlissadeTime

@testable import GlissadeNavigation

/// A minimal floating element.
@MainActor final class Clock: FloatingElement {
    let layer = Layer()
    var redrawInterval: Duration?
    var onNeedsDisplay: (@MainActor () -> Void)?
    var states: [FloatingState] = []

    func floatingStateChanged(to state: FloatingState) { states.append(state) }
}

/// A host of floating windows that is also the delegate, and logs all calls.
@MainActor final class FloatingHarness: FloatingHost, FloatingDelegate {
    let floating = FloatingController()
    let element = Clock()
    var canFloat = true
    /// What it answers at once; nil waits for `answer`.
    var answersAtOnce: Result<Void, FloatingError>? = .success(())
    private(set) var answer: (@MainActor (Result<Void, FloatingError>) -> Void)?
    private(set) var done: (@MainActor (Bool) -> Void)?
    /// What to do when a call is logged.
    var reactions: [String: () -> Void] = [:]
    private var log: [String] = []

    init() {
        floating.host = self
        floating.delegate = self
    }

    func took() -> [String] {
        defer { log = [] }
        return log
    }

    @discardableResult func start() -> FloatingError? {
        do { try floating.start(element) } catch { return error }
        return nil
    }

    private func note(_ line: String) {
        log.append(line)
        reactions[line]?()
    }

    func open(_ element: any FloatingElement, answer: @escaping @MainActor (Result<Void, FloatingError>) -> Void) {
        note("open")
        self.answer = answer
        if let answersAtOnce { answer(answersAtOnce) }
    }

    func close() { note("close") }

    func floatingWillStart(_ element: any FloatingElement) { note("willStart") }
    func floatingDidStart(_ element: any FloatingElement) { note("didStart") }
    func floatingFailedToStart(_ element: any FloatingElement, error: FloatingError) { note("failed: \(error)") }
    func leavePage(of element: any FloatingElement) { note("leavePage") }
    func restoreUserInterface(for element: any FloatingElement, done: @escaping @MainActor (Bool) -> Void) {
        self.done = done
        note("restore")
    }
    func floatingWillStop(_ element: any FloatingElement) { note("willStop") }
    func floatingDidStop(_ element: any FloatingElement, isRestored: Bool) { note("didStop \(isRestored)") }
}
