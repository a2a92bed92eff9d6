import GlissadeCSystem
import Glibc
import Synchronization
import GlissadeTime

/// Scans a folder on a separate thread, once at the start and again whenever something in the folder changes. Ignores
/// changes to items whose names start with a dot.
///
/// If the folder is missing, its nearest existing parent is watched until the folder appears. While the folder exists,
/// the renaming of a parent is not noticed. If the system has no inotify instances, watches or file descriptors left,
/// the folder is scanned only once.
///
/// Threads: any thread.
package final class FolderWatch: Sendable {
    /// How long the folder must stay unchanged before it is scanned again. Changes tend to come in bursts.
    static let quietTime = Duration.milliseconds(200)
    /// The longest delay between the first change of a burst and the scan.
    static let longestWait = Duration.seconds(1)

    /// A flag that tells the thread to stop. The thread retains the flag, but not the `FolderWatch`.
    private final class StopFlag: Sendable { let isOver = Atomic<Bool>(false) }

    private let stopFlag = StopFlag()
    /// The write end of a pipe; -1 if the pipe could not be created. Closing it wakes the thread.
    private let writeEnd: CInt

    /// Starts the watch on a new thread.
    ///
    /// - Parameters:
    ///   - name: The thread's name.
    ///   - scan: Scans the folder. Called on the watch's thread, the first time after the watch has been set up, so
    ///     that no change is missed. A long scan should end early once `isOver` returns true, which it does after
    ///     `stop`.
    /// - Throws: `ThreadError` if the thread cannot be created. The folder is then never scanned.
    package init(
        _ folder: BytePath, name: String, scan: @escaping @Sendable (_ isOver: () -> Bool) -> Void
    ) throws(ThreadError) {
        var ends: [CInt] = [-1, -1]
        // The pipe is closed in child processes. A child that inherited the write end would keep the pipe open, and
        // the thread would not notice when it is closed here.
        if glissade_pipe(&ends) != 0 { ends = [-1, -1] }
        writeEnd = ends[1]
        let readEnd = ends[0]
        do throws(ThreadError) {
            _ = try NamedThread(name: name) { [stopFlag] in
                // The thread is never joined: a scan that waits for a sleeping disk would block the joining thread.
                let isOver = { stopFlag.isOver.load(ordering: .relaxed) }
                let changes = InotifyWatch(folder)
                scan(isOver)
                guard readEnd >= 0 else { return }
                while !isOver(), changes.waitForChange(untilClosed: readEnd) { scan(isOver) }
                close(readEnd)
            }
        } catch {
            stop()
            if readEnd >= 0 { close(readEnd) }
            throw error
        }
    }

    deinit { stop() }

    /// Stops the watch without waiting for its thread. A scan in progress may still run to its end.
    package func stop() {
        if stopFlag.isOver.exchange(true, ordering: .relaxed) { return }
        if writeEnd >= 0 { close(writeEnd) }
    }
}
