import GlissadeDesktop
import GlissadeMedia
import GlissadeTime
import GlissadeWindowing

/// Connects playback to the desktop. Publishes the playback state, carries out requests from media keys and remote
/// controls (MPRIS), and keeps the screen on during a video. Main thread.
@MainActor final class DesktopController: Advancing {
    /// The connection to the desktop; nil offscreen and in an ephemeral run (`LaunchOptions.isEphemeral`).
    let session: DesktopSession?
    private let playback: PlaybackController
    private let commands: Commands
    private let transport: TransportController
    private let drops: DropController
    private let preparation: BackgroundPreparation
    /// Called to raise the main window, or to reopen it if it is closed.
    var onRaise: (@MainActor () -> Void)?
    /// Whether the published state is out of date.
    private var isStale = true
    /// When to publish the state again even if it is not out of date.
    private var nextUpdate = HostTime(nanoseconds: 0)
    private var keepsScreenOn = false

    init(
        _ session: DesktopSession?, playback: PlaybackController, commands: Commands, transport: TransportController,
        drops: DropController, preparation: BackgroundPreparation
    ) {
        self.session = session
        self.playback = playback
        self.commands = commands
        self.transport = transport
        self.drops = drops
        self.preparation = preparation
    }

    /// Marks the published state as out of date. The next `advance` publishes the state again, unless the user is
    /// scrubbing.
    func setStale() { isStale = true }

    /// Carries out the desktop's requests, and publishes the playback state if it is out of date or a second old.
    ///
    /// Before a video frame has been shown, connecting to the desktop could delay the first frame. Until then, connects
    /// only if the file has no video or playback has been stopped.
    func advance(to now: HostTime) -> Bool {
        guard let session else { return false }
        let playing = playback.session
        let hasNoVideo = playing.map { $0.player.info != nil && !$0.player.hasVideo } ?? playback.record.hasPlayed
        if preparation.firstShown != nil || hasNoVideo { session.start() }
        for command in session.takeCommands() { perform(command, now: now) }
        defer { ScreenSaver.setSuspended(keepsScreenOn && session.screenInhibition == .unavailable) }
        // One update a second is enough, because the desktop extrapolates the position.
        guard isStale || now >= nextUpdate, playback.session?.player.isScrubbing != true else { return false }
        isStale = false
        nextUpdate = now + .seconds(1)
        // A preview that started automatically in a row is not published, and does not keep the screen on.
        let state = playback.session.flatMap { $0.isWatched ? Self.state(of: $0, now: now) : nil } ?? DesktopState()
        keepsScreenOn = state.keepsScreenOn
        session.publish(state, now: now)
        return false
    }

    /// Returns the URL of the media for the desktop, in ASCII: other characters are percent-encoded. Nil for an address
    /// with credentials, or whose host cannot be told.
    static func publishedURL(of location: String) -> String? {
        guard isAddress(location) else { return FileAddress.address(of: LibraryFolder.absolute(location).bytes) }
        guard location != StandardInput.location, let host = location.firstRange(of: "://") else { return nil }
        let authority = location[host.upperBound...].prefix { !"/?#".contains($0) }
        guard !authority.isEmpty, !authority.contains("@") else { return nil }
        return location.utf8.reduce(into: "") { url, byte in
            if byte > 0x20, byte < 0x7F {
                url.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                url += byte < 16 ? "%0\(digits)" : "%\(digits)"
            }
        }
    }

    static func state(of session: PlaybackSession, now: HostTime) -> DesktopState {
        let player = session.player
        var state = DesktopState()
        switch player.state {
        case .opening, .playing, .buffering, .reconnecting: state.status = .playing
        case .paused: state.status = .paused
        case .ended, .failed: state.status = .stopped
        }
        state.location = session.location
        state.url = session.publishedURL
        state.title = session.title
        state.artist = player.info?.artist
        state.album = player.info?.album
        state.art = session.cover.found?.path.map { FileAddress.address(of: $0.bytes) }
        state.length = player.info?.duration
        state.position = player.position(at: now)
        state.rate = player.speed
        state.volume = player.isMuted ? 0 : player.volume
        state.canGoNext = session.mayHaveNext
        state.canGoPrevious = session.mayHavePrevious
        state.canSeek = player.info?.isSeekable ?? false
        state.hasVideo = player.hasVideo && player.info?.isStill != true
        return state
    }

    private func perform(_ command: DesktopCommand, now: HostTime) {
        switch command {
        case .play: commands.perform(.play, now: now)
        case .pause: commands.perform(.pause, now: now)
        case .playPause: commands.perform(.togglePause, now: now)
        case .stop: commands.perform(.stop, now: now)
        case .next: commands.perform(.next, now: now)
        case .previous: commands.perform(.previous, now: now)
        case .seek(let step): transport.seek(by: step, isExact: true, now: now)
        case .setPosition(let position): playback.session?.player.seek(to: position, now: now)
        case .setVolume(let volume): transport.setVolume(volume, now: now)
        case .setRate(let rate): transport.setSpeed(rate, now: now)
        case .raise: onRaise?()
        case .quit: commands.perform(.quit, now: now)
        case .open(let location): drops.open([location])
        }
        playback.stateChanged(now: now)
    }
}
