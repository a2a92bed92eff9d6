import GlissadeMedia
import GlissadeTime

/// Reads the metadata of media files, one file at a time, on a background thread.
///
/// Files are opened under the same restrictions as in the player. The time for each file is limited, so that neither a
/// damaged file nor a slow disk delays the other files for long.
///
/// Threads: any thread. All library pages share one probe.
package final class MediaProbe: Sendable {
    typealias Answer = Result<MediaSummary, Refusal>

    /// The reason why a file cannot be summarized.
    struct Refusal: Error, Hashable {
        var words: String

        static let tookTooLong = Refusal(words: "timed out")
    }

    struct Job: Sendable {
        var entry: LibraryItem
        /// Receives the result, on a background thread.
        var answer: @Sendable (Answer) -> Void
    }

    let queue: JobQueue<Job>

    /// Creates a probe. Its thread starts with the first job.
    ///
    /// - Parameter budget: The CPU time that opening a file may take; see `TimeBudget`.
    package init(budget: Duration = .seconds(5)) {
        let slow = SlowFiles()
        queue = JobQueue(
            name: "library probe", limits: JobLimits(budget: budget),
            giveUp: { job in
                slow.insert(job.entry)
                job.answer(.failure(.tookTooLong))
            },
            comeBack: { slow.remove($0.entry) },
            perform: { job, budget in
                let answer = slow.contains(job.entry) ? .failure(.tookTooLong) : Self.probe(job.entry.path, budget)
                if !budget.isUnwanted { job.answer(answer) }
            })
    }

    static func probe(_ path: BytePath, _ budget: TimeBudget) -> Answer {
        do throws(OpenedFile.Reason) {
            let file = try OpenedFile(path)
            do throws(PlaybackError) {
                let info = try MediaInfo(opening: file.location, fileName: path.displayName) { budget.isSpent }
                guard info.videoTrack != nil || info.audioTrack != nil else {
                    return .failure(Refusal(words: "no video or audio"))
                }
                return .success(MediaSummary(info))
            } catch {
                return .failure(budget.hasRunOut ? .tookTooLong : Refusal(words: "\(error)"))
            }
        } catch {
            return .failure(Refusal(words: error.words))
        }
    }
}
