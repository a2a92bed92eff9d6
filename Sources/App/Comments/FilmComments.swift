import Danmaku
import DanmakuFiles
import Geometry
import Library
import Media
import Platform

/// The moving comments of a video: reads their file, and places them for the size at which the video is shown.
///
/// Main thread. Files are read and comments are placed on background threads.
@MainActor final class FilmComments {
    /// The result of reading a file.
    struct Loaded: Sendable {
        var file: String
        var result: Result<CommentFile, CommentFile.Failure>
    }

    private struct Placement: Sendable {
        var layout: CommentLayout
        /// The value of `generation` when the comments were placed.
        var generation: Int
    }

    /// The comments in the order of the file; empty if there are none.
    private(set) var comments: [MovingComment] = []
    /// The settings by which comments are chosen and placed.
    var style = CommentStyle() { didSet { if style != oldValue { generation += 1 } } }
    private let loaded: Mailbox<Loaded>
    private let placements: Mailbox<Placement>
    /// Whether the search for a file beside the video has begun.
    private var hasLooked = false
    /// A number that changes when the comments must be placed again.
    private var generation = 0
    private var placement: Placement?
    private var isPlacing = false
    private var hiddenIndices: Set<Int> = []
    private var hiddenUsers: Set<String> = []

    /// - Parameter wake: Wakes the frame loop. Called from any thread.
    init(wake: @escaping @Sendable () -> Void) {
        loaded = Mailbox(wake: wake)
        placements = Mailbox(wake: wake)
    }

    /// Reads a file in the background. Its comments replace the current ones.
    ///
    /// - Parameter file: The file's path or `file:` URL.
    func open(_ file: String) {
        hasLooked = true
        Thread.detach(name: "comments") { [loaded] in
            let path = FilePath(location: file)
            do throws(CommentFile.Failure) {
                loaded.put(Loaded(file: file, result: .success(try CommentFile(path))))
            } catch {
                loaded.put(Loaded(file: file, result: .failure(error)))
            }
        }
    }

    /// Looks for a file of comments beside the video, unless a file has already been opened. Files without comments are
    /// ignored.
    func look(beside location: String) {
        guard !hasLooked else { return }
        hasLooked = true
        guard !isAddress(location) else { return }
        let paths = CommentFile.paths(beside: LibraryFolder.absolute(location))
        Thread.detach(name: "comments") { [loaded] in
            for path in paths {
                guard let file = try? CommentFile(path), !file.comments.isEmpty else { continue }
                return loaded.put(Loaded(file: path.location, result: .success(file)))
            }
        }
    }

    /// Takes the result of reading a file, and shows the file's comments from now on; nil if there is no new result.
    func takeLoaded() -> Loaded? {
        guard let loaded = loaded.take() else { return nil }
        if case .success(let file) = loaded.result {
            comments = file.comments
            placement = nil
            hiddenIndices = []
            hiddenUsers = []
            generation += 1
        }
        return loaded
    }

    /// Returns the comments placed for a video of `size`, in points; nil while they are being placed, and if there are
    /// none.
    func layout(for size: Size) -> CommentLayout? {
        while let new = placements.take() {
            isPlacing = false
            placement = new
        }
        guard !comments.isEmpty, !size.isEmpty else { return nil }
        if let placement, placement.generation == generation, placement.layout.picture == size {
            return placement.layout
        }
        place(size)
        // A change of style or a hidden comment takes effect a moment later, without a flash.
        return placement.flatMap { $0.layout.picture == size ? $0.layout : nil }
    }

    private func place(_ size: Size) {
        guard !isPlacing else { return }
        var style = style
        style.hiddenUsers.formUnion(hiddenUsers)
        isPlacing = Thread.detach(name: "comments") {
            [comments, hiddenIndices, style, generation, placements] in
            let layout = CommentLayout(comments, hidden: hiddenIndices, picture: size, style: style)
            placements.put(Placement(layout: layout, generation: generation))
        }
    }

    /// Hides one comment, by its index, until another video plays.
    func hide(_ index: Int) {
        hiddenIndices.insert(index)
        generation += 1
    }

    /// Hides all comments by one user until another video plays.
    func hide(user: String) {
        hiddenUsers.insert(user)
        generation += 1
    }
}
