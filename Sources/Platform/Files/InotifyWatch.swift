import Glibc
import Time

/// The system's notices (inotify(7)) of what changes in a folder. On the watch's thread alone.
final class InotifyWatch {
    private let folder: FilePath
    /// -1 where the system has no watches left: nothing is ever noticed then.
    private let queue: CInt
    private var place = Place.none

    /// What is watched at the moment.
    private enum Place {
        case folder(CInt)
        /// A folder above it, while it is missing.
        case above(CInt)
        case none

        var watch: CInt? {
            switch self {
            case .folder(let watch), .above(let watch): watch
            case .none: nil
            }
        }
    }

    private static let ofFolder =
        IN_CREATE | IN_CLOSE_WRITE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF
    private static let ofFolderAbove = IN_CREATE | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF

    init(_ folder: FilePath) {
        self.folder = folder
        queue = inotify_init1(CInt(O_NONBLOCK) | CInt(O_CLOEXEC))
        settle()
    }

    deinit { if queue >= 0 { close(queue) } }

    /// Sleeps until something has changed and no more has for a while; false once the other end of `ear` is closed.
    func waitForChange(endedBy ear: CInt) -> Bool {
        var first: HostTime?
        var due: HostTime?
        while true {
            var descriptors = [
                pollfd(fd: ear, events: 0, revents: 0), pollfd(fd: queue, events: Int16(POLLIN), revents: 0),
            ]
            let wait = due.map { max(0, ($0 - .now()).inMilliseconds.rounded(.up)) } ?? -1
            let count = poll(&descriptors, 2, CInt(wait))
            if descriptors[0].revents != 0 || (count < 0 && errno != EINTR) { return false }
            let now = HostTime.now()
            if descriptors[1].revents != 0, read() {
                let began = first ?? now
                first = began
                due = min(now + FolderWatch.quietTime, began + FolderWatch.longestWait)
            }
            if let due, now >= due { return true }
        }
    }

    /// Watches the folder or, where it is missing, the nearest one above it.
    private func settle() {
        guard queue >= 0 else { return }
        if let watch = place.watch { inotify_rm_watch(queue, watch) }
        place = .none
        if let watch = add(folder, Self.ofFolder) {
            place = .folder(watch)
            return
        }
        var above = folder
        repeat {
            let next = above.parent
            if next == above { return }
            above = next
            if let watch = add(above, Self.ofFolderAbove) { place = .above(watch) }
        } while place.watch == nil && above != FilePath(".")
        // It may have come back before the folder above was watched for it.
        if let watch = add(folder, Self.ofFolder) {
            if let watch = place.watch { inotify_rm_watch(queue, watch) }
            place = .folder(watch)
        }
    }

    private func add(_ path: FilePath, _ mask: CInt) -> CInt? {
        let watch = path.withCString { inotify_add_watch(queue, $0, UInt32(mask | IN_ONLYDIR)) }
        return watch >= 0 ? watch : nil
    }

    /// Takes in all notices that have come; whether any tells of a change in the folder.
    private func read() -> Bool {
        var hasChanged = false
        var mustSettle = false
        let capacity = 16_384
        withUnsafeTemporaryAllocation(byteCount: capacity, alignment: MemoryLayout<inotify_event>.alignment) { buffer in
            while true {
                let count = Glibc.read(queue, buffer.baseAddress, capacity)
                if count <= 0 { return }
                var offset = 0
                while offset + MemoryLayout<inotify_event>.size <= count {
                    let event = buffer.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
                    let name = offset + MemoryLayout<inotify_event>.size
                    offset = name + Int(event.len)
                    let isHidden = event.len > 0 && buffer[name] == UInt8(ascii: ".")
                    note(event, isHidden: isHidden, &hasChanged, &mustSettle)
                }
            }
        }
        if mustSettle {
            settle()
            if case .folder = place { hasChanged = true }
        }
        return hasChanged
    }

    private func note(_ event: inotify_event, isHidden: Bool, _ hasChanged: inout Bool, _ mustSettle: inout Bool) {
        let mask = CInt(bitPattern: event.mask)
        // Notices were lost: anything may have changed.
        if mask & IN_Q_OVERFLOW != 0 {
            hasChanged = true
            return
        }
        // What is left of a watch that was given up.
        guard event.wd == place.watch else { return }
        let isLost = mask & (IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED | IN_UNMOUNT) != 0
        switch place {
        case .folder:
            mustSettle = mustSettle || isLost
            hasChanged = hasChanged || isLost || !isHidden
        case .above: mustSettle = true
        case .none: break
        }
    }
}
