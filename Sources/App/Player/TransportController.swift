import GlissadeLayers
import GlissadeLibrary
import GlissadePicture
import GlissadePlayback
import GlissadeTime

/// Seeks, sets loops, and changes the speed, volume and brightness. Shows a message for most changes. Main thread.
@MainActor final class TransportController {
    static let speedRange = 0.1...8.0
    static let volumeRange = 0...1.3

    private let playback: PlaybackController
    private let pages: Pages

    init(playback: PlaybackController, pages: Pages) {
        self.playback = playback
        self.pages = pages
    }

    private var session: PlaybackSession? { playback.session }
    private var player: Player? { playback.session?.player }

    // MARK: - Position

    func seek(by step: Duration, isExact: Bool, now: HostTime) {
        guard let player else { return }
        player.seek(by: step, isExact: isExact, now: now)
        guard let info = player.info else { return }
        guard info.isSeekable else { return tell(.film, "Cannot seek in this stream", now: now) }
        pages.playerPage?.tellPosition(player.position(at: now), of: info.duration, isBack: step < .zero, now: now)
    }

    func seekToEnd(now: HostTime) {
        if let player, let length = player.info?.duration { player.seek(to: length, now: now) }
    }

    func goToChapter(by step: Int, now: HostTime) {
        guard let player else { return }
        if player.seekToChapter(by: step, now: now) {
            tell(.film, chapterTitle(at: player.position(at: now)) ?? "Chapter", now: now)
        } else if player.info?.chapters.isEmpty != false {
            tell(.film, "No chapters", now: now)
        }
    }

    /// Returns the title of the chapter at a position; nil if there is no chapter there. For a chapter without a title,
    /// returns “Chapter” and its number.
    func chapterTitle(at position: Duration) -> String? {
        guard let player, let info = player.info, let index = player.chapter(at: position) else { return nil }
        return info.chapters[index].title ?? "Chapter \(index + 1)"
    }

    // MARK: - Loops

    /// Sets the start of the A–B loop on the first call, sets its end on the second, and clears the loop on the
    /// third. Also clears the loop if the end cannot be set at the current position.
    func markLoop(now: HostTime) {
        guard let player else { return }
        let position = player.position(at: now)
        let text = MediaFormatter.position(position, of: player.info?.duration)
        guard let start = player.loopRange?.start else {
            let isSet = player.setLoopRange(from: position, now: now)
            return tell(.repeatOnce, isSet ? "A–B loop: start \(text)" : "Cannot loop here", now: now)
        }
        if player.loopRange?.end == nil, player.setLoopRange(from: start, to: position, now: now) {
            tell(.repeatOnce, "A–B loop: end \(text)", now: now)
        } else {
            player.setLoopRange(from: nil, now: now)
            tell(.repeatOnce, "A–B loop: off", now: now)
        }
    }

    func toggleFileLoop(now: HostTime) {
        guard let player else { return }
        player.isLooping.toggle()
        tell(.repeatOnce, player.isLooping ? "Loop file: on" : "Loop file: off", now: now)
    }

    // MARK: - Levels

    func setSpeed(_ speed: Double, now: HostTime) {
        guard let session, let player else { return }
        // Rounding ensures that steps up and down cancel out.
        let wanted = min(max(Self.speedRange.lowerBound, (speed * 1000).rounded() / 1000), Self.speedRange.upperBound)
        player.setSpeed(abs(wanted - 1) < 0.02 ? 1 : wanted, now: now)
        if session.speedBeforeHold == nil { session.sessionSpeed = player.speed }
        tell(.speed, PlayerControls.speedText(player.speed), now: now)
    }

    func multiplySpeed(by factor: Double, now: HostTime) {
        if let player { setSpeed(player.speed * factor, now: now) }
    }

    /// Sets the volume and unmutes the audio. Shows no message.
    func setVolume(_ volume: Double, now: HostTime) {
        guard let player else { return }
        player.volume = Self.clamped(volume)
        player.isMuted = false
        playback.stateChanged(now: now)
    }

    func changeVolume(by step: Double, now: HostTime) {
        guard let player else { return }
        if step > 0 { player.isMuted = false }
        player.volume = Self.clamped(((player.volume + step) * 1000).rounded() / 1000)
        tellVolume(now: now)
    }

    /// Sets the volume and the mute state, and shows a message with the volume.
    func setVolume(_ volume: Double, isMuted: Bool, now: HostTime) {
        guard let player else { return }
        player.isMuted = isMuted
        player.volume = Self.clamped(volume)
        tellVolume(now: now)
    }

    func toggleMute(now: HostTime) {
        guard let player else { return }
        player.isMuted.toggle()
        tellVolume(now: now)
    }

    func changeBrightness(by step: Double, now: HostTime) {
        guard let session else { return }
        setBrightness(session.film.adjustments.brightness.value + step, now: now)
    }

    func setBrightness(_ brightness: Double, now: HostTime) {
        guard let session else { return }
        session.film.adjustments.brightness = Brightness((brightness * 100).rounded() / 100)
        let level = session.film.adjustments.brightness.value
        let percent = Int((level * 100).rounded())
        pages.playerPage?.tellLevel(
            .brightness, percent > 0 ? "+\(percent) %" : "\(percent) %", level: (level + 1) / 2, now: now)
    }

    private static func clamped(_ volume: Double) -> Double {
        min(max(volumeRange.lowerBound, volume), volumeRange.upperBound)
    }

    private func tellVolume(now: HostTime) {
        guard let player else { return }
        let level = player.isMuted ? 0 : player.volume
        pages.playerPage?.tellLevel(
            player.isMuted || level == 0 ? .muted : .volume, "\(Int((level * 100).rounded())) %",
            level: level / Self.volumeRange.upperBound, now: now)
    }

    private func tell(_ icon: Icon, _ text: String, now: HostTime) { pages.playerPage?.tell(icon, text, now: now) }
}
