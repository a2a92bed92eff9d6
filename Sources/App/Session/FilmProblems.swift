import GlissadeLibrary
import GlissadeMedia
import GlissadePlatform
import GlissadePlayback
import GlissadeTime

/// What goes wrong with a file while it plays, in words for the user. Each kind is told once. Main thread; problems come
/// from any thread.
@MainActor final class FilmProblems {
    private let new: Mailbox<PlaybackProblem>
    private var waiting: [String] = []
    private var told: Set<PlaybackProblem.Kind> = []

    init(wake: @escaping @Sendable () -> Void) { new = Mailbox(limit: 64, wake: wake) }

    /// Notes a problem, unless the user need not know of it: damage is seen or heard, and what decodes is in the statistics.
    nonisolated func note(_ problem: PlaybackProblem) {
        switch problem {
        case .damagedData, .noHardwareDecoding, .hardwareFailed: break
        case .endsEarly, .noSoundServer, .streamNotPlayable, .subtitlesLeftOut: new.put(problem)
        }
    }

    /// Takes the next message; nil if there is none.
    ///
    /// - Parameter isSeen: Whether there is something to see or to hear of the file. Messages wait for it.
    func takeMessage(isSeen: @autoclosure () -> Bool) -> String? {
        for problem in new.takeAll() where told.insert(problem.kind).inserted {
            waiting.append(Self.message(of: problem))
        }
        // Mostly there is none.
        return !waiting.isEmpty && isSeen() ? waiting.removeFirst() : nil
    }

    private static func message(of problem: PlaybackProblem) -> String {
        switch problem {
        case .endsEarly(let end, _):
            "The file is incomplete: it ends at \(MediaFormatter.position(.seconds(end > 0 ? min(end, 1e9) : 0)))"
        case .noSoundServer: "No sound: there is no sound server"
        default: problem.description.prefix(1).uppercased() + problem.description.dropFirst()
        }
    }
}
