import Glibc
package import GlissadePlatform
import Synchronization
package import GlissadeTime

/// The result of reading the settings file.
package struct SettingsUpdate: Hashable, Sendable {
    /// The settings. Options that are not set in the file have their defaults.
    package var settings: Settings
    /// The mistakes in the file, in the order of their lines. If the file could not be read, a diagnostic with the
    /// reason.
    package var mistakes: [SettingsDiagnostic]

    /// Whether the file is not valid TOML. `settings` are then those of the part that could be read.
    package var hasSyntaxErrors: Bool { mistakes.contains(where: \.isSyntaxError) }
}

/// The user's settings file, which is read at startup and after each change.
///
/// The file may be a symbolic link. It may appear, disappear or be replaced at any time. If the file is missing or
/// cannot be read, all options have their defaults. A read failure is also reported as a mistake. A change that affects
/// neither the settings nor the mistakes causes no update. If the system cannot watch the folder, the file is read only
/// once.
///
/// The file is the user's: the program never writes it. What the program remembers by itself is in the state folder.
///
/// Threads: any thread may call any method. The file is read on other threads. If no thread can be started, `init`
/// reads the file.
package final class SettingsFile: Sendable {
    /// The usual path of the settings file: `glissade/config.toml` in `$XDG_CONFIG_HOME`, or in `~/.config` if
    /// `$XDG_CONFIG_HOME` is not an absolute path. Nil if `$HOME` is not an absolute path either.
    package static var standardPath: BytePath? { XDGDirectory.config.ofGlissade?.appending("config.toml".utf8) }

    /// The maximum size of the file, in bytes. A larger file is not read.
    package static let largestFile = 1 << 20

    private let loader: Loader
    private let watch: FolderWatch?

    /// Starts to read and watch the file. Does not block, unless no thread can be started.
    ///
    /// - Parameters:
    ///   - path: The file's path. If nil, there is a single update, which contains the defaults.
    ///   - wake: Called when `takeUpdate` has a new update to return. Called on another thread, or during `init` if
    ///     `path` is nil or no thread can be started.
    package init(
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
    package func takeUpdate() -> SettingsUpdate? {
        loader.state.withLock { state in
            guard !state.isTaken else { return nil }
            state.isTaken = true
            return state.latest
        }
    }

    /// Blocks until the file has been read once. Returns false if `deadline` passes first.
    package func waitForFirst(until deadline: HostTime) -> Bool {
        loader.state.wait(until: deadline) { $0.latest == nil ? nil : true } ?? false
    }

    /// Stops watching the file, without waiting for threads. Later changes cause no update.
    package func stop() {
        watch?.stop()
        loader.stop()
    }
}

/// Reads the file. The threads that use the loader retain it, so it may outlive the `SettingsFile`.
///
/// Threads: any. Reading blocks. All state is protected by locks.
private final class Loader: Sendable {
    struct State {
        var latest: SettingsUpdate?
        var isTaken = true
        var isOver = false
    }

    let state = Monitor(State())
    private let path: BytePath?
    private let vocabulary: SettingsVocabulary
    private let wake: @Sendable () -> Void
    /// Held while reading the file, so that results are published in the order of the reads.
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
