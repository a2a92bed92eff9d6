public import GlissadeGeometry
public import GlissadeTime

/// The positions of comments over a video, at any time on its timeline.
///
/// At speed 1, a moving comment crosses the video in 8 s, so long comments are faster than short ones. Other comments
/// rest for 4 s. The video is divided into horizontal lanes. Each comment takes the first lanes in which it overlaps no
/// other comment of its group (moving, top or bottom). If there are no such lanes, the comment is left out, unless the
/// style permits comments to overlap.
///
/// The layout depends only on the comments, their widths, the size of the video and the style. After a seek, comments
/// are therefore in the same places as before.
///
/// A value. `init` sorts and places all comments. The other members search only the comments near a given time.
public struct CommentLayout: Sendable {
    /// A comment and its position. Lengths are in points.
    public struct Placed: Hashable, Sendable {
        /// The comment's index in the list passed to `init`.
        public let index: Int
        /// How the comment appears.
        public let kind: MovingComment.Kind
        /// When the comment appears.
        public let start: MediaTime
        /// When the comment disappears.
        public let end: MediaTime
        /// The top edge, in the video's coordinates.
        public let y: Double
        /// The size of the comment's area. No other comment of its group enters this area, unless comments may overlap.
        public let size: Size
        /// The font size of the text.
        public let fontSize: Double
    }

    /// How long a moving comment takes to cross the video at speed 1.
    public static let crossingTime = Duration.seconds(8)
    /// How long a comment at the top or bottom rests at speed 1.
    public static let restingTime = Duration.seconds(4)
    /// The video's height divided by the usual font size, before the style's scale is applied.
    private static let linesPerHeight = 24.0
    /// The height of a comment as a multiple of its font size.
    private static let lineHeight = 1.25
    /// The minimum of the usual font size, in points, before the style's scale is applied.
    private static let smallestFont = 10.0
    /// The minimum gap between two moving comments in a lane, as a multiple of the usual font size.
    private static let gap = 0.5
    /// The permitted range of a comment's font size, as a multiple of the usual font size.
    private static let sizes = 0.5...3.0
    /// The maximum width of a moving comment, as a multiple of the video's width. Wider comments would move too fast to
    /// read.
    private static let widestFraction = 8.0
    /// The maximum width of a comment that stays in place, as a multiple of the video's width. Longer text ends with an
    /// ellipsis.
    private static let widestFixedFraction = 0.95

    /// The size of the video, in points.
    public let picture: Size
    /// The placed comments, in the order in which they appear.
    public let placed: [Placed]
    /// The number of comments that were left out because no lane was free or the limit was reached. Comments that the
    /// style hides are not counted.
    public let leftOutCount: Int
    private let crossing: Duration
    private let resting: Duration

