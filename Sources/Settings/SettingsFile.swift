import Glibc
public import GlissadePlatform
import Synchronization
public import GlissadeTime

/// The result of reading the settings file.
public struct SettingsUpdate: Hashable, Sendable {
    /// The settings. Options that are not set in the file have their defaults.
    public var settings: Settings
    /// The mistakes in the file, in the order of their lines. If the file could not be read, a diagnostic with the
    /// reason.
    public var mistakes: [SettingsDiagnostic]

    /// Whether the file is not valid TOML. `settings` are then those of the part that could be read.
    public var hasSyntaxErrors: Bool { mistakes.contains(where: \.isSyntaxError) }
}

/// The user's settings file, which is read at startup and after each change.
///
/// The file may be a symbolic link. It may appear, disappear or be replaced at any time. If the file is missing or
/// cannot be read, all options have their defaults. A read failure is also reported as a mistake. A change that affects
/// neither the settings nor the mistakes causes no update. If the system cannot watch the folder, the file is read only
/// once.
///
/// Threads: any thread may call any method. The file is read and written on other threads. If no thread can be started,
/// `init` reads the file, and `set` fails.
public final class SettingsFile: Sendable {
    /// The usual path of the settings file: `glissade/config.toml` in `$XDG_CONFIG_HOME`, or in `~/.config` if
    /// `$XDG_CONFIG_HOME` is not an absolute path. Nil if `$HOME` is not an absolute path either.
    public static var standardPath: BytePath? { XDGDirectory.config.ofGlissade?.appending("config.toml".utf8) }

    /// The maximum size of the file, in bytes. A larger file is not read.
    public static let largestFile = 1 << 20

    private let loader: Loader
    private let watch: FolderWatch?

    /// Starts to read and watch the file. Does not block, unless no thread can be started.
    ///
    /// - Parameters:
    ///   - path: The file's path. If nil, there is a single update, which contains the defaults.
    ///   - wake: Called when `takeUpdate` has a new update to return. Called on another thread, or during `init` if
    ///     `path` is nil or no thread can be started.
    public init(
        path: BytePath? = SettingsFile.standardPath, vocabulary: SettingsVocabulary,
        wake: @escaping @Sendable () -> Void
    ) {
        let loader = Loader(path: path, vocabulary: vocabulary, wake: wake)
        self.loader = loader
        watch = path.flatMap { path in
            try? FolderWatch(path.parent, name: "settings") { isOver in if !isOver() { loader.load() } }
        }
        // Without a watch, the file is read once, on this thread.
        if watch == nil { loader.load() }
    }

    deinit { stop() }

    /// Returns the latest update; nil if it was already taken, or if the file has not been read yet.
    public func takeUpdate() -> SettingsUpdate? {
        loader.state.withLock { state in
            guard !state.isTaken else { return nil }
            state.isTaken = true
            return state.latest
        }
    }

    /// Blocks until the file has been read once. Returns false if `deadline` passes first.
    public func waitForFirst(until deadline: HostTime) -> Bool {
        loader.state.wait(until: deadline) { $0.latest == nil ? nil : true } ?? false
    }

    /// Sets an option that has a string value. Leaves the rest of the file unchanged, and creates the file if it is
    /// missing. Writes the file on another thread, without blocking. If the file is being watched, changed settings
    /// arrive as an update. Does nothing if the file's path is nil.
    ///
    /// - Parameter report: Called if the option cannot be set. Called on another thread, or during `set` if no thread
    ///   can be started.
    public func set(
        _ name: String, in section: String, to value: String,
        report: @escaping @Sendable (SettingsDiagnostic) -> Void
    ) {
        let loader = loader
        loader.changes.withLock { $0.append(Loader.Change(name: name, section: section, value: value)) }
        do throws(ThreadError) {
            _ = try NamedThread(name: "settings change") {
                if let mistake = loader.makeNextChange() { report(mistake) }
            }
        } catch {
            loader.changes.withLock { _ = $0.popLast() }
            let file = loader.path?.displayName ?? ""
            report(SettingsDiagnostic(file: file, reason: "not written: \(error)"))
        }
    }

    /// Stops watching the file, without waiting for threads. Later changes cause no update.
    public func stop() {
        watch?.stop()
        loader.stop()
    }
}

/// Reads and writes the file. The threads that use the loader retain it, so it may outlive the `SettingsFile`.
///
/// Threads: any. Reading and writing block. All state is protected by locks.
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
    /// The changes to write, oldest first. `SettingsFile.set` starts a thread for each change. Each thread writes the
    /// oldest change, so that changes are written in order.
    let changes = Mutex<[Change]>([])
    let path: BytePath?
    private let vocabulary: SettingsVocabulary
    private let wake: @Sendable () -> Void
    /// Held while reading or writing the file, so that results are published in the order of the reads.
    private let reading = Mutex(())
    /// The watch on the folder of the link's target. Nil unless the file is a symbolic link into another folder.
    private let linked = Mutex<(folder: BytePath, watch: FolderWatch)?>(nil)

    init(path: BytePath?, vocabulary: SettingsVocabulary, wake: @escaping @Sendable () -> Void) {
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

    private func watchLinked(_ folder: BytePath?) {
        linked.withLock { linked in
            // Checked inside the lock: either this method sees `isOver`, or `stop` sees the new watch.
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

    /// Writes the oldest change to the file. Returns a diagnostic on failure; otherwise nil.
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
                else { throw Failure(reason: "could not change '\(next.name)' in [\(next.section)]") }
                if new != old { try Self.replace(path, with: new) }
                return nil
            } catch {
                return SettingsDiagnostic(file: path.displayName, reason: "not written: \(error.reason)")
            }
        }
    }

    /// Atomically replaces the file or, if it is a symbolic link, its target. Keeps the permissions as far as the umask
    /// allows. Creates the folder and its parent if they are missing.
    private static func replace(_ path: BytePath, with bytes: [UInt8]) throws(Failure) {
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

    /// Returns the contents of the file; nil if there is no file. Throws if the file cannot be read, is not a regular
    /// file, or is larger than `largestFile`.
    private static func bytes(_ path: BytePath) throws(Failure) -> [UInt8]? {
        do throws(FileContents.Failure) {
            return try FileContents.read(path, atMost: SettingsFile.largestFile)
        } catch {
            if error == .missing { return nil }
            throw Failure(reason: "\(error)")
        }
    }

    private static func resolved(_ path: BytePath) -> BytePath? {
        guard let found = path.withCString({ realpath($0, nil) }) else { return nil }
        defer { free(found) }
        return BytePath(
            bytes: UnsafeBufferPointer(start: found, count: strlen(found)).map { UInt8(bitPattern: $0) })
    }

    /// Returns the folder of a symbolic link's target if that folder is not the link's own. Otherwise returns nil, as
    /// for a plain file or a broken link.
    private static func linkedFolder(_ path: BytePath) -> BytePath? {
        guard let target = resolved(path)?.parent, let own = resolved(path.parent), target != own else { return nil }
        return target
    }
}
