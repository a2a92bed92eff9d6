/// A user command, issued with a key, a button, a menu, a gesture or the desktop's media controls.
enum Command: Hashable {
    case togglePause
    case play, pause, stop
    /// Seeks by a number of seconds; a negative number seeks backward. If `isExact` is false, the seek may end at a
    /// keyframe near the target.
    case seek(by: Double, isExact: Bool)
    case goToStart, goToEnd
    case stepFrame(forward: Bool)
    case chapter(by: Int)
    /// Goes to the next or previous entry of the playlist.
    case next, previous
    case multiplySpeed(by: Double)
    case setSpeed(Double)
    /// On successive uses, sets the start of the A–B loop, sets its end, and clears the loop.
    case markLoop
    case toggleFileLoop
    case toggleMute
    /// Changes the volume by percentage points. 100 % is the file's own level.
    case changeVolume(by: Int)
    /// Changes the brightness by percentage points.
    case changeBrightness(by: Int)
    case cycleAudioTrack
    case cycleSubtitleTrack(forward: Bool)
    case toggleSubtitles
    /// Shows or hides the comments that move over the video (danmaku).
    case toggleComments
    /// Shifts subtitles by tenths of a second. A positive number shows them later.
    case delaySubtitles(by: Int)
    case toggleFullscreen
    case toggleOnTop
    /// Moves the video to a floating window or, if it is already floating, back to the player's page.
    case toggleFloating
    /// Opens or closes the floating window that shows the subtitles.
    case toggleFloatingLines
    /// Opens or closes the floating window that shows a clock.
    case toggleFloatingClock
    case toggleFill
    case toggleLock
    case screenshot
    case toggleStatistics
    case showKeys
    case showDetails
    /// Goes back to the page at the bottom, the library.
    case goToLibrary
    /// Brings up the player's page.
    case goToPlayer
    /// In the main window, cancels the current gesture, else leaves fullscreen, else goes back by one page. In a
    /// floating window, closes the window; a floating video returns to the player's page.
    case leave
    /// Goes back by one page. If the video has entered fullscreen from its library row or card, leaves fullscreen
    /// instead.
    case back
    /// Goes back by one page of the library.
    case leaveFolder
    case quit
    /// Switches the library between a list and cards.
    case toggleLibraryView
    case moveInList(ListMove)
    /// Opens the selected item of the list.
    case openSelection

    /// A movement of the selection in a list. A list whose rows cannot be selected scrolls instead.
    enum ListMove: String, CaseIterable {
        case up, down
        case pageUp = "page-up"
        case pageDown = "page-down"
        case start, end
    }

    /// The key context to which the command's bindings are limited; nil if they apply in all contexts.
    var context: KeyContext? {
        switch self {
        case .toggleLibraryView, .leaveFolder, .goToPlayer: .library
        case .moveInList, .openSelection: .list
        default: nil
        }
    }

    /// The command's description, as shown to the user in the key list.
    var summary: String {
        switch self {
        case .togglePause: "Play or pause"
        case .play: "Play"
        case .pause: "Pause"
        case .stop: "Stop"
        case .seek(let seconds, let isExact):
            "Seek \(seconds < 0 ? "back" : "forward") \(Self.amount(abs(seconds))) s\(isExact ? " (exact)" : "")"
        case .goToStart: "Go to start"
        case .goToEnd: "Go to end"
        case .stepFrame(let forward): forward ? "Next frame" : "Previous frame"
        case .chapter(let step): step < 0 ? "Previous chapter" : "Next chapter"
        case .next: "Next in playlist"
        case .previous: "Previous in playlist"
        case .multiplySpeed(let factor):
            factor < 1 ? "Slower, ×\(Self.amount(factor))" : "Faster, ×\(Self.amount(factor))"
        case .setSpeed(let speed): speed == 1 ? "Normal speed" : "Speed \(Self.amount(speed))×"
        case .markLoop: "A–B loop: set start, set end, off"
        case .toggleFileLoop: "Loop file"
        case .toggleMute: "Mute"
        case .changeVolume(let percent): percent < 0 ? "Volume down" : "Volume up"
        case .changeBrightness(let percent): percent < 0 ? "Brightness down" : "Brightness up"
        case .cycleAudioTrack: "Next audio track"
        case .cycleSubtitleTrack(let forward): forward ? "Next subtitle track" : "Previous subtitle track"
        case .toggleSubtitles: "Show or hide subtitles"
        case .toggleComments: "Show or hide comments"
        case .delaySubtitles(let tenths): tenths < 0 ? "Subtitles earlier" : "Subtitles later"
        case .toggleFullscreen: "Fullscreen"
        case .toggleOnTop: "Always on top"
        case .toggleFloating: "Picture-in-picture"
        case .toggleFloatingLines: "Subtitles in a floating window"
        case .toggleFloatingClock: "Clock in a floating window"
        case .toggleFill: "Fit to window, or fill it"
        case .toggleLock: "Lock controls"
        case .screenshot: "Save screenshot"
        case .toggleStatistics: "Statistics"
        case .showKeys: "Show keys"
        case .showDetails: "Show file details"
        case .goToLibrary: "Go to the library"
        case .goToPlayer: "Go to what is playing"
        case .leave: "Leave fullscreen, or go back"
        case .back: "Go back"
        case .leaveFolder: "Go back from a folder"
        case .quit: "Quit"
        case .toggleLibraryView: "Switch between list and cards"
        case .moveInList(let move):
            switch move {
            case .up: "Previous item"
            case .down: "Next item"
            case .pageUp: "Page up"
            case .pageDown: "Page down"
            case .start: "First item"
            case .end: "Last item"
            }
        case .openSelection: "Open the selected item"
        }
    }

