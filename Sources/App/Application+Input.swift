import Gestures
import Motion
import Navigation
import Playback
import Stage
import Windowing

// What the hand and the keys do.

extension Application {
    func handle(_ input: InputEvent, now: HostTime) {
        switch input {
        case .key(let key): handle(key, now: now)
        case .pointer(let event):
            arbiter.handle(input) { stack.elements(at: $0, now: event.time) }
            follow(event)
        case .scroll(let event):
            arbiter.handle(input) { stack.elements(at: $0, now: event.time) }
        }
    }

    /// The pointer's place: what is under it looks so, and the controls come.
    private func follow(_ event: PointerEvent) {
        if event.phase == .moved || event.phase == .entered, stack.top === playerPage, !stack.isTransitioning,
            pointer.hasMoved(to: event.position), playerPage?.wakeControls(now: event.time) == true
        {
            setNeedsTick()
        }
        let isOver = event.phase != .left && !arbiter.isTracking && !stack.isTransitioning
        let elements = isOver ? stack.elements(at: event.position, now: event.time) : []
        if pointer.follow(isOver ? event.position : nil, elements: elements, now: event.time) { setNeedsTick() }
    }

    private func handle(_ key: KeyEvent, now: HostTime) {
        if let page = stack.top as? LibraryPage, !stack.isTransitioning, key.modifiers.isEmpty, page.handle(key) {
            return setNeedsTick()
        }
        if let page = stack.top as? DetailsPage, !stack.isTransitioning, key.modifiers.isEmpty, page.handle(key) {
            return setNeedsTick()
        }
        if stack.top === playerPage, playerPage?.areControlsShown == true { _ = playerPage?.wakeControls(now: now) }
        if let command = Command(key) { perform(command, now: now) }
    }

    func perform(_ command: Command, now: HostTime) {
        switch command {
        case .togglePause: player?.togglePause(now: now)
        case .seek(let seconds, let isExact): player?.seek(by: .seconds(seconds), isExact: isExact, now: now)
        case .stepFrame(let forward): player?.stepFrame(forward: forward, now: now)
        case .toggleFullscreen: toggleFullscreen()
        case .leave: leave(now: now)
        case .back: back(now: now)
        case .toggleMute: player?.isMuted.toggle()
        case .changeVolume(let percent):
            guard let player else { return }
            player.volume = min(max(0, ((player.volume * 100).rounded() + Double(percent)) / 100), 1.3)
        case .quit: finish(.done)
        }
        if let playing { showInMiniBars(playing, now: now) }
        setNeedsTick()
    }

    private var player: Player? { playing?.player }

    func toggleFullscreen() { window.map { $0.setFullscreen(!$0.isFullscreen) } }

    /// Escape: takes back what the hand is doing, leaves fullscreen, goes back: the first of these that there is.
    private func leave(now: HostTime) {
        if stack.isTransitioning, stack.cancelDrag(now: now) {
            arbiter.cancelAll(now: now)
        } else if let window, window.isFullscreen {
            window.setFullscreen(false)
        } else {
            back(now: now)
        }
    }

    func back(now: HostTime) {
        stack.pop(now: now)
        setNeedsTick()
    }
}
