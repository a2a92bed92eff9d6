import GlissadeGeometry
import GlissadePicture
import GlissadePlatform
import Synchronization
import GlissadeTestSupport
import Testing
import GlissadeTime

@testable import GlissadeMedia
@testable import GlissadePlayback

/// What a test keeps of a frame that was shown.
struct Shown: Equatable {
    /// The number written into the picture.
    var number: Int
    var time: MediaTime
    var duration: Duration
    var format: PixelFormat
    var codedSize: PixelSize
    var geometry: PixelGeometry
    /// Differs each time: frames are compared without it.
    var cost: DecodingCost

    static func == (left: Shown, right: Shown) -> Bool {
        left.number == right.number && left.time == right.time && left.duration == right.duration
            && left.format == right.format && left.codedSize == right.codedSize && left.geometry == right.geometry
    }

    init(_ frame: borrowing VideoFrame) {
        number = frame.withPicture { NumberedFrames.number(in: $0) }
        time = frame.presentationTime
        duration = frame.duration
        format = frame.format
        codedSize = frame.codedSize
        geometry = frame.geometry
        cost = frame.cost
    }
}

extension NumberedFrames {
    /// The number that a frame carries.
    static func number(in picture: PixelView) -> Int {
        let format = picture.format
        let plane = picture[plane: 0]
        let row = plane.base + format.size.height / 2 * plane.stride
        return (0..<8).reduce(0) { number, bit in
            let column = (2 * bit + 1) * format.size.width / 16
            let sample: Int
            if format.bitDepth > 8 {
                let word = Int(row.load(fromByteOffset: column * 2, as: UInt16.self))
                sample = word >> (format.isHighAligned ? 8 : format.bitDepth - 8)
            } else {
                sample = Int(row.load(fromByteOffset: column * format.texelBytes(0), as: UInt8.self))
            }
            return sample > 128 ? number | 1 << bit : number
        }
    }
}

/// A player without a window, driven as the frame loop drives it.
///
/// It runs on the monotonic clock or, without audio, on a clock of its own that jumps to the next frame: a film then takes no
/// longer than its decoding.
@MainActor final class PlaybackHarness {
    let player: Player
    private(set) var shown: [Shown] = []
    private let signal: WakeSignal
    private let problemList: Problems
    private var virtualNow: HostTime?
    /// Since when the film has waited for its decoder; nil if it does not.
    private var waitingSince: HostTime?

    /// The longest that anything may take.
    static let timeout = Duration.seconds(60)

    private final class Problems: Sendable {
        let list = Mutex<[PlaybackProblem]>([])
    }

    init(
        _ location: String, options: PlayerOptions = PlayerOptions(), audio: PlayerOptions.Audio = .none,
        access: HardwareAccess = .ffmpeg
    ) {
        silenceFFmpeg()
        let signal = WakeSignal()
        let problems = Problems()
        var options = options
        options.audio = audio
        self.signal = signal
        problemList = problems
        virtualNow = audio == .none ? .now() : nil
        player = Player(
            location: location, options: options, access: access, wake: { signal.raise() },
            report: { problem in problems.list.withLock { $0.append(problem) } })
    }

    var now: HostTime { virtualNow ?? .now() }
    var problems: [PlaybackProblem] { problemList.list.withLock { $0 } }
    var numbers: [Int] { shown.map(\.number) }
    var last: Shown? { shown.last }

    var hasEnded: Bool {
        switch player.state {
        case .ended, .failed: true
        default: false
        }
    }

    /// Opens the media; nil where that fails.
    @discardableResult func open() -> MediaInfo? {
        player.waitUntilOpened(until: .now() + Self.timeout)
        player.advance(to: now)
        return player.info
    }

    /// Runs until `isDone`; false where that takes too long.
    @discardableResult func run(until isDone: () -> Bool) -> Bool {
        let deadline = HostTime.now() + Self.timeout
        while HostTime.now() < deadline {
            player.advance(to: now)
            if let frame = player.takeFrame(visibleAt: now) {
                shown.append(Shown(frame))
                waitingSince = nil
                if isDone() { return true }
                continue
            }
            if isDone() { return true }
            let due = player.nextFrameDue
            let wake = player.nextWake(now: now)
            if let current = virtualNow {
                if let due {
                    virtualNow = max(current, due)
                    waitingSince = nil
                } else {
                    // The player's threads need real time for what they have yet to do: it passes here, too.
                    let began = HostTime.now()
                    let limit = awaitsDecoder ? began + Self.longestDecoding * 1.1 : deadline
                    signal.wait(
                        until: min(wake.map { began + max(.microseconds(100), $0 - current) } ?? limit, limit))
                    // Not while a running film waits for its decoder: on a busy machine, frames would be dropped.
                    let since = awaitsDecoder ? waitingSince ?? began : nil
                    waitingSince = since
                    if since.map({ .now() - $0 > Self.longestDecoding }) ?? true {
                        virtualNow = current + (.now() - began)
                    }
                }
            } else {
                signal.wait(until: min([due, wake].compactMap { $0 }.min() ?? deadline, deadline))
            }
        }
        return false
    }

    private var awaitsDecoder: Bool {
        let head = player.pipeline.frames.head()
        return player.isRunning && head.first == nil && !head.hasEnded
    }

    /// The longest that one frame may take to be decoded.
    private static let longestDecoding = Duration.seconds(2)

    /// Runs to the end of the media; false where it does not come.
    @discardableResult func runToEnd() -> Bool { run { hasEnded } }

    /// Runs until another frame is shown, and returns it.
    @discardableResult func nextFrame() -> Shown? {
        let count = shown.count
        return run { shown.count > count } ? shown.last : nil
    }

    /// Seeks, and returns the frame that is shown for it.
    @discardableResult func seek(to position: Duration, mode: SeekMode = .exact) -> Shown? {
        player.seek(to: position, mode: mode, now: now)
        return nextFrame()
    }

    /// Waits, without taking frames, until the player has come to `condition`; false where that takes too long.
    func wait(until condition: (Player) -> Bool) -> Bool {
        eventually(within: Self.timeout) { condition(player) }
    }

    /// Pauses after the first frame.
    func pauseAtStart() {
        player.pause(now: now)
        nextFrame()
        run { player.state == .paused }
    }

    func forget() { shown.removeAll() }
}

extension PlayerOptions {
    static var paused: PlayerOptions {
        var options = PlayerOptions()
        options.isPaused = true
        return options
    }
}

// A failed expectation looks into what it was about, which is not for things that cannot be copied.
extension PlaybackHarness: CustomReflectable {
    nonisolated var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension Player: CustomReflectable {
    nonisolated var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension PlaybackHarness {
    /// Seeks to the last three seconds of the stream that `StreamVariants` makes, and expects all of them.
    func expectEnding(sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(seek(to: .milliseconds(37_030))?.number == 925 & 255, sourceLocation: sourceLocation)
        let count = shown.count
        #expect(runToEnd(), sourceLocation: sourceLocation)
        #expect(player.state == .ended, sourceLocation: sourceLocation)
        #expect(last?.number == 999 & 255, sourceLocation: sourceLocation)
        #expect(isContinuous(from: count), sourceLocation: sourceLocation)
        #expect(problems.isEmpty, sourceLocation: sourceLocation)
    }
}
