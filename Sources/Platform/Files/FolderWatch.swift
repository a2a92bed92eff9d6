import CSystem
import Glibc
import Synchronization
import Time

/// Looks at a folder on a thread of its own, at once and again whenever something in it has changed.
///
/// Shared by any threads. The folder may go and come back: while it is missing, the nearest folder above it is watched for
/// its return. That a folder above it is renamed is not noticed. Where the system has no watches left, the first look
/// remains the only one.
///
/// Threads: any thread may hold it. `look` runs on the watch's own thread, which ends after the last reference is
/// gone.
public final class FolderWatch: Sendable {
    /// Changes seldom come alone: a look waits until none has come for so long…
    static let quietTime = Duration.milliseconds(200)
    /// …but no longer than this since the first.
    static let longestWait = Duration.seconds(1)

    /// Shared with the thread, which does not keep the watch itself.
    private final class Ending: Sendable { let isOver = Atomic<Bool>(false) }

    private let ending = Ending()
    /// The end of a pipe that is closed to wake the thread; -1 where the system has none left.
    private let bell: CInt

    /// - Parameters:
    ///   - name: the thread's.
    ///   - look: called on the watch's thread, first when the watch is in place, so that no change is missed between the
    ///     first look and the second. What it is given answers whether the watch has been ended meanwhile.
    /// - Throws: where the system refuses the thread. Nothing is looked at then.
    public init(
        _ folder: FilePath, name: String, look: @escaping @Sendable (_ isOver: () -> Bool) -> Void
    ) throws(ThreadError) {
        var ends: [CInt] = [-1, -1]
        // Closed in a program that another thread starts meanwhile, which would keep the thread from hearing of the end.
        if glissade_pipe(&ends) != 0 { ends = [-1, -1] }
        bell = ends[1]
        let ear = ends[0]
        do throws(ThreadError) {
            _ = try Thread(name: name) { [ending] in
                // Nobody waits for it: a look at a sleeping disk would hold up a thread that does.
                let isOver = { ending.isOver.load(ordering: .relaxed) }
                let notices = InotifyWatch(folder)
                look(isOver)
                guard ear >= 0 else { return }
                while !isOver(), notices.waitForChange(endedBy: ear) { look(isOver) }
                close(ear)
            }
        } catch {
            stop()
            if ear >= 0 { close(ear) }
            throw error
        }
    }

    deinit { stop() }

    /// Ends the watch without waiting for its thread: a look that is under way may still come to its end.
    public func stop() {
        if ending.isOver.exchange(true, ordering: .relaxed) { return }
        if bell >= 0 { close(bell) }
    }
}
