import GlissadeMedia
import GlissadeTime

/// How a file grows while it plays, as a recording does.
///
/// Reads no clock: the time is passed in.
struct FileGrowth {
    /// A file that has not grown for this long is whole.
    static let patience = Duration.seconds(2)
    /// The time between looks at the size.
    private static let interval = Duration.seconds(1)
    /// How much to leave unread of a growing file: a packet that is not all there would be damaged.
    private static let leftover = Duration.milliseconds(500)

    /// The size when the file was opened, in bytes, and its length then, in nanoseconds; nil if unknown.
    private let first: (size: Int64, length: Int64?)
    private(set) var size: Int64
    private let unread: Int64
    private var grewAt: HostTime?
    private var next = HostTime(nanoseconds: 0)

    init(size: Int64, length: Duration?) {
        first = (size, length.map(\.nanoseconds))
        self.size = size
        unread = Self.unread(size, first.length)
    }

    /// That of one of joined files, which `input` is; nil if others follow it.
    init?(of input: borrowing MediaInput, _ part: FilePart) {
        guard part.isLast else { return nil }
        self.init(size: input.fileSize, length: .nanoseconds(part.length))
    }

    /// Whether to look at the size, after the file has been read up to `place`.
    func isDue(_ place: Int64, at now: HostTime) -> Bool { now >= next || isNearEnd(place) }

    /// Whether nothing more may be read now, after the file has been read up to `place`.
    func waits(_ place: Int64, at now: HostTime) -> Bool { isNearEnd(place) && isGrowing(at: now) }

    private func isNearEnd(_ place: Int64) -> Bool { size.subtractingClamped(place) < unread }

    /// Notes the size in bytes. Returns whether it has grown.
    mutating func note(size new: Int64, at now: HostTime) -> Bool {
        next = now + Self.interval
        guard new > size else { return false }
        (size, grewAt) = (new, now)
        return true
    }

    func isGrowing(at now: HostTime) -> Bool { grewAt.map { now < $0 + Self.patience } ?? false }

    /// The length in nanoseconds, if it grows as the size does; nil if unknown.
    var length: Int64? {
        guard let length = first.length, length > 0, first.size > 0 else { return nil }
        return Int64(min(Double(length) * Double(size) / Double(first.size), Double(PacketTimeline.farthest)))
    }

    /// The number of bytes to leave unread while the file grows.
    private static func unread(_ size: Int64, _ length: Int64?) -> Int64 {
        guard let length, length > 0 else { return 1 << 16 }
        let rate = Double(max(0, size)) / Double(length)
        return Int64(min(max(rate * Double(leftover.nanoseconds), 16_384), 1_048_576))
    }
}
