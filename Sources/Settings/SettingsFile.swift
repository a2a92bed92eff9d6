import Glibc
public import Platform
import Synchronization
public import Time

/// What the settings file says now. A value; any thread.
public struct SettingsUpdate: Hashable, Sendable {
    public var settings: Settings
    /// What in the file is not used, in its order.
    public var mistakes: [SettingsDiagnostic]
}

/// A person's settings, read on a thread of their own at once and again whenever their file has changed.
///
/// Shared by any threads. The file may come, go (then the defaults hold), be a link, and be replaced as editors do; what is
/// read is the same as before often enough, and is no news then. Without a file there is nothing wrong, and a file that
/// cannot be read is one mistake more.
public final class SettingsFile: Sendable {
    /// `$XDG_CONFIG_HOME/glissade/config.toml`, or that in `~/.config`; nil where there is no home.
    public static var standardPath: FilePath? { XDGDirectory.config.ofGlissade?.appending("config.toml".utf8) }

    /// A file that is larger is not read.
    public static let largestFile = 1 << 20

    private let loader: Loader
    private let watch: FolderWatch?

    /// - Parameters:
    ///   - path: nil gives the defaults, at once.
    ///   - wake: called on another thread when there is something to take that was not there before.
    public init(
        path: FilePath? = SettingsFile.standardPath, vocabulary: SettingsVocabulary,
        wake: @escaping @Sendable () -> Void
    ) {
        let loader = Loader(path: path, vocabulary: vocabulary, wake: wake)
        self.loader = loader
        watch = path.flatMap { path in
            try? FolderWatch(path.parent, name: "settings") { isOver in if !isOver() { loader.load() } }
        }
        // Without a thread it is read here, once.
        if watch == nil { loader.load() }
    }

    deinit { stop() }

    /// What has changed since the last call; nil where nothing has. The first news are what was found at the start.
    public func takeNews() -> SettingsUpdate? {
        loader.news.withLock { news in
            guard !news.isTaken else { return nil }
            news.isTaken = true
            return news.latest
        }
    }

    /// Sleeps until the file was read for the first time; whether it was by then. It is small, so that a program may wait
    /// for it before it opens its window, but disks can sleep.
    public func waitForFirst(until deadline: HostTime) -> Bool {
        loader.news.wait(until: deadline) { $0.latest == nil ? nil : true } ?? false
    }

    /// Writes into the file that an option is something else now, on another thread; the rest of it stays as it is. What
    /// was written is heard of as any other change.
    ///
    /// - Parameter report: called on that thread where it was not written; on this one where no thread can be started.
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

    /// Ends the watch without waiting for its thread. There are no more news.
    public func stop() {
        watch?.stop()
        loader.stop()
    }
}

/// What the file's threads share.
private final class Loader: Sendable {
    struct News {
        var latest: SettingsUpdate?
        var isTaken = true
        var isOver = false
    }

    struct Change {
        var name: String
        var section: String
        var value: String
    }

    let news = Monitor(News())
    /// Those that are still to be written. Each has a thread, and whichever comes first writes the first.
    let changes = Mutex<[Change]>([])
    let path: FilePath?
    private let vocabulary: SettingsVocabulary
    private let wake: @Sendable () -> Void
    /// Held while the file is read, so that what is read last is told last.
    private let reading = Mutex(())
    /// Where the file is a link, notices come from where it leads: that folder is watched as well.
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
            return news.update { news in
                if news.isOver || news.latest == read { return false }
                news.latest = read
                defer { news.isTaken = false }
                return news.isTaken
            }
        }
        if isNew { wake() }
    }

    func stop() {
        news.update { $0.isOver = true }
        linked.withLock { linked in
            linked?.watch.stop()
            linked = nil
        }
    }

    private func watchLinked(_ folder: FilePath?) {
        linked.withLock { linked in
            // Asked here: either the end is seen, or this watch is by the end.
            if folder == linked?.folder || news.withLock({ $0.isOver }) { return }
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

    /// Writes the first change into the file; why not, where it could not.
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

    /// Puts a file of `bytes` in the place of another, or of the file that a link leads to, so that none is ever half.
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

    /// What is in the file; nil where there is none.
    private static func bytes(_ path: FilePath) throws(Failure) -> [UInt8]? {
        // A pipe in its place is not waited for.
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
        if count > limit || status.st_size > limit { throw Failure(reason: "larger than 1 MiB, and not read") }
        bytes.removeLast(bytes.count - count)
        return bytes
    }

    private static func resolved(_ path: FilePath) -> FilePath? {
        guard let found = path.withCString({ realpath($0, nil) }) else { return nil }
        defer { free(found) }
        return FilePath(
            bytes: UnsafeBufferPointer(start: found, count: strlen(found)).map { UInt8(bitPattern: $0) })
    }

    /// The folder of what a link leads to; nil where the file is none, or leads nowhere.
    private static func linkedFolder(_ path: FilePath) -> FilePath? {
        guard let target = resolved(path)?.parent, let own = resolved(path.parent), target != own else { return nil }
        return target
    }
}
