import CSystem
import Glibc
import Synchronization
import Time

/// Scans a folder on its own thread: once at the start, and again whenever something in the folder changes.
///
/// Threads: any thread. The folder may disappear and come back: while it is missing, its nearest existing parent is
/// watched. Renaming a parent goes unnoticed. If the system has no watches left, only the first scan happens.
public final class FolderWatch: Sendable {
    /// How long a scan waits after the last change, since changes tend to come in bursts.
    static let quietTime = Duration.milliseconds(200)
    /// The longest wait for a scan after the first change of a burst.
    static let longestWait = Duration.seconds(1)

    /// Tells the thread to stop. Shared with the thread, which does not retain the `FolderWatch`.
    private final class StopFlag: Sendable { let isOver = Atomic<Bool>(false) }

    private let stopFlag = StopFlag()
    /// The write end of a pipe. Closing it wakes the thread; -1 if the pipe could not be created.
    private let writeEnd: CInt

    /// - Parameters:
    ///   - name: The thread's name.
    ///   - scan: Called on the watch's thread. The first call comes after the watch is set up, so that no change is
    ///     missed between the first scan and the second. `isOver` tells a long scan whether `stop` was called.
    /// - Throws: If the thread cannot be created. The folder is not scanned then.
    public init(
        _ folder: FilePath, name: String, scan: @escaping @Sendable (_ isOver: () -> Bool) -> Void
    ) throws(ThreadError) {
        var ends: [CInt] = [-1, -1]
        // Close-on-exec: if a child process inherited the write end, the thread would not notice when it is closed
        // here.
        if glissade_pipe(&ends) != 0 { ends = [-1, -1] }
        writeEnd = ends[1]
        let readEnd = ends[0]
        do throws(ThreadError) {
            _ = try Thread(name: name) { [stopFlag] in
                // Never joined: a scan of a sleeping disk would block the joining thread.
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

    /// Ends the watch without waiting for its thread: a scan in progress may still finish.
    public func stop() {
        if stopFlag.isOver.exchange(true, ordering: .relaxed) { return }
        if writeEnd >= 0 { close(writeEnd) }
    }
}
