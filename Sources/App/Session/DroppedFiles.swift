import GlissadeLibrary
import GlissadeMedia
import GlissadePlatform

/// Examines dropped files and folders on a background thread.
///
/// Main thread. `wake` is called from the background thread.
@MainActor final class DroppedFiles {
    /// The result of one drop.
    struct Drop: Sendable, Equatable {
        /// The paths and URLs of the media, in the order in which they were dropped.
        var media: [String] = []
        var subtitles: [String] = []
        /// Files of moving comments.
        var comments: [String] = []
        /// The locations that cannot be opened, with the reasons.
        var failures: [MediaArguments.Failure] = []
    }

    private let finished: Mailbox<Drop>

    init(wake: @escaping @Sendable () -> Void) { finished = Mailbox(wake: wake) }

    /// Starts examining `paths`. `take` returns the result once it is ready.
    func expand(_ paths: [String]) {
        guard !paths.isEmpty else { return }
        do throws(ThreadError) {
            _ = try NamedThread(name: "dropped files") { [finished] in finished.put(Self.examine(paths)) }
        } catch {
            let failure = MediaArguments.Failure(location: paths[0], reason: "\(error)")
            finished.put(Drop(failures: [failure]))
        }
    }

    /// Takes the oldest result; nil if there is none.
    func take() -> Drop? { finished.take() }

    nonisolated static func examine(_ paths: [String]) -> Drop {
        var drop = Drop()
        for location in paths {
            // Files may also be given as `file:` URLs.
            let path = isAddress(location) ? location : BytePath(location: location).location
            do throws(MediaArguments.Failure) {
                if MediaArguments.isSubtitles(path) {
                    drop.subtitles += try MediaArguments.expand(path)
                } else if MediaArguments.isComments(path) {
                    drop.comments += try MediaArguments.expand(path)
                } else {
                    drop.media += try MediaArguments.expandNamed(path)
                }
            } catch {
                drop.failures.append(error)
            }
        }
        return drop
    }
}
