import Gestures

/// What a key does.
enum Command: Hashable {
    case togglePause
    /// Seconds on (or back), to a keyframe or exactly.
    case seek(by: Double, isExact: Bool)
    case stepFrame(forward: Bool)
    case toggleFullscreen
    /// Take back what the hand does, leave fullscreen, or go back.
    case leave
    /// Go back a page.
    case back
    case toggleMute
    /// Hundredths of the media's own level.
    case changeVolume(by: Int)
    case quit

    /// The command of a key, as in mpv, and those that go back; nil where it has none. Only those that make sense again and again repeat.
    init?(_ event: KeyEvent) {
        let shift = event.modifiers.contains(.shift)
        if event.key == .left, event.modifiers == .alt, !event.isRepeat {
            self = .back
            return
        }
        guard event.modifiers.isDisjoint(with: [.control, .alt, .command]) else { return nil }
        switch event.key {
        case .space, .character("p"): self = .togglePause
        case .left: self = shift ? .seek(by: -1, isExact: true) : .seek(by: -5, isExact: false)
        case .right: self = shift ? .seek(by: 1, isExact: true) : .seek(by: 5, isExact: false)
        case .up: self = shift ? .seek(by: 5, isExact: true) : .seek(by: 60, isExact: false)
        case .down: self = shift ? .seek(by: -5, isExact: true) : .seek(by: -60, isExact: false)
        case .character(","): self = .stepFrame(forward: false)
        case .character("."): self = .stepFrame(forward: true)
        case .character("f"): self = .toggleFullscreen
        case .escape: self = .leave
        case .backspace: self = .back
        case .character("m"): self = .toggleMute
        case .character("9"), .character("/"): self = .changeVolume(by: -2)
        case .character("0"), .character("*"): self = .changeVolume(by: 2)
        case .character("q"): self = .quit
        default: return nil
        }
        if event.isRepeat && !repeats { return nil }
    }

    private var repeats: Bool {
        switch self {
        case .seek, .stepFrame, .changeVolume: true
        default: false
        }
    }
}