    /// Places comments.
    ///
    /// - Parameters:
    ///   - comments: The comments, in any order. Comments with equal times are placed in the order of the list.
    ///   - widths: The width of each comment's text, as a multiple of its font size. If nil, widths are estimated.
    ///   - hidden: The indices of comments that take their lanes but are not among `placed`, so that hiding a comment
    ///     moves no other.
    ///   - picture: The size of the video, in points. If the size is empty, no comments are placed.
    public init(
        _ comments: [MovingComment], widths: [Double]? = nil, hidden: Set<Int> = [], picture: Size,
        style: CommentStyle = CommentStyle()
    ) {
        precondition(widths.map { $0.count == comments.count } ?? true, "a width for each comment")
        self.picture = picture
        let speed = style.speed.isFinite ? min(max(style.speed, 0.1), 10) : 1
        crossing = Self.crossingTime / speed
        resting = Self.restingTime / speed
        guard picture.width > 0, picture.height > 0, picture.width.isFinite, picture.height.isFinite else {
            (placed, leftOutCount) = ([], 0)
            return
        }
        let scale = style.scale.isFinite ? min(max(style.scale, 0.1), 10) : 1
        let font = max(picture.height / Self.linesPerHeight, Self.smallestFont) * scale
        let fraction = style.heightFraction.isFinite ? min(max(style.heightFraction, 0), 1) : 1
        var lanes = CommentLanes(
            height: picture.height, fraction: fraction, laneHeight: font * Self.lineHeight, width: picture.width,
            gap: font * Self.gap, crossing: Double(crossing.nanoseconds) / 1e9, overlaps: style.overlaps)
        var crowd = CommentCrowd(limit: max(style.limit, 0))
        var placed: [Placed] = []
        var leftOut = 0
        let filter = CommentFilter(style)
        let order = comments.indices.filter { filter.shows(comments[$0]) }
            .sorted { (comments[$0].time, $0) < (comments[$1].time, $1) }
        for index in order {
            let comment = comments[index]
            let size = comment.size.isFinite ? min(max(comment.size, Self.sizes.lowerBound), Self.sizes.upperBound) : 1
            let fontSize = font * size
            let relative = widths?[index] ?? comment.estimatedWidth
            let widest = comment.kind.isMoving ? Self.widestFraction : Self.widestFixedFraction
            let width = min(max(relative.isFinite ? relative : 0, 0) * fontSize, picture.width * widest)
            let duration = comment.kind.isMoving ? crossing : resting
            let height = fontSize * Self.lineHeight
            guard width > 0, crowd.hasRoom(at: comment.time),
                let y = lanes.take(comment.kind, at: comment.time.seconds, width: width, height: height)
            else {
                if width > 0 { leftOut += 1 }
                continue
            }
            let end = comment.time + duration
            crowd.add(until: end, isMoving: comment.kind.isMoving)
            if hidden.contains(index) { continue }
            placed.append(
                Placed(
                    index: index, kind: comment.kind, start: comment.time, end: end, y: y,
                    size: Size(width: width, height: height), fontSize: fontSize))
        }
        self.placed = placed
        leftOutCount = leftOut
    }

    /// Returns the frame of a placed comment at `time`, in the video's coordinates. Before its start and after its end,
    /// a moving comment is outside the video.
    public func frame(of comment: Placed, at time: MediaTime) -> Rect {
        let (video, width) = (picture.width, comment.size.width)
        // A difference of times is exact, however late in the file.
        let progress = Double((time - comment.start).nanoseconds) / Double(crossing.nanoseconds)
        let x =
            switch comment.kind {
            case .leftward: video - (video + width) * progress
            case .rightward: (video + width) * progress - width
            case .top, .bottom: (video - width) / 2
            }
        return Rect(x: x, y: comment.y, width: width, height: comment.size.height)
    }

    /// Calls `body` with each comment that is visible at `time`, in the order in which the comments appeared. Allocates
    /// nothing.
    public func forEachVisible(at time: MediaTime, _ body: (Placed) -> Void) {
        for index in range(at: time) where placed[index].start <= time && time < placed[index].end {
            body(placed[index])
        }
    }

    /// Returns when the first comment after `time` appears or disappears; nil if none does.
    public func nextChange(after time: MediaTime) -> MediaTime? {
        let next = partition { $0.start > time }
        var change = next < placed.count ? placed[next].start : nil
        for index in range(at: time) where placed[index].end > time {
            change = change.map { min($0, placed[index].end) } ?? placed[index].end
        }
        return change
    }

    /// Returns the comment that is visible at `point` and `time`; nil if there is none. If comments overlap at `point`,
    /// returns the topmost one. `point` is in the video's coordinates.
    public func comment(at point: Point, time: MediaTime) -> Placed? {
        range(at: time).reversed().lazy.map { placed[$0] }.first { comment in
            comment.start <= time && time < comment.end && frame(of: comment, at: time).contains(point)
        }
    }

    /// Returns a range of indices in `placed` that includes every comment visible at `time`.
    private func range(at time: MediaTime) -> Range<Int> {
        let longest = max(crossing, resting)
        let first = partition { $0.start > time - longest }
        return first..<max(first, partition { $0.start > time })
    }

    /// Returns the index of the first placed comment for which `isAfter` is true, or the number of placed comments if
    /// there is none. `isAfter` must also be true for all later comments.
    private func partition(_ isAfter: (Placed) -> Bool) -> Int {
        var (low, high) = (0, placed.count)
        while low < high {
            let middle = (low + high) / 2
            if isAfter(placed[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
