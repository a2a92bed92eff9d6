import Glibc
public import Platform
import Synchronization
public import Time

/// The result of reading the settings file. A value; any thread.
public struct SettingsUpdate: Hashable, Sendable {
    /// The settings, with defaults for options that the file does not set.
    public var settings: Settings
    /// Lines and options that were ignored, in the order of the file.
    public var mistakes: [SettingsDiagnostic]
}

/// The user's settings file: reads it at the start, and again whenever it changes.
///
/// The file may appear, disappear, be a symbolic link, or be replaced, as editors do. A missing file gives the defaults; an
/// unreadable one gives the defaults and a mistake. A change that leaves the settings the same is not reported.
///
/// Threads: any thread may call any method. The file is read and written on separate threads.
public final class SettingsFile: Sendable {
    /// `$XDG_CONFIG_HOME/glissade/config.toml`, else in `~/.config`; nil if there is no home.
    public static var standardPath: FilePath? { XDGDirectory.config.ofGlissade?.appending("config.toml".utf8) }

    /// The size limit of the file, in bytes. A larger file is not read.
    public static let largestFile = 1 << 20

    private let loader: Loader
    private let watch: FolderWatch?

    /// Starts to read and watch the file. Does not block, unless the thread cannot be started.
    ///
    /// - Parameters:
    ///   - path: Nil gives the defaults immediately.
    ///   - wake: Called on another thread when `takeUpdate` has an update.
    public init(
        path: FilePath? = SettingsFile.standardPath, vocabulary: SettingsVocabulary,
        wake: @escaping @Sendable () -> Void
    ) {
        let loader = Loader(path: path, vocabulary: vocabulary, wake: wake)
        self.loader = loader
        watch = path.flatMap { path in
            try? FolderWatch(path.parent, name: "settings") { isOver in if !isOver() { loader.load() } }
        }
        // Without a watch, reads the file once, on this thread.
        if watch == nil { loader.load() }
    }

    deinit { stop() }

    /// Returns the latest update; nil if there is none since the last call. The first update is the initial state.
    public func takeUpdate() -> SettingsUpdate? {
        loader.state.withLock { state in
            guard !state.isTaken else { return nil }
            state.isTaken = true
            return state.latest
        }
    }

    /// Blocks until the file has been read once, and returns whether that was before the deadline.
    ///
    /// Reading takes little time unless the disk has to spin up, so the program waits for it before opening its window.
    public func waitForFirst(until deadline: HostTime) -> Bool {
        loader.state.wait(until: deadline) { $0.latest == nil ? nil : true } ?? false
    }

    /// Sets an option in the file and keeps the rest of it. Does not block; the result arrives like any other change.
    ///
    /// - Parameter report: Called on failure, on another thread, or on this one if none can be started.
    public func set(
        _ name: String, in section: String, to value: String,
        report: @escaping @Sendable (SettingsDiagnostic) -> Void
    ) {
        let loader = loader
        loader.changes.withLock { $0.append(Loader.Change(name: name, section: section, value: value)) }
        do throws(ThreadError) {
            _ = try Thread(name: "settings change") { if let mistake = loader.makeNextChange() { report(mistake) } }
        } catch {
            loader.changes.withLock { _ = $0.popLast() }
            let file = loader.path?.displayName ?? ""
            report(SettingsDiagnostic(file: file, reason: "not written: \(error)"))
        }
    }

    /// Stops watching without waiting for the thread. No update follows.
    public func stop() {
        watch?.stop()
        loader.stop()
    }
}

/// Reads and writes the file. Outlives the `SettingsFile` while a thread still uses it.
///
/// Threads: shared by the watch's thread, the thread of a link's target, and those of changes. All state is behind
/// locks.
private final class Loader: Sendable {
    struct State {
        var latest: SettingsUpdate?
        var isTaken = true
        var isOver = false
    }

    struct Change {
        var name: String
        var section: String
        var value: String
    }

    let state = Monitor(State())
    /// Changes to write. Each has a thread, and each thread writes the oldest change, so that the order is kept.
    let changes = Mutex<[Change]>([])
    let path: FilePath?
    private let vocabulary: SettingsVocabulary
    private let wake: @Sendable () -> Void
    /// Held while the file is read or written, so that the last result published is the last one read.
    private let reading = Mutex(())
    /// The watch on the folder of a symbolic link's target.
    private let linked = Mutex<(folder: FilePath, watch: FolderWatch)?>(nil)

    init(path: FilePath?, vocabulary: SettingsVocabulary, wake: @escaping @Sendable () -> Void) {
        self.path = path
        self.vocabulary = vocabulary
        self.wake = wake
    }

    func load() {
        let isNew = reading.withLock { _ in
            watchLinked(path.flatMap(Self.linkedFolder))
            let read = read()
            return state.update { state in
                if state.isOver || state.latest == read { return false }
                state.latest = read
                defer { state.isTaken = false }
                return state.isTaken
            }
        }
        if isNew { wake() }
    }

