import GlissadeControls
import GlissadeInput
import GlissadeLibrary
import GlissadeMedia
import GlissadeSettings
import GlissadeSubtitles

/// The key bindings: the program's defaults with the changes from the settings.
///
/// A key can be bound to one command in each context, and to a general command. The general command applies in the
/// contexts in which the key has no command of its own.
struct KeyMap {
    struct Binding: Hashable {
        var chord: KeyChord
        var command: Command
    }

    private struct Place: Hashable {
        var context: KeyContext?
        var chord: KeyChord
    }

    /// All bindings, in the order of the key list.
    let bindings: [Binding]
    private let commands: [Place: Command]
    /// The keys that the settings unbind.
    private let removed: Set<KeyChord>

    /// - Parameter changes: The bindings from the settings. A command replaces the key's default command for the same
    ///   context. An invalid command is ignored. `none` unbinds the key in all contexts.
    init(changes: [KeyChord: Settings.KeyBinding] = [:]) {
        var removed = Set<KeyChord>()
        var added: [Binding] = []
        for (chord, binding) in changes {
            switch binding {
            case .none: removed.insert(chord)
            case .command(let text):
                if let command = Command(text: text) { added.append(Binding(chord: chord, command: command)) }
            }
        }
        added.sort { $0.chord.description < $1.chord.description }
        let replaced = Set(added.map(Self.place))
        bindings = Self.defaults.filter { !removed.contains($0.chord) && !replaced.contains(Self.place($0)) } + added
        commands = Dictionary(bindings.map { (Self.place($0), $0.command) }) { _, last in last }
        self.removed = removed
    }

    /// Returns the command for a key press; nil if no command is bound to the key. If the press is a repeat of a held
    /// key, returns only a command that may repeat.
    ///
    /// - Parameter contexts: The key contexts of the current page, most specific first.
    func command(for event: KeyEvent, in contexts: [KeyContext] = []) -> Command? {
        let chord = KeyChord(event)
        if removed.contains(chord) { return nil }
        let own = contexts.lazy.compactMap { commands[Place(context: $0, chord: chord)] }.first
        guard let command = own ?? commands[Place(context: nil, chord: chord)] ?? plain(event) else { return nil }
        return event.isRepeat && !command.repeats ? nil : command
    }

    /// Returns the general command bound to the key without Shift. Returns nil unless Shift, which may be held by
    /// accident, is the only modifier.
    private func plain(_ event: KeyEvent) -> Command? {
        event.modifiers == .shift ? commands[Place(context: nil, chord: KeyChord(key: event.key))] : nil
    }

    private static func place(_ binding: Binding) -> Place {
        Place(context: binding.command.context, chord: binding.chord)
    }

    /// Returns the first key that is bound to a command; nil if there is none.
    func chord(for command: Command) -> KeyChord? { bindings.first { $0.command == command }?.chord }

    /// The sections of the key list. Each command is listed once, with all of its keys.
    var sections: [MediaDetails.Section] {
        [
            MediaDetails.Section(title: "Keys", lines: lines { $0.context == nil }),
            MediaDetails.Section(title: "Library and lists", lines: lines { $0.context != nil }),
        ]
    }

    private func lines(_ isIncluded: (Command) -> Bool) -> [MediaDetails.Line] {
        var lines: [MediaDetails.Line] = []
        var indices: [Command: Int] = [:]
        for binding in bindings where isIncluded(binding.command) {
            if let index = indices[binding.command] {
                lines[index].label += ", \(binding.chord)"
            } else {
                indices[binding.command] = lines.count
                lines.append(MediaDetails.Line("\(binding.chord)", binding.command.summary))
            }
        }
        return lines
    }

    /// The names of commands, gestures, decoders and encodings that the settings file may use.
    static let vocabulary = SettingsVocabulary(
        commands: Command.names, formerCommands: Array(Command.formerNames.keys),
        gestures: VideoGesture.allCases.map(\.rawValue),
        decoders: HardwareDecoding.names,
        encodings: ["auto"] + SubtitleEncoding.allCases.map(\.rawValue),
        fault: { Command(text: $0) == nil ? "'\($0)': its number is missing, out of range, or not expected" : nil })

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
        bind(.character("d"), .toggleComments),
        bind(.character("z"), .delaySubtitles(by: -1)), bind(.character("Z"), .delaySubtitles(by: 1)),
        bind(.character("x"), .delaySubtitles(by: 1)),
        bind(.character("3"), .changeBrightness(by: -1)), bind(.character("4"), .changeBrightness(by: 1)),
        bind(.character("f"), .toggleFullscreen), bind(.function(11), .toggleFullscreen),
        bind(.enter, .alt, .toggleFullscreen), bind(.character("T"), .toggleOnTop),
        bind(.character("o"), .toggleFloating), bind(.character("O"), .toggleFloatingLines),
        bind(.character("C"), .toggleFloatingClock),
        bind(.character("s"), .screenshot), bind(.character("i"), .toggleStatistics),
        bind(.character("?"), .showKeys),
        bind(.character("w"), .toggleFill), bind(.character("l"), .control, .toggleLock),
        bind(.escape, .leave), bind(.left, .alt, .back), bind(.right, .alt, .showDetails),
        bind(.home, .alt, .goToLibrary), bind(.character("q"), .quit),
        bind(.character("q"), .control, .quit), bind(.character("w"), .control, .quit),
        bind(.media(.playPause), .togglePause), bind(.media(.play), .play), bind(.media(.pause), .pause),
        bind(.media(.stop), .stop), bind(.media(.next), .next), bind(.media(.previous), .previous),
        bind(.media(.volumeUp), .changeVolume(by: 2)), bind(.media(.volumeDown), .changeVolume(by: -2)),
        bind(.media(.mute), .toggleMute),
        bind(.backspace, .leaveFolder), bind(.right, .alt, .goToPlayer),
        bind(.character("v"), .toggleLibraryView), bind(.enter, .openSelection),
        bind(.up, .moveInList(.up)), bind(.down, .moveInList(.down)),
        bind(.pageUp, .moveInList(.pageUp)), bind(.pageDown, .moveInList(.pageDown)),
        bind(.home, .moveInList(.start)), bind(.end, .moveInList(.end)),
    ]
}
