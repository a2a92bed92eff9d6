import GlissadeControls
import GlissadeSubtitles
import GlissadeTime

/// The menus over the video: playback speed, quality, audio and subtitle tracks, and a
/// moving comment. Main thread.
@MainActor final class PlayerMenus {
    private static let speeds = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2]

    private let playback: PlaybackController
    private let transport: TransportController
    private let tracks: TrackController
    private let comments: CommentController

    init(
        playback: PlaybackController, transport: TransportController, tracks: TrackController,
        comments: CommentController
    ) {
        self.playback = playback
        self.transport = transport
        self.tracks = tracks
        self.comments = comments
    }

    func entries(of menu: PlayerMenu) -> [Menu.Entry] {
        guard let session = playback.session else { return [] }
        switch menu {
        case .speed:
            return [.title("Speed")]
                + Self.speeds.map { speed in
                    .item(
                        Menu.Item(
                            id: "\(speed)", label: speed == 1 ? "Normal" : PlayerControls.speedText(speed),
                            isChecked: session.player.speed == speed))
                }
        case .tracks:
            return QualityMenu.entries(of: session.player) + audioEntries(session) + [.separator]
                + subtitleEntries(session)
        case .encodings: return encodingEntries(session)
        case .comment: return comments.menuEntries()
        }
    }

    private func audioEntries(_ session: PlaybackSession) -> [Menu.Entry] {
        let tracks = session.player.audioTracks
        if tracks.isEmpty { return [] }
        let selected = session.player.selectedAudioTrack
        var entries: [Menu.Entry] = [.title("Audio")]
        for (number, track) in tracks.enumerated() {
            entries.append(
                .item(
                    Menu.Item(
                        id: "audio \(track.index)", label: TrackName.text(track, number: number + 1),
                        detail: TrackName.detail(track), isChecked: track.index == selected)))
        }
        entries.append(.item(Menu.Item(id: "audio off", label: "Off", isChecked: selected == nil)))
        return entries
    }

    private func subtitleEntries(_ session: PlaybackSession) -> [Menu.Entry] {
        let (choices, selected) = (session.subtitles.choices, session.subtitles.selected)
        var entries: [Menu.Entry] = [.title("Subtitles")]
        for (number, choice) in choices.enumerated() {
            entries.append(
                .item(
                    Menu.Item(
                        id: "subtitles \(number)", label: choice.name, detail: choice.detail,
                        isChecked: selected == number)))
        }
        let off = Menu.Item(
            id: "subtitles off", label: choices.isEmpty ? "None" : "Off", isChecked: selected == nil,
            isEnabled: !choices.isEmpty)
        entries.append(.item(off))
        if selected != nil {
            let encoding = session.subtitles.encoding
            entries += [
                .separator,
                .item(
                    Menu.Item(
                        id: "encodings", label: "Encoding", detail: encoding?.title ?? "Automatic", effect: .opensPage)),
            ]
        }
        return entries
    }

    private func encodingEntries(_ session: PlaybackSession) -> [Menu.Entry] {
        let selected = session.subtitles.encoding
        func item(_ encoding: SubtitleEncoding?) -> Menu.Entry {
            .item(
                Menu.Item(
                    id: encoding?.rawValue ?? "auto", label: encoding?.title ?? "Automatic",
                    isChecked: encoding == selected))
        }
        return [.item(Menu.Item(id: "back", label: "Encoding", effect: .goesBack)), .separator, item(nil)]
            + SubtitleEncoding.allCases.map(item)
    }

    /// Performs the action of the item with the given ID in `menu`. Returns the menu or page to show if the item does not
    /// close the menu.
    func pick(_ id: String, in menu: PlayerMenu, now: HostTime) -> PlayerMenu {
        guard let session = playback.session else { return menu }
        let words = id.split(separator: " ")
        switch (menu, words.first, words.last.flatMap { Int($0) }) {
        case (.speed, _, _): if let speed = Double(id) { transport.setSpeed(speed, now: now) }
        case (.comment, _, _): comments.pick(id, now: now)
        case (.tracks, "quality", let index): QualityMenu.pick(index, of: session.player, now: now)
        case (.tracks, "audio", let index): tracks.selectAudio(index, now: now)
        case (.tracks, "encodings", _): return .encodings
        case (.encodings, "back", _): return .tracks
        // “auto” is none of the names.
        case (.encodings, _, _):
            session.subtitles.setEncoding(SubtitleEncoding(rawValue: id), of: session.player)
        case (.tracks, "subtitles", let number): tracks.selectSubtitles(number, now: now)
        default: break
        }
        playback.stateChanged(now: now)
        return menu
    }
}
