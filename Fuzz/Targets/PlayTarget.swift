import GlissadeGeometry
import GlissadeMedia
import GlissadePicture
import GlissadePlatform
import GlissadeTime

@testable import GlissadePlayback
@testable import GlissadeSubtitles

/// Plays media as a window does, while a script performs any user action at any time.
@MainActor enum PlayTarget {
    private static let scriptLength = PlayScript.length
    private static let stepLimit = 400
    /// How long a step waits for a frame, since decoding may be slow.
    private static let timeout = Duration.milliseconds(25)
    /// The time limit for an input. Needed because audio plays in real time.
    private static let longest = Duration.milliseconds(600)

    static func play(_ bytes: [UInt8]) {
        silenceFFmpeg()
        let media = bytes.count > 2 * scriptLength ? Array(bytes.dropLast(scriptLength)) : bytes
        var script = bytes.suffix(scriptLength)[...]
        InputFile.shared.write(media)

        let mode = script.popFirst() ?? 0
        var options = PlayerOptions()
        options.isUntimed = mode & 3 == 0
        // Plays audio in only a quarter of the runs, because it takes real time.
        options.audio = mode & 3 == 3 ? .silent : .none
        options.isPaused = mode & 4 != 0
        options.isLooping = mode & 8 != 0
        if mode & 16 != 0 { options.start = length(script.first ?? 0) }
        options.subtitleTrack = mode & 32 != 0 ? Int(mode >> 6) + 1 : nil
        if mode & 64 != 0 { options.pictures.convertedSize = PixelSize(width: 96, height: 54) }
        let threads = Threads.count
        run(options, opensFirst: mode & 128 == 0, retires: mode & 1 != 0, script)
        // Waits for the player's threads, so that their crashes, hangs and memory use are counted too.
        Threads.wait(until: threads)
    }

    private static func run(
        _ options: PlayerOptions, opensFirst: Bool, retires: Bool, _ script: ArraySlice<UInt8>
    ) {
        var script = script
        var play = Play(options: options)
        let deadline = HostTime.now() + longest
        if opensFirst { play.open(until: deadline) }
        for _ in 0..<stepLimit where !play.hasEnded && HostTime.now() < deadline {
            guard play.step(until: .now() + timeout) else { continue }
            guard let command = script.popFirst() else { break }
            play.command(command, script.first ?? 0)
        }
        if retires { play.player.retire() }
    }

    /// Returns a position or distance for a byte: zero, some seconds, negative, or far beyond any film.
    fileprivate static func length(_ byte: UInt8) -> Duration {
        switch byte & 7 {
        case 0: .zero
        case 1: .seconds(1 << 33)
        case 2: .nanoseconds(Int64.max)
        case 3: .nanoseconds(Int64.min)
        case 4: .milliseconds(Int(byte)) * -1
        default: .milliseconds(Int(byte) * 8)
        }
    }
}

/// A player with a minimal frame loop.
@MainActor private struct Play {
    let player: Player
    private let subtitles: Subtitles
    private let signal = WakeSignal()
    /// The time for the player. Without audio, it advances as fast as frames are decoded.
    private var now: HostTime
    private let isVirtual: Bool
    private var shown = 0

    init(options: PlayerOptions) {
        let signal = signal
        isVirtual = options.audio == .none
        now = .now()
        subtitles = Subtitles(wake: { signal.raise() })
        subtitles.prepare(size: PixelSize(width: 160, height: 90), frameRate: 24)
        player = Player(
            location: InputFile.shared.path, options: options, wake: { signal.raise() }, report: { _ = "\($0)" })
        player.attach(subtitles)
    }

    func open(until deadline: HostTime) { player.waitUntilOpened(until: deadline) }

    var hasEnded: Bool {
        if case .failed = player.state { true } else { false }
    }

    /// Runs the loop once. Returns whether to perform the next command: a frame was shown, none came by `deadline`,
    /// or playback is paused or has ended.
    mutating func step(until deadline: HostTime) -> Bool {
        if !isVirtual { now = .now() }
        player.advance(to: now)
        if let frame = player.takeFrame(visibleAt: now) {
            player.feed.didShowFrame()
            shown += 1
            query(at: frame.presentationTime)
            return true
        }
        let (due, wake) = (player.nextFrameDue, player.nextWake(now: now))
        if isVirtual, let due {
            now = max(now, due)
            return false
        }
        let began = HostTime.now()
        signal.wait(until: min(wake.map { began + max(.microseconds(100), $0 - now) } ?? deadline, deadline))
        if isVirtual { now = now + (.now() - began) }
        return HostTime.now() >= deadline || player.state == .ended || player.state == .paused
    }

    /// Makes the queries that controls and pages make for each frame.
    private func query(at time: MediaTime) {
        _ = player.statistics(at: now)
        _ = player.bufferedRanges(at: now)
        let position = player.position(at: now)
        check(position >= .zero, "a position is not before the start")
        _ = player.chapter(at: position)
        _ = subtitles.update(at: time)
        if shown % 4 == 0 { _ = subtitles.lines(around: time) }
        subtitles.mediaStart = player.info?.startTime ?? .zero
    }

    /// Performs the action selected by `command`, with `amount` as its argument.
    mutating func command(_ command: UInt8, _ amount: UInt8) {
        let distance = PlayTarget.length(amount)
        switch command % 20 {
        case 0: player.seek(to: distance, now: now)
        case 1: player.seek(to: distance, mode: .fast, now: now)
        case 2: player.seek(by: distance, now: now)
        case 3: player.seek(by: .milliseconds(Int(amount) - 128), isExact: true, now: now)
        case 4: player.stepFrame(forward: true, now: now)
        case 5: player.stepFrame(forward: false, now: now)
        case 6: player.togglePause(now: now)
        case 7: player.setSpeed(Double(amount) / 32, now: now)
        case 8: _ = player.selectAudioTrack(amount & 128 != 0 ? nil : Int(amount & 15), now: now)
        case 9: _ = player.selectSubtitleTrack(amount & 128 != 0 ? nil : Int(amount & 15))
        case 10: _ = player.seekToChapter(by: Int(Int8(bitPattern: amount)), now: now)
        case 11: _ = player.beginScrub(now: now)
        case 12: _ = player.scrub(to: distance, now: now)
        case 13: _ = player.endScrub(to: amount & 1 != 0 ? distance : nil, now: now)
        case 14: _ = player.setLoopRange(from: distance, to: amount & 16 != 0 ? distance + .seconds(1) : nil, now: now)
        case 15: player.isLooping.toggle()
        case 16: now = now + .milliseconds(Int(amount) * 4)
        case 17: _ = player.refresh(now: now)
        case 18:
            let side = 1 + Int(amount)
            player.setFrameFormat(FrameFormat(convertedSize: PixelSize(width: side, height: max(1, side / 2))))
        default: player.volume = Double(amount) / 100
        }
    }
}
