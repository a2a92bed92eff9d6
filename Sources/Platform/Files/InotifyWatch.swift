import Glibc
import GlissadeTime

/// Lets a thread wait for changes in a folder, by means of inotify(7). Used only on the thread of a `FolderWatch`.
final class InotifyWatch {
    private let folder: BytePath
    /// The inotify descriptor; -1 if the system has none left. Without a descriptor, no change is ever reported.
    private let descriptor: CInt
    private var watched = Watched.none

    /// The folder that is being watched, with inotify's watch descriptor.
    private enum Watched {
        case folder(CInt)
        /// The folder is missing, so its nearest existing parent is being watched.
        case parent(CInt)
        case none

        var watch: CInt? {
            switch self {
            case .folder(let watch), .parent(let watch): watch
            case .none: nil
            }
        }
    }

    private static let ofFolder =
        IN_CREATE | IN_CLOSE_WRITE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF
    private static let ofParent = IN_CREATE | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF

    init(_ folder: BytePath) {
        self.folder = folder
        descriptor = inotify_init1(CInt(O_NONBLOCK) | CInt(O_CLOEXEC))
        watchNearest()
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Sleeps until something changes, and then until nothing has changed for `FolderWatch.quietTime`. Returns no later
    /// than `FolderWatch.longestWait` after the first change.
    ///
    /// - Parameter stopPipe: The read end of a pipe. Closing the write end ends the wait.
    /// - Returns: True after a change; false if the write end was closed, or if waiting failed.
    func waitForChange(untilClosed stopPipe: CInt) -> Bool {
        var first: HostTime?
        var due: HostTime?
        while true {
            var descriptors = [
                pollfd(fd: stopPipe, events: 0, revents: 0), pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
            ]
            let wait = due.map { max(0, ($0 - .now()).inMilliseconds.rounded(.up)) } ?? -1
            let count = poll(&descriptors, 2, CInt(wait))
            if descriptors[0].revents != 0 || (count < 0 && errno != EINTR) { return false }
            let now = HostTime.now()
            if descriptors[1].revents != 0, read() {
                let start = first ?? now
                first = start
                due = min(now + FolderWatch.quietTime, start + FolderWatch.longestWait)
            }
            if let due, now >= due { return true }
        }
    }

    /// Watches the folder. If it is missing, watches its nearest existing parent.
    private func watchNearest() {
        guard descriptor >= 0 else { return }
        if let watch = watched.watch { inotify_rm_watch(descriptor, watch) }
        watched = .none
        if let watch = add(folder, Self.ofFolder) {
            watched = .folder(watch)
            return
        }
        var parent = folder
        repeat {
            let next = parent.parent
            if next == parent { return }
            parent = next
            if let watch = add(parent, Self.ofParent) { watched = .parent(watch) }
        } while watched.watch == nil && parent != BytePath(".")
        // The folder may have been created before its parent was watched.
        if let watch = add(folder, Self.ofFolder) {
            if let watch = watched.watch { inotify_rm_watch(descriptor, watch) }
            watched = .folder(watch)
        }
    }

    private func add(_ path: BytePath, _ mask: CInt) -> CInt? {
        let watch = path.withCString { inotify_add_watch(descriptor, $0, UInt32(mask | IN_ONLYDIR)) }
        return watch >= 0 ? watch : nil
    }

    /// Reads all pending inotify events and returns whether the folder may have changed.
    private func read() -> Bool {
        var hasChanged = false
        var mustRewatch = false
        let capacity = 16_384
        withUnsafeTemporaryAllocation(byteCount: capacity, alignment: MemoryLayout<inotify_event>.alignment) { buffer in
            while true {
                let count = Glibc.read(descriptor, buffer.baseAddress, capacity)
                if count <= 0 { return }
                var offset = 0
                while offset + MemoryLayout<inotify_event>.size <= count {
                    let event = buffer.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
                    let name = offset + MemoryLayout<inotify_event>.size
                    offset = name + Int(event.len)
                    let isHidden = event.len > 0 && buffer[name] == UInt8(ascii: ".")
                    handle(event, isHidden: isHidden, &hasChanged, &mustRewatch)
                }
            }
        }
        if mustRewatch {
            watchNearest()
            if case .folder = watched { hasChanged = true }
        }
        return hasChanged
    }

    private func handle(_ event: inotify_event, isHidden: Bool, _ hasChanged: inout Bool, _ mustRewatch: inout Bool) {
        let mask = CInt(bitPattern: event.mask)
        // The queue overflowed and events were lost: anything may have changed.
        if mask & IN_Q_OVERFLOW != 0 {
            hasChanged = true
            return
        }
        // Ignores pending events of a watch that has been removed.
        guard event.wd == watched.watch else { return }
        let isLost = mask & (IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED | IN_UNMOUNT) != 0
        switch watched {
        case .folder:
            mustRewatch = mustRewatch || isLost
            hasChanged = hasChanged || isLost || !isHidden
        case .parent: mustRewatch = true
        case .none: break
        }
    }
}
