import GlissadeDanmaku
import GlissadeDanmakuFiles
import GlissadeGeometry
import GlissadeLibrary
import GlissadeMedia
import GlissadePlatform

/// The moving comments of a video: reads their file, and places them for the size at which the video is shown.
///
/// Main thread. Files are read and comments are placed on background threads.
@MainActor final class FilmComments {
    /// The result of reading a file.
    struct Loaded: Sendable {
        var file: String
        var result: Result<CommentFile, CommentFile.Failure>
        /// The number of the request. The results of earlier requests are ignored.
        fileprivate var request: Int
    }

    /// Comments with their places over a video. A value.
    struct Placement: Sendable {
        /// The comments that `layout` refers to.
        let comments: [MovingComment]
        let layout: CommentLayout
        /// The value of `generation` when the comments were placed.
        fileprivate let generation: Int
        /// The value of `lastRequest` when the comments were placed.
        fileprivate let request: Int

        /// Whether the comments come from the same file as those of `other`.
        func isOfSameFile(as other: Placement) -> Bool { request == other.request }
    }

    /// The comments in the order of the file; empty if there are none.
    private(set) var comments: [MovingComment] = []
    /// The settings by which comments are chosen and placed.
    var style = CommentStyle() { didSet { if style != oldValue { generation += 1 } } }
    private let loaded: Mailbox<Loaded>
    private let placements: Mailbox<Placement>
    /// The number of the last request to read a file.
    private var lastRequest = 0
    /// Whether a file has been opened, or `look` has been called. From then on, `look` does nothing.
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
        lastRequest += 1
        NamedThread.detach(name: "comments") { [loaded, request = lastRequest] in
            let path = BytePath(location: file)
            do throws(CommentFile.Failure) {
                let read = try CommentFile(path)
                loaded.put(Loaded(file: file, result: .success(read), request: request))
            } catch {
                loaded.put(Loaded(file: file, result: .failure(error), request: request))
            }
        }
    }

    /// Looks for a file of comments beside the video, unless a file has already been opened. Files without comments are
    /// ignored.
    func look(beside location: String) {
        guard !hasLooked else { return }
        hasLooked = true
        guard !isAddress(location) else { return }
        lastRequest += 1
        let paths = CommentFile.paths(beside: LibraryFolder.absolute(location))
        NamedThread.detach(name: "comments") { [loaded, request = lastRequest] in
            for path in paths {
                guard let file = try? CommentFile(path), !file.comments.isEmpty else { continue }
                return loaded.put(Loaded(file: path.location, result: .success(file), request: request))
            }
        }
    }

    /// Takes the result of the last request to read a file, and shows the file's comments from now on. Returns nil if
    /// there is no new result.
    func takeLoaded() -> Loaded? {
        while let loaded = loaded.take() {
            guard loaded.request == lastRequest else { continue }
            if case .success(let file) = loaded.result {
                comments = file.comments
                placement = nil
                hiddenIndices = []
                hiddenUsers = []
                generation += 1
            }
            return loaded
        }
        return nil
    }

    /// Takes over newly placed comments. Returns whether there are any.
    func takePlacement() -> Bool {
        var isNew = false
        while let new = placements.take() {
            isPlacing = false
            if new.request == lastRequest { (placement, isNew) = (new, true) }
        }
        return isNew
    }

    /// Returns the comments placed for a video of `size`, in points; nil while they are being placed, and if there are
    /// none.
    func placement(for size: Size) -> Placement? {
        _ = takePlacement()
        guard !comments.isEmpty, !size.isEmpty else { return nil }
        if let placement, placement.generation == generation, placement.layout.picture == size { return placement }
        place(size)
        // A change of style or a hidden comment takes effect a moment later, without a flash.
        return placement.flatMap { $0.layout.picture == size ? $0 : nil }
    }

    private func place(_ size: Size) {
        guard !isPlacing else { return }
        isPlacing = NamedThread.detach(name: "comments") {
            [comments, hiddenIndices, hiddenUsers, style, generation, placements, request = lastRequest] in
            var hidden = hiddenIndices
            if !hiddenUsers.isEmpty {
                hidden.formUnion(comments.indices.filter { hiddenUsers.contains(comments[$0].user) })
            }
            let layout = CommentLayout(comments, hidden: hidden, picture: size, style: style)
            placements.put(
                Placement(comments: comments, layout: layout, generation: generation, request: request))
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
