import Mutators

/// Something that takes bytes from outside, to be given any. It must neither trap nor crash, hang, or take memory without
/// bound; where more can be said of what it makes of them, the body checks that.
public struct FuzzTarget: Sendable {
    public enum Input: Sendable {
        /// A file of a container: changed by what it is built of where that is known.
        case media
        /// The same, and what is done with it in the last bytes (`PlayScript`).
        case script
        /// The bytes of a text or of a small binary form.
        case bytes
    }

    public let name: String
    /// What it is given to, in a line.
    public let summary: String
    public let input: Input
    /// The folder of seeds that it begins with, in what `Scripts/fuzzing/seeds` makes.
    public let seeds: String
    /// The longest input that says anything new.
    public let longest: Int
    public let run: @MainActor @Sendable ([UInt8]) -> Void

    init(
        _ name: String, _ summary: String, _ input: Input = .bytes, seeds: String, longest: Int = 1 << 14,
        run: @escaping @MainActor @Sendable ([UInt8]) -> Void
    ) {
        self.name = name
        self.summary = summary
        self.input = input
        self.seeds = seeds
        self.longest = longest
        self.run = run
    }

    public static let all: [FuzzTarget] = [
        FuzzTarget("open", "media: what is in it, and pictures out of it", .media, seeds: "media", longest: 1 << 17) {
            MediaTargets.open($0)
        },
        FuzzTarget("play", "the player: media, and commands of a user's", .script, seeds: "media", longest: 1 << 17) {
            PlayTarget.play($0)
        },
        FuzzTarget(
            "head", "the head of an MP4 file, by which it is played at once", .media, seeds: "mp4", longest: 1 << 16
        ) {
            MediaTargets.head($0)
        },
        FuzzTarget("times", "times of packets, frames, samples and clocks", seeds: "times", longest: 1024) {
            TimesTarget.run($0)
        },
        FuzzTarget("avc", "a configuration of H.264", seeds: "avc", longest: 512) { MediaTargets.configuration($0) },
        FuzzTarget("subtitle-file", "a file of subtitles, read and set", seeds: "subtitles", longest: 1 << 15) {
            SubtitleTargets.file($0)
        },
        FuzzTarget("subtitle-packet", "packets of a subtitle stream", seeds: "packets", longest: 1 << 14) {
            SubtitleTargets.packets($0)
        },
        FuzzTarget("subtitle-text", "text of unknown encoding, with tags", seeds: "subtitles", longest: 1 << 12) {
            SubtitleTargets.text($0)
        },
        FuzzTarget("settings", "a settings file, read and edited", seeds: "settings") { FileTargets.settings($0) },
        FuzzTarget("floating", "where floating windows were", seeds: "floating", longest: 4096) {
            FileTargets.floating($0)
        },
        FuzzTarget("history", "the database of what was played", seeds: "history", longest: 1 << 16) {
            FileTargets.history($0)
        },
        FuzzTarget("poster", "a poster in the cache", seeds: "posters", longest: 1 << 15) { FileTargets.poster($0) },
        FuzzTarget("address", "names, paths and addresses", seeds: "addresses", longest: 2048) {
            TextTargets.address($0)
        },
        FuzzTarget("drop", "what is dropped on a window", seeds: "addresses", longest: 2048) { TextTargets.drop($0) },
        FuzzTarget("command", "keys and commands by their names", seeds: "commands", longest: 256) {
            TextTargets.command($0)
        },
        FuzzTarget("bus", "calls from the session bus", seeds: "bus", longest: 1024) { BusTarget.call($0) },
    ]

    public static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }
}

/// That something holds which has to; else the run ends here, and what led to it is kept.
func check(_ isRight: Bool, _ claim: @autoclosure () -> String) {
    guard isRight else { fatalError("not so: \(claim())") }
}