    func stop() {
        state.update { $0.isOver = true }
        linked.withLock { linked in
            linked?.watch.stop()
            linked = nil
        }
    }

    private func watchLinked(_ folder: FilePath?) {
        linked.withLock { linked in
            // Inside the lock: either this sees `isOver`, or `stop` sees the new watch.
            if folder == linked?.folder || state.withLock({ $0.isOver }) { return }
            linked?.watch.stop()
            linked = folder.flatMap { folder in
                let watch = try? FolderWatch(folder, name: "settings") { [self] isOver in if !isOver() { load() } }
                return watch.map { (folder, $0) }
            }
        }
    }

    private func read() -> SettingsUpdate {
        guard let path else { return SettingsUpdate(settings: Settings(), mistakes: []) }
        let file = path.displayName
        do {
            guard let bytes = try Self.bytes(path) else { return SettingsUpdate(settings: Settings(), mistakes: []) }
            let (settings, mistakes) = SettingsReader.read(bytes, file: file, vocabulary: vocabulary)
            return SettingsUpdate(settings: settings, mistakes: mistakes)
        } catch {
            return SettingsUpdate(
                settings: Settings(), mistakes: [SettingsDiagnostic(file: file, reason: error.reason)])
        }
    }

    private struct Failure: Error { var reason: String }

    /// Writes the oldest change to the file, and returns the mistake if that fails.
    func makeNextChange() -> SettingsDiagnostic? {
        guard let path else { return nil }
        return reading.withLock { _ -> SettingsDiagnostic? in
            let next = changes.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            guard let next else { return nil }
            do throws(Failure) {
                let old = try Self.bytes(path) ?? []
                guard
                    let new = SettingsEdit.setting(
                        next.name, in: next.section, to: next.value, of: old, vocabulary: vocabulary)
                else { throw Failure(reason: "'\(next.name)' of [\(next.section)] could not be changed") }
                if new != old { try Self.replace(path, with: new) }
                return nil
            } catch {
                return SettingsDiagnostic(file: path.displayName, reason: "not written: \(error.reason)")
            }
        }
    }

    /// Atomically replaces the file, or the target of a symbolic link, and keeps its permissions.
    private static func replace(_ path: FilePath, with bytes: [UInt8]) throws(Failure) {
        let target = resolved(path) ?? path
        _ = target.parent.parent.withCString { mkdir($0, 0o700) }
        _ = target.parent.withCString { mkdir($0, 0o700) }
        let draft = target.parent.appending(".config-\(getpid()).part".utf8)
        var status = stat()
        let mode = target.withCString { stat($0, &status) } == 0 ? status.st_mode & 0o777 : 0o644
        let descriptor = draft.withCString { open($0, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, mode) }
        guard descriptor >= 0 else { throw Failure(reason: systemError()) }
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress! + written, $0.count - written) }
            if count <= 0 { break }
            written += count
        }
        let isWhole = written == bytes.count && fsync(descriptor) == 0
        let reason = systemError()
        close(descriptor)
        if isWhole, draft.withCString({ from in target.withCString { rename(from, $0) } }) == 0 { return }
        let failure = Failure(reason: isWhole ? systemError() : reason)
        _ = draft.withCString { unlink($0) }
        throw failure
    }

    /// Returns the contents of the file; nil if there is none.
    private static func bytes(_ path: FilePath) throws(Failure) -> [UInt8]? {
        // O_NONBLOCK: opening a FIFO would wait for a writer.
        let descriptor = path.withCString { open($0, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC) }
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw Failure(reason: systemError())
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Failure(reason: systemError()) }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw Failure(reason: "is a folder")
        default: throw Failure(reason: "not a file")
        }
        let limit = SettingsFile.largestFile
        var bytes = [UInt8](repeating: 0, count: min(Int(status.st_size), limit) + 1)
        var count = 0
        while count < bytes.count {
            let got = bytes.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress! + count, $0.count - count) }
            if got < 0 { throw Failure(reason: systemError()) }
            if got == 0 { break }
            count += got
        }
        if count > limit || status.st_size > limit { throw Failure(reason: "larger than 1 MiB") }
        bytes.removeLast(bytes.count - count)
        return bytes
    }

    private static func resolved(_ path: FilePath) -> FilePath? {
        guard let found = path.withCString({ realpath($0, nil) }) else { return nil }
        defer { free(found) }
        return FilePath(
            bytes: UnsafeBufferPointer(start: found, count: strlen(found)).map { UInt8(bitPattern: $0) })
    }

    /// Returns the folder of a symbolic link's target if it is a different folder; nil for a plain file or a broken
    /// link.
    private static func linkedFolder(_ path: FilePath) -> FilePath? {
        guard let target = resolved(path)?.parent, let own = resolved(path.parent), target != own else { return nil }
        return target
    }
}
