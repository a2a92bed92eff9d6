public import GlissadeDanmaku
public import GlissadePlatform

/// The comments in a file in Bilibili's XML format.
///
/// In this format, a comment is an element `<d p="time,mode,size,color,date,pool,user,id">text</d>`. The time is in
/// seconds from the start of the video. The modes are: 1 to 3, moving left; 4, resting at the bottom; 5, resting at the
/// top; 6, moving right. Comments with other modes, such as 7 (positioned) and 8 (scripted), are skipped.
public struct CommentFile: Sendable {
    /// Why comments could not be read.
    public enum Failure: Error, Equatable, CustomStringConvertible {
        case unreadable(FileContents.Failure)
        /// The file is not XML, or contains no comments.
        case noComments

        public var description: String {
            switch self {
            case .unreadable(let failure): "\(failure)"
            case .noComments: "contains no comments"
            }
        }
    }

    /// The maximum size of a file, in bytes. 100,000 comments take about 12 MiB.
    public static let largestFile = 64 << 20
    /// The maximum number of comments. Further comments are skipped.
    public static let mostComments = 200_000
    /// The maximum length of a comment's text, in Unicode scalars. Longer text is cut.
    public static let longestText = 1000

    /// The comments, in the order of the file.
    public let comments: [MovingComment]
    /// The number of comments that were skipped, because they have no text, an invalid or negative time, or an
    /// unsupported mode, or because there are too many.
    public let skippedCount: Int
    /// Whether the end of the file is missing or was left out, and comments may be missing.
    public let isDamaged: Bool

    /// Reads the comments in the file at `path`. Blocks.
    public init(_ path: BytePath) throws(Failure) {
        let bytes: [UInt8]
        do throws(FileContents.Failure) {
            bytes = try FileContents.read(path, atMost: Self.largestFile)
        } catch {
            throw .unreadable(error)
        }
        try self.init(bytes)
    }

    /// Reads the comments in `bytes`, the contents of a file. Comments before a syntax error are kept.
    public init(_ bytes: [UInt8]) throws(Failure) {
        let parser = CommentParser()
        parser.parse(bytes)
        guard !parser.comments.isEmpty || parser.skippedCount > 0 else { throw .noComments }
        (comments, skippedCount, isDamaged) = (parser.comments, parser.skippedCount, parser.isDamaged)
    }

    /// Returns the paths at which the comments of the video at `path` may be, most specific first: for `film.mkv`,
    /// these are `film.danmaku.xml` and `film.xml`.
    public static func paths(beside path: BytePath) -> [BytePath] {
        let name = path.name
        let stem = name.prefix(upTo: name.lastIndex(of: UInt8(ascii: ".")) ?? name.endIndex)
        guard !stem.isEmpty else { return [] }
        return [".danmaku.xml", ".xml"].map { path.parent.appending(Array(stem) + Array($0.utf8)) }
    }
}
