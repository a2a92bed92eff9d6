/// Where the segments of a DASH representation are: the element `SegmentTemplate`, `SegmentList` or `SegmentBase`
/// (ISO/IEC 23009-1, 5.3.9).
///
/// A number that is not in the manifest is nil. An invalid number is -1, and an invalid byte range is empty; segments
/// cannot be found with either.
struct SegmentAddressing: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        /// The address of each segment is made from a template.
        case template
        /// Each segment is listed.
        case list
        /// The segments are parts of one file, which has an index of them.
        case index
    }

    /// An address relative to the representation's base URL, and a part of the data there. Without an address, the data
    /// is that of the base URL; without a range, it is all of it.
    struct Place: Hashable, Sendable {
        var address: String?
        var range: Range<Int64>?
    }

    /// An entry of a `SegmentTimeline`: one or more segments of the same duration. The times are in units of the
    /// timescale.
    struct TimelineEntry: Hashable, Sendable {
        /// When the first segment starts; nil if it follows the entry before.
        var start: Int64?
        var duration: Int64
        /// How often the segment is repeated. Negative if up to the start of the next entry, or up to the period's end.
        var repeats: Int64
    }

    var kind: Kind
    /// The number of time units per second.
    var timescale: Int64?
    /// The duration of each segment, in units of the timescale.
    var duration: Int64?
    var startNumber: Int64?
    /// The time of the period's start, in units of the timescale.
    var timeOffset: Int64?
    var media: String?
    var initialization: Place?
    var indexRange: Range<Int64>?
    var timeline: [TimelineEntry]?
    var segments: [Place] = []

    /// The largest valid number.
    static let largest: Int64 = 1 << 53

    init(_ kind: Kind) { self.kind = kind }

    /// Returns this addressing, with what it leaves out taken from `parent`, the addressing of the element around it.
    func inheriting(_ parent: SegmentAddressing?) -> SegmentAddressing {
        guard let parent, parent.kind == kind else { return self }
        var result = self
        result.timescale = timescale ?? parent.timescale
        result.duration = duration ?? parent.duration
        result.startNumber = startNumber ?? parent.startNumber
        result.timeOffset = timeOffset ?? parent.timeOffset
        result.media = media ?? parent.media
        result.initialization = initialization ?? parent.initialization
        result.indexRange = indexRange ?? parent.indexRange
        result.timeline = timeline ?? parent.timeline
        if segments.isEmpty { result.segments = parent.segments }
        return result
    }
}