    /// Whether the command repeats while its key is held.
    var repeats: Bool {
        switch self {
        case .seek, .stepFrame, .changeVolume, .changeBrightness, .multiplySpeed, .delaySubtitles, .moveInList:
            true
        default: false
        }
    }

    private static func amount(_ value: Double) -> String {
        let rounded = (value * 100).rounded() / 100
        return rounded == rounded.rounded() && abs(rounded) < 1e9 ? "\(Int(rounded))" : "\(rounded)"
    }
}

// The names of commands in the settings file.

extension Command {
    /// Parses a command as written in the settings file. Returns nil if `text` is not a valid command.
    ///
    /// - Parameter text: The command's current or former name, followed by a number if the command takes one, as in
    ///   `seek -5`.
    init?(text: String) {
        let words = text.split(separator: " ", omittingEmptySubsequences: true).map(String.init)
        guard let word = words.first, words.count <= 2 else { return nil }
        let name = Self.formerNames[word] ?? word
        if words.count == 1 {
            guard let plain = Self.plain.first(where: { $0.name == name }) else { return nil }
            self = plain.command
            return
        }
        guard let number = Double(words[1]), number.isFinite, abs(number) <= 1e6 else { return nil }
        switch name {
        case "seek": self = .seek(by: number, isExact: false)
        case "seek-exactly": self = .seek(by: number, isExact: true)
        case "speed" where (0.1...8).contains(number): self = .setSpeed(number)
        case "multiply-speed" where number > 0: self = .multiplySpeed(by: number)
        case "chapter": self = .chapter(by: Int(number))
        case "volume": self = .changeVolume(by: Int(number))
        case "brightness": self = .changeBrightness(by: Int(number))
        case "subtitle-delay": self = .delaySubtitles(by: Int((number * 10).rounded()))
        default: return nil
        }
    }

    /// The current names of all commands.
    static let names =
        plain.map(\.name) + [
            "seek", "seek-exactly", "speed", "multiply-speed", "chapter", "volume", "brightness", "subtitle-delay",
        ]

    /// The command names of version 0.1, each with its current name.
    static let formerNames = [
        "frame-on": "frame-step", "frame-back": "frame-back-step", "next-sound": "cycle-audio",
        "next-subtitles": "cycle-subtitles", "previous-subtitles": "cycle-subtitles-back",
        "speed-times": "multiply-speed",
    ]

    private static let plain: [(name: String, command: Command)] =
        [
            ("play-pause", .togglePause), ("play", .play), ("pause", .pause), ("stop", .stop),
            ("beginning", .goToStart), ("end", .goToEnd), ("frame-step", .stepFrame(forward: true)),
            ("frame-back-step", .stepFrame(forward: false)), ("next", .next), ("previous", .previous),
            ("loop-range", .markLoop), ("loop-file", .toggleFileLoop), ("mute", .toggleMute),
            ("cycle-audio", .cycleAudioTrack), ("cycle-subtitles", .cycleSubtitleTrack(forward: true)),
            ("cycle-subtitles-back", .cycleSubtitleTrack(forward: false)), ("subtitles", .toggleSubtitles),
            ("comments", .toggleComments),
            ("fullscreen", .toggleFullscreen), ("on-top", .toggleOnTop), ("float", .toggleFloating),
            ("float-lines", .toggleFloatingLines), ("float-clock", .toggleFloatingClock), ("fill", .toggleFill),
            ("lock", .toggleLock),
            ("screenshot", .screenshot), ("statistics", .toggleStatistics), ("keys", .showKeys),
            ("details", .showDetails), ("leave", .leave), ("back", .back), ("library", .goToLibrary), ("quit", .quit),
            ("player", .goToPlayer), ("library-back", .leaveFolder), ("library-view", .toggleLibraryView),
            ("list-open", .openSelection),
        ] + ListMove.allCases.map { ("list-\($0.rawValue)", .moveInList($0)) }
}
