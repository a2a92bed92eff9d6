import Glibc
import GlissadeFilm
import GlissadeLibrary
import GlissadeMedia
import GlissadePicture
import GlissadePlatform
import GlissadePlayback
import GlissadeTime

/// Saves video frames as PNG files in the pictures folder: uncropped, upright, with square pixels, at the video's
/// resolution.
///
/// Thread-safe. A low-priority thread decodes each frame again, encodes it as PNG and writes the file. The thread runs
/// only while there are requests.
final class ScreenshotWriter: Sendable {
    /// The result of a request.
    enum Outcome: Hashable, Sendable {
        /// The frame was saved. The value is the path of the file, formatted for display.
        case saved(String)
        /// The frame could not be saved. The value is the reason.
        case failed(String)
    }

    /// A request to save one frame.
    struct Order: Hashable, Sendable {
        /// The video's path or URL.
        var location: String
        /// The presentation time of the frame in the file.
        var time: MediaTime
        /// The position from the start of the video, for the file name.
        var position: Duration
    }

    private struct State {
        var orders: [Order] = []
        var isWorking = false
    }

    /// The maximum number of waiting requests, not counting the request being carried out.
    static let longestQueue = 16
    /// The maximum number of file names to try for one screenshot.
    private static let mostAttempts = 1000

    private let state = Monitor(State())
    private let outcomes: Mailbox<Outcome>
    private let folder: @Sendable () -> BytePath?

    /// - Parameters:
    ///   - folder: Returns the folder for the files; nil if there is none. Called on the writer's thread.
    ///   - wake: Called on the writer's thread when there is an outcome to take.
    init(
        folder: @escaping @Sendable () -> BytePath? = { PicturesFolder.path() }, wake: @escaping @Sendable () -> Void
    ) {
        self.folder = folder
        outcomes = Mailbox(wake: wake)
    }

    /// Adds a request. If `longestQueue` requests are already waiting, drops the new request and returns false.
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

    /// Returns the outcomes of the requests completed since the last call, oldest request first.
    func take() -> [Outcome] { outcomes.takeAll() }

    private func start() {
        do throws(ThreadError) {
            _ = try NamedThread(name: "screenshots") { [self] in
                // On Linux, the priority applies to this thread and to the decoder threads that it starts.
                setpriority(CInt(PRIO_PROCESS.rawValue), 0, 19)
                while let order = nextOrder() { outcomes.put(perform(order)) }
            }
        } catch {
            while nextOrder() != nil { outcomes.put(.failed("\(error)")) }
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

    // MARK: - On the writer's thread

    private func perform(_ order: Order) -> Outcome {
        // The folder comes first: without one, there is no need to decode.
        guard let folder = folder() else { return .failed("there is no home folder") }
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

    /// Creates a folder and its parent folders, except those that already exist. Returns an error message, or nil on
    /// success.
    static func makeFolder(_ path: BytePath) -> String? {
        var status = stat()
        if path.withCString({ stat($0, &status) }) == 0 {
            return status.st_mode & S_IFMT == S_IFDIR ? nil : String(cString: strerror(ENOTDIR))
        }
        let parent = path.parent
        if parent != path, let reason = makeFolder(parent) { return reason }
        if path.withCString({ mkdir($0, 0o777) }) == 0 || errno == EEXIST { return nil }
        return String(cString: strerror(errno))
    }

    /// Writes `data` to a new file under the first free name. Leaves no file behind if writing fails.
    static func write(_ data: [UInt8], as name: ScreenshotName, in folder: BytePath) -> Outcome {
        for attempt in 1...mostAttempts {
            let path = folder.appending(name.bytes(attempt: attempt))
            let file = path.withCString { open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666) }
            if file < 0 {
                if errno == EEXIST { continue }
                return .failed("\(folder.displayPath): \(String(cString: strerror(errno)))")
            }
            let reason = write(data, to: file)
            // Some file systems report a full disk only on closing.
            let isClosed = close(file) == 0
            guard let failure = reason ?? (isClosed ? nil : String(cString: strerror(errno))) else {
                return .saved(path.displayPath)
            }
            // Removes the incomplete file.
            _ = path.withCString { unlink($0) }
            return .failed("\(path.displayPath): \(failure)")
        }
        return .failed("\(folder.displayPath): too many files with this name")
    }

    /// Writes all data to an open file. Returns an error message, or nil on success.
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

extension FilmScreen {
    /// The request to save the visible frame; nil if no frame of the current file is visible.
    var pictureOrder: ScreenshotWriter.Order? {
        guard let shownTime, let info = player.info else { return nil }
        return ScreenshotWriter.Order(
            location: player.location, time: shownTime, position: max(.zero, shownTime - info.startTime))
    }
}
