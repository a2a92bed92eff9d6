import Controls
import Input
import Library
import Media
import Settings

/// Which key does what: mpv's keys, as far as there is something for them to do, and what the settings say otherwise.
struct KeyMap {
    /// A key and what it does.
    struct Binding: Hashable {
        var chord: KeyChord
        var command: Command
    }

    /// In the order in which a person is told of them.
    private(set) var bindings: [Binding]
    private var commands: [KeyChord: Command]
    /// Keys that the settings have taken away.
    private let removed: Set<KeyChord>

    /// - Parameter changes: what the settings say otherwise.
    init(changes: [KeyChord: Settings.KeyBinding] = [:]) {
        removed = Set(changes.filter { $0.value == Settings.KeyBinding.none }.keys)
        bindings = Self.defaults.filter { changes[$0.chord] == nil }
        let added = changes.compactMap { chord, binding -> Binding? in
            guard case .command(let text) = binding else { return nil }
            return Command(text: text).map { Binding(chord: chord, command: $0) }
        }
        bindings += added.sorted { $0.chord.description < $1.chord.description }
        commands = Dictionary(bindings.map { ($0.chord, $0.command) }) { _, last in last }
    }

    /// What `event` does, or nil. Only what makes sense again and again repeats.
    func command(for event: KeyEvent) -> Command? {
        let chord = KeyChord(event)
        if removed.contains(chord) { return nil }
        // Shift may be held by chance.
        let plain = event.modifiers == .shift ? commands[KeyChord(key: event.key)] : nil
        guard let command = commands[chord] ?? plain else { return nil }
        return event.isRepeat && !command.repeats ? nil : command
    }

    /// For a person to read: each command once, with all of its keys.
    var sections: [MediaDetails.Section] {
        var lines: [MediaDetails.Line] = []
        var places: [Command: Int] = [:]
        for binding in bindings {
            if let place = places[binding.command] {
                lines[place].label += ", \(binding.chord)"
            } else {
                places[binding.command] = lines.count
                lines.append(MediaDetails.Line("\(binding.chord)", binding.command.summary))
            }
        }
        return [MediaDetails.Section(title: "Keys", lines: lines)]
    }

    /// What the settings file may say.
    static let vocabulary = SettingsVocabulary(
        commands: Command.names, formerCommands: Array(Command.formerNames.keys),
        gestures: VideoGesture.allCases.map(\.rawValue),
        decoders: HardwareDecoding.names,
        fault: { Command(text: $0) == nil ? "'\($0)': a number is missing, too many, or out of range" : nil })

    private static func bind(_ key: Key, _ command: Command) -> Binding { bind(key, [], command) }

    private static func bind(_ key: Key, _ modifiers: Modifiers, _ command: Command) -> Binding {
        Binding(chord: KeyChord(key: key, modifiers: modifiers), command: command)
    }

    static let defaults: [Binding] = [
        bind(.space, .togglePause), bind(.character("p"), .togglePause),
        bind(.left, .seek(by: -5, isExact: false)), bind(.right, .seek(by: 5, isExact: false)),
        bind(.left, .shift, .seek(by: -1, isExact: true)), bind(.right, .shift, .seek(by: 1, isExact: true)),
        bind(.down, .seek(by: -60, isExact: false)), bind(.up, .seek(by: 60, isExact: false)),
        bind(.down, .shift, .seek(by: -5, isExact: true)), bind(.up, .shift, .seek(by: 5, isExact: true)),
        bind(.home, .goToStart), bind(.end, .goToEnd),
        bind(.pageUp, .chapter(by: 1)), bind(.pageDown, .chapter(by: -1)),
        bind(.character(","), .stepFrame(forward: false)), bind(.character("."), .stepFrame(forward: true)),
        bind(.character("<"), .previous), bind(.character(">"), .next),
        bind(.character("["), .multiplySpeed(by: 1 / 1.1)), bind(.character("]"), .multiplySpeed(by: 1.1)),
        bind(.character("{"), .multiplySpeed(by: 0.5)), bind(.character("}"), .multiplySpeed(by: 2)),
        bind(.backspace, .setSpeed(1)),
        bind(.character("l"), .markLoop), bind(.character("L"), .toggleFileLoop),
        bind(.character("9"), .changeVolume(by: -2)), bind(.character("0"), .changeVolume(by: 2)),
        bind(.character("/"), .changeVolume(by: -2)), bind(.character("*"), .changeVolume(by: 2)),
        bind(.character("m"), .toggleMute), bind(.character("#"), .cycleAudioTrack),
        bind(.character("j"), .cycleSubtitleTrack(forward: true)),
        bind(.character("J"), .cycleSubtitleTrack(forward: false)), bind(.character("v"), .toggleSubtitles),
        bind(.character("z"), .delaySubtitles(by: -1)), bind(.character("Z"), .delaySubtitles(by: 1)),
        bind(.character("x"), .delaySubtitles(by: 1)),
        bind(.character("3"), .changeBrightness(by: -1)), bind(.character("4"), .changeBrightness(by: 1)),
        bind(.character("f"), .toggleFullscreen), bind(.character("T"), .toggleOnTop),
        bind(.character("o"), .toggleFloating), bind(.character("O"), .toggleFloatingLines),
        bind(.character("o"), .control, .toggleFloatingClock),
        bind(.character("s"), .screenshot), bind(.character("i"), .toggleStatistics),
        bind(.character("?"), .showKeys),
        bind(.character("w"), .toggleFill), bind(.character("l"), .control, .toggleLock),
        bind(.escape, .leave), bind(.left, .alt, .back), bind(.right, .alt, .showDetails), bind(.character("q"), .quit),
        bind(.media(.playPause), .togglePause), bind(.media(.play), .play), bind(.media(.pause), .pause),
        bind(.media(.stop), .stop), bind(.media(.next), .next), bind(.media(.previous), .previous),
        bind(.media(.volumeUp), .changeVolume(by: 2)), bind(.media(.volumeDown), .changeVolume(by: -2)),
        bind(.media(.mute), .toggleMute),
    ]
}
