import GlissadeMutators

/// A function that processes untrusted bytes. It must not trap, crash, hang, or use unlimited memory. It may check
/// its results for errors.
package struct FuzzTarget: Sendable {
    package enum Input: Sendable {
        /// A container file. Its structure is mutated if the format is known.
        case media
        /// A container file followed by a script of user actions (see `PlayScript`).
        case script
        /// Text or a small binary format.
        case bytes
    }

    package let name: String
    /// A description in one line.
    package let summary: String
    package let input: Input
    /// The folder with the initial seeds, in the output of `Scripts/fuzzing/seeds`.
    package let seeds: String
    /// The maximum length of an input, in bytes. Longer inputs find nothing new.
    package let longest: Int
    package let run: @MainActor @Sendable ([UInt8]) -> Void

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

    package static let all: [FuzzTarget] = [
        FuzzTarget("open", "media: properties and thumbnails", .media, seeds: "media", longest: 1 << 17) {
            MediaTargets.open($0)
        },
        FuzzTarget("play", "the player: media, and a user's actions", .script, seeds: "media", longest: 1 << 17) {
            PlayTarget.play($0)
        },
        FuzzTarget(
            "head", "the head of an MP4 file, for a fast start", .media, seeds: "mp4", longest: 1 << 16
        ) {
            MediaTargets.head($0)
        },
        FuzzTarget("times", "times of packets, frames, samples and clocks", seeds: "times", longest: 1024) {
            TimesTarget.run($0)
        },
        FuzzTarget("avc", "an H.264 decoder configuration", seeds: "avc", longest: 512) {
            MediaTargets.configuration($0)
        },
        FuzzTarget("subtitle-file", "a subtitle file, read and rendered", seeds: "subtitles", longest: 1 << 15) {
            SubtitleTargets.file($0)
        },
        FuzzTarget("subtitle-packet", "packets of a subtitle stream", seeds: "packets", longest: 1 << 14) {
            SubtitleTargets.packets($0)
        },
        FuzzTarget("subtitle-text", "text of unknown encoding, with tags", seeds: "subtitles", longest: 1 << 12) {
            SubtitleTargets.text($0)
        },
        FuzzTarget("settings", "a settings file, read and edited", seeds: "settings") { FileTargets.settings($0) },
        FuzzTarget("floating", "the positions of floating windows", seeds: "floating", longest: 4096) {
            FileTargets.floating($0)
        },
        FuzzTarget("history", "the play history", seeds: "history", longest: 1 << 16) {
            FileTargets.history($0)
        },
        FuzzTarget("poster", "a poster in the cache", seeds: "posters", longest: 1 << 15) { FileTargets.poster($0) },
        FuzzTarget("address", "names, paths and URLs", seeds: "addresses", longest: 2048) {
            TextTargets.address($0)
        },
        FuzzTarget("drop", "files and URLs dropped on a window", seeds: "addresses", longest: 2048) {
            TextTargets.drop($0)
        },
        FuzzTarget("command", "names of keys and commands", seeds: "commands", longest: 256) {
            TextTargets.command($0)
        },
        FuzzTarget("manifest", "a DASH manifest, translated into playlists", seeds: "manifests", longest: 1 << 14) {
            TextTargets.manifest($0)
        },
        FuzzTarget("playlist", "an HLS playlist, rewritten", seeds: "playlists", longest: 1 << 12) {
            TextTargets.playlist($0)
        },
        FuzzTarget("bus", "calls from the session bus", seeds: "bus", longest: 1024) { BusTarget.call($0) },
    ]

    package static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }
}

/// Ends the run if an invariant is violated, so that libFuzzer saves the input.
func check(_ isRight: Bool, _ claim: @autoclosure () -> String) {
    guard isRight else { fatalError("violated: \(claim())") }
}
