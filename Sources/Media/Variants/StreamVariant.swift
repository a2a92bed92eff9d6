/// A variant of a stream: the same video at another size, frame rate or bit rate. Offered by HLS and DASH.
public struct StreamVariant: Hashable, Sendable {
    /// The variant's video track, as an index into `MediaInfo.tracks`.
    public var videoTrack: Int
    /// The audio tracks that belong to this variant, as indices into `MediaInfo.tracks`. Empty if the audio does not
    /// depend on the variant.
    public var audioTracks: [Int]
    /// The height of the video in pixels; nil if unknown.
    public var height: Int?
    /// The frame rate in frames per second; nil if unknown.
    public var frameRate: Double?
    /// The bit rate that the server declares, in bits per second; nil if unknown.
    public var bitRate: Int?

    /// The maximum number of variants to offer. Each variant's decoder configuration takes memory.
    public static let limit = 32
    /// The largest plausible bit rate, in bits per second. A higher declared rate counts as unknown.
    static let mostBitRate = 10_000_000_000
    /// The largest plausible height, in pixels.
    static let mostHeight = 1 << 15
    /// The largest plausible frame rate, in frames per second.
    static let mostFrameRate = 1000.0

    /// Creates a variant. Treats implausible properties as unknown.
    public init(videoTrack: Int, audioTracks: [Int] = [], height: Int?, frameRate: Double?, bitRate: Int?) {
        self.videoTrack = videoTrack
        self.audioTracks = audioTracks
        self.height = height.flatMap { (1...Self.mostHeight).contains($0) ? $0 : nil }
        self.frameRate = frameRate.flatMap { $0 > 0 && $0 <= Self.mostFrameRate ? $0 : nil }
        self.bitRate = bitRate.flatMap { (1...Self.mostBitRate).contains($0) ? $0 : nil }
    }

    /// Returns `variants` from the best to the worst, without repeated video tracks, and at most `limit` of them.
    ///
    /// - Parameter playing: A video track whose variant is always kept; nil for none.
    static func sorted(_ variants: [StreamVariant], keeping playing: Int?) -> [StreamVariant] {
        var seen: Set<Int> = []
        var sorted = variants.filter { seen.insert($0.videoTrack).inserted }
        sorted.sort { $0.rank > $1.rank }
        guard sorted.count > limit else { return sorted.count > 1 ? sorted : [] }
        let kept = sorted.firstIndex { $0.videoTrack == playing }
        if let kept, kept >= limit { sorted.swapAt(kept, limit - 1) }
        return Array(sorted.prefix(limit))
    }

    /// Orders variants by height, then by bit rate and by frame rate.
    var rank: (Int, Int, Double) { (height ?? 0, bitRate ?? 0, frameRate ?? 0) }
}
