import GlissadeLayers
import GlissadeLibrary
import GlissadeMedia
import GlissadePlatform
import GlissadeTime

/// Selects audio tracks and subtitles, and shows messages about them. Main thread.
@MainActor final class TrackController {
    private let playback: PlaybackController
    private let pages: Pages
    private let console: Console

    init(playback: PlaybackController, pages: Pages, console: Console) {
        self.playback = playback
        self.pages = pages
        self.console = console
    }

    /// Selects the audio track that the user has chosen. Shows no message.
    ///
    /// - Parameter index: The track's index in the file; nil turns audio off.
    func selectAudio(_ index: Int?, now: HostTime) {
        playback.session?.isAudioChosen = true
        playback.session?.player.selectAudioTrack(index, now: now)
    }

    func cycleAudio(now: HostTime) {
        guard let player = playback.session?.player else { return }
        let tracks = player.audioTracks
        guard tracks.count > 1 || player.selectedAudioTrack == nil && !tracks.isEmpty else {
            return tell(.volume, tracks.isEmpty ? "No audio" : "Only one audio track", now: now)
        }
        let current = tracks.firstIndex { $0.index == player.selectedAudioTrack } ?? -1
        let next = (current + 1) % tracks.count
        selectAudio(tracks[next].index, now: now)
        tell(.volume, TrackName.text(tracks[next], number: next + 1), now: now)
    }

    /// Selects the subtitles that the user has chosen. Shows no message.
    ///
    /// - Parameter choice: An index into `SubtitleChoices.choices`; nil turns subtitles off.
    func selectSubtitles(_ choice: Int?, now: HostTime) {
        guard let session = playback.session else { return }
        session.subtitles.select(choice, of: session.player, now: now)
    }

    /// Selects the next or previous subtitles. “Off” comes after the last choice and before the first.
    func cycleSubtitles(forward: Bool, now: HostTime) {
        guard let subtitles = playback.session?.subtitles else { return }
        let count = subtitles.choices.count
        guard count > 0 else { return tell(.tracks, "No subtitles", now: now) }
        // The index `count` stands for “off”.
        let current = subtitles.selected ?? count
        let next = (current + (forward ? 1 : count)) % (count + 1)
        selectSubtitles(next == count ? nil : next, now: now)
        tellSubtitles(now: now)
    }

    func toggleSubtitles(now: HostTime) {
        guard let session = playback.session else { return }
        session.subtitles.toggle(of: session.player, now: now)
        tellSubtitles(now: now)
    }

    func delaySubtitles(by step: Duration, now: HostTime) {
        guard let subtitles = playback.session?.subtitles else { return }
        subtitles.delay = subtitles.delay + step
        let milliseconds = subtitles.delay.nanoseconds / 1_000_000
        tell(.tracks, "Subtitle delay: \(milliseconds > 0 ? "+" : "")\(milliseconds) ms", now: now)
    }

    /// Adds a subtitle file to the choices and selects it.
    func addSubtitles(_ file: String, now: HostTime) {
        guard let session = playback.session else {
            return console.error("\(ShownLocation.text(file)): nothing is playing")
        }
        session.subtitles.open(file, of: session.player, now: now)
        tell(.tracks, BytePath(location: file).displayName, now: now)
    }

    private func tellSubtitles(now: HostTime) {
        guard let subtitles = playback.session?.subtitles else { return }
        let name = subtitles.selected.map { subtitles.choices[$0].name }
        tell(.tracks, name ?? (subtitles.choices.isEmpty ? "No subtitles" : "Subtitles off"), now: now)
    }

    private func tell(_ icon: Icon, _ text: String, now: HostTime) { pages.playerPage?.tell(icon, text, now: now) }
}
