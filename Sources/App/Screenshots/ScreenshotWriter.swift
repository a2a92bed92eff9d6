import Glibc
import Library
import Media
import Picture
import Platform
import Playback
import Time

/// Saves the frame on show as a PNG file in the pictures folder: whole, upright, in square pixels, as the film has it.
///
/// Shared by any threads. The frame is decoded once more, encoded and written on a thread of low priority, one after the
/// other: the film that plays does not notice. The thread begins with the first order and ends with the last.
final class ScreenshotWriter: Sendable {
    /// What came of an order.
    enum Outcome: Hashable, Sendable {
        /// The path of the file, in a form that can be shown in one line.
        case saved(String)
        /// Why there is no file, in words for a person.
        case failed(String)
    }

    /// What is to be saved.
    struct Order: Hashable, Sendable {
        /// The film's path or address.
        var location: String
        /// Which frame: the one on show then, on the media's own time line.
        var time: MediaTime
        /// The same from the film's beginning, for the name.
        var position: Duration
    }

    private struct State {
        var orders: [Order] = []
        var outcomes: [Outcome] = []
        var isWorking = false
    }

    /// More orders do not wait: a key that is held down asks for thirty a second.
    static let longestQueue = 16
    /// Of pictures with one name.
    private static let mostAttempts = 1000

    private let state = Monitor(State())
    private let folder: @Sendable () -> FilePath?
    private let wake: @Sendable () -> Void

    /// - Parameters:
    ///   - folder: where pictures go, asked for each on the saver's thread; nil where there is no such place.
    ///   - wake: called on the saver's thread when an outcome can be taken.
    init(
        folder: @escaping @Sendable () -> FilePath? = { PicturesFolder.path() }, wake: @escaping @Sendable () -> Void
    ) {
        self.folder = folder
        self.wake = wake
    }

    /// Orders a picture. False where too many wait already: nothing comes of it then.
    @discardableResult func save(_ order: Order) -> Bool {
        let (isTaken, begins) = state.withLock { state in
            guard state.orders.count < Self.longestQueue else { return (false, false) }
            state.orders.append(order)
            defer { state.isWorking = true }
            return (true, !state.isWorking)
        }
        if begins { start() }
        return isTaken
    }

    /// What came of orders since the last call, in their order.
    func take() -> [Outcome] {
        state.withLock { state in
            if state.outcomes.isEmpty { return [] }
            defer { state.outcomes = [] }
            return state.outcomes
        }
    }

    private func start() {
        do throws(ThreadError) {
            _ = try Thread(name: "picture saver") { [self] in
                // In Linux, of this thread, and of those that decode for it.
                setpriority(CInt(PRIO_PROCESS.rawValue), 0, 19)
                while let order = nextOrder() {
                    let outcome = perform(order)
                    state.update { $0.outcomes.append(outcome) }
                    wake()
                }
            }
        } catch {
            while nextOrder() != nil { state.update { $0.outcomes.append(.failed("\(error)")) } }
            wake()
        }
    }

    private func nextOrder() -> Order? {
        state.withLock { state in
            if state.orders.isEmpty {
                state.isWorking = false
                return nil
            }
            return state.orders.removeFirst()
        }
    }

    // MARK: - On the saver's thread

    private func perform(_ order: Order) -> Outcome {
        // Where there is no folder, nothing need be decoded.
        guard let folder = folder() else { return .failed("there is no home folder to keep pictures in") }
        if let reason = Self.makeFolder(folder) { return .failed("\(folder.displayPath): \(reason)") }
        do throws(PlaybackError) {
            let bitmap = try decodePicture(of: order.location, at: order.time)
            let data = try Self.encode(bitmap)
            let name = ScreenshotName(location: order.location, position: order.position)
            return Self.write(data, as: name, in: folder)
        } catch {
            return .failed(error.description)
        }
    }

    private static func encode(_ bitmap: Bitmap) throws(PlaybackError) -> [UInt8] {
        do throws(ImageWriteError) {
            return try encodePNG(bitmap.pixels, size: bitmap.size, order: .bgra)
        } catch {
            throw .nothingToPlay(reason: error.description)
        }
    }

    /// Makes the folder and those above it; what hinders it, or nil.
    static func makeFolder(_ path: FilePath) -> String? {
        var status = stat()
        if path.withCString({ stat($0, &status) }) == 0 {
            return status.st_mode & S_IFMT == S_IFDIR ? nil : String(cString: strerror(ENOTDIR))
        }
        let parent = path.parent
        if parent != path, let reason = makeFolder(parent) { return reason }
        if path.withCString({ mkdir($0, 0o777) }) == 0 || errno == EEXIST { return nil }
        return String(cString: strerror(errno))
    }

    /// Writes a new file under the first name that is free.
    static func write(_ data: [UInt8], as name: ScreenshotName, in folder: FilePath) -> Outcome {
        for attempt in 1...mostAttempts {
            let path = folder.appending(name.bytes(attempt: attempt))
            let file = path.withCString { open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666) }
            if file < 0 {
                if errno == EEXIST { continue }
                return .failed("\(folder.displayPath): \(String(cString: strerror(errno)))")
            }
            let reason = write(data, to: file)
            // Some file systems tell only now that they are full.
            let isClosed = close(file) == 0
            guard let failure = reason ?? (isClosed ? nil : String(cString: strerror(errno))) else {
                return .saved(path.displayPath)
            }
            // Half a picture is none.
            _ = path.withCString { unlink($0) }
            return .failed("\(path.displayPath): \(failure)")
        }
        return .failed("\(folder.displayPath): too many pictures of the same name")
    }

    /// Writes all to an open file; what hinders it, or nil.
    static func write(_ data: [UInt8], to file: CInt) -> String? {
        var rest = data[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count < 0 {
                if errno == EINTR { continue }
                return String(cString: strerror(errno))
            }
            rest = rest.dropFirst(count)
        }
        return nil
    }
}

extension VideoPresenter {
    /// What saves the frame on show; nil while there is none, or while what is shown is another film's last.
    var pictureOrder: ScreenshotWriter.Order? {
        guard let shownTime, let info = player.info else { return nil }
        return ScreenshotWriter.Order(
            location: player.location, time: shownTime, position: max(.zero, shownTime - info.startTime))
    }
}
