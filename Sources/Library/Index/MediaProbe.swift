import Media
import Time

/// Opens media to see what is in them, one after the other on a thread of its own.
///
/// Shared by any threads, and by all pages. Files are opened with the player's precautions, and each is given up after a
/// while: neither a damaged file nor a slow disk holds up those behind it for longer.
public final class MediaProbe: Sendable {
    typealias Answer = Result<MediaSummary, Refusal>

    /// Why a file shows nothing of itself, in words.
    struct Refusal: Error, Hashable {
        var words: String

        static let tookTooLong = Refusal(words: "it took too long to open")
    }

    struct Job: Sendable {
        var entry: LibraryItem
        /// Called on a thread of the probe's.
        var answer: @Sendable (Answer) -> Void
    }

    let worker: JobQueue<Job>

    /// - Parameter allowance: how much of the processor opening a file may take; see `TimeBudget`.
    public init(allowance: Duration = .seconds(5)) {
        let slow = SlowFiles()
        worker = JobQueue(
            name: "library probe", allowance: allowance,
            giveUp: { job in
                slow.insert(job.entry)
                job.answer(.failure(.tookTooLong))
            },
            comeBack: { slow.remove($0.entry) },
            perform: { job, allowance in
                let answer = slow.contains(job.entry) ? .failure(.tookTooLong) : Self.probe(job.entry.path, allowance)
                if !allowance.isUnwanted { job.answer(answer) }
            })
    }

    static func probe(_ path: FilePath, _ allowance: TimeBudget) -> Answer {
        do throws(OpenedFile.Reason) {
            let file = try OpenedFile(path)
            do throws(PlaybackError) {
                let info = try MediaInfo(opening: file.location, fileName: path.displayName) { allowance.isSpent }
                guard info.videoTrack != nil || info.audioTrack != nil else {
                    return .failure(Refusal(words: "no video or sound in it"))
                }
                return .success(MediaSummary(info))
            } catch {
                return .failure(allowance.hasRunOut ? .tookTooLong : Refusal(words: "\(error)"))
            }
        } catch {
            return .failure(Refusal(words: error.words))
        }
    }
}
