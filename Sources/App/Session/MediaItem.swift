import GlissadeMedia
import GlissadePlayback

/// A player with its subtitles, comments, cover art and problems. Main thread.
@MainActor struct MediaItem {
    let player: Player
    let subtitles: SubtitleChoices
    let comments: FilmComments
    let cover: CoverArt
    let problems: FilmProblems

    /// Opens `location` in the background.
    ///
    /// - Parameters:
    ///   - history: The history in which the file is looked up; nil if the history is off.
    ///   - wake: Wakes the frame loop. Called from any thread.
    init(
        _ location: String, options: PlayerOptions, console: Console, history: PlayHistory?,
        wake: @escaping @Sendable () -> Void
    ) {
        history?.lookUp(location)
        let problems = FilmProblems(wake: wake)
        self.problems = problems
        let report: @Sendable (PlaybackProblem) -> Void = {
            console.report($0, of: location)
            problems.note($0)
        }
        subtitles = SubtitleChoices(wake: wake, report: report)
        comments = FilmComments(wake: wake)
        cover = CoverArt(wake: wake)
        player = Player(location: location, options: options, wake: wake, report: report)
        player.attach(subtitles.subtitles)
    }
}
