/// A representation of a DASH manifest that can be played, with everything that it inherits.
struct DASHStream: Sendable {
    enum Kind: Hashable, Sendable { case video, audio }

    /// A segment, with its start and its end in units of the timescale.
    private struct Segment {
        var address: String
        var range: Range<Int64>?
        var time: Range<Int64>
    }

    typealias Initialization = SegmentRemuxer.Initialization

    /// An HLS playlist of a stream's segments.
    struct Playlist: Sendable {
        var text: String
        /// When the first segment starts, in microseconds since the period's start.
        var start: Int64
        /// The URL of the last segment if it is not certain that this segment exists; otherwise nil.
        var optional: String?
        /// The initialization segment, if it has been read together with the segment index; otherwise nil.
        var initialization: [UInt8]?
    }

    /// What has been found out about the segments.
    private struct Found {
        var segments: [Segment]
        var timescale: Int64
        /// Whether it is certain that the last segment exists.
        var isLastCertain: Bool
        var initialization: [UInt8]?
    }

    let kind: Kind
    let bitRate: Int
    /// Whether the segments are MP4 and are rewritten as MPEG-TS.
    private(set) var isRemuxed = false
    /// Whether FFmpeg can seek in the stream.
    private(set) var isSeekable = false
    private let id: String
    private let base: WebAddress
    private let addressing: SegmentAddressing
    /// The duration of the period in seconds; nil if unknown.
    private let duration: Double?

    /// The maximum number of segments: more than a day in segments of a second.
    static let mostSegments = 100_000

    /// The latest plausible start of a period or a segment, in seconds. Some streams count from 1970.
    private static let latestStart = 1e11

    /// Returns the kind of a representation by what the manifest says about it; nil if it is neither video nor audio.
    static func kind(
        of representation: DASHManifest.Representation, in set: DASHManifest.AdaptationSet
    ) -> Kind? {
        let type = representation.properties.mimeType ?? set.properties.mimeType ?? ""
        let name = set.contentType ?? String(type.prefix { $0 != "/" })
        switch name {
        case "video": return .video
        case "audio": return .audio
        case "", "application": break
        default: return nil
        }
        let codecs = representation.properties.codecs ?? set.properties.codecs ?? ""
        if ["avc", "hvc", "hev", "vp0", "av01", "vvc", "vvi"].contains(where: codecs.hasPrefix) { return .video }
        return ["mp4a", "ac-3", "ec-3", "opus", "Opus", "fLaC"].contains(where: codecs.hasPrefix) ? .audio : nil
    }

    /// - Parameters:
    ///   - address: The manifest's own URL.
    ///   - rewrites: Whether MP4 segments are rewritten, because FFmpeg cannot seek in them.
    init(
        _ representation: DASHManifest.Representation, _ kind: Kind, in set: DASHManifest.AdaptationSet,
        of manifest: DASHManifest, at address: WebAddress, rewrites: Bool
    ) throws(DASHFailure) {
        let (properties, shared) = (representation.properties, set.properties)
        if properties.isEncrypted || shared.isEncrypted { throw .encrypted }
        if (properties.mimeType ?? shared.mimeType)?.hasSuffix("/webm") == true { throw .webM }
        var base = address
        for text in [manifest.baseURL, manifest.periodBaseURL, shared.baseURL, properties.baseURL] {
            guard let text, !text.isEmpty else { continue }
            guard let next = base.resolving(text) else { throw .invalidAddress }
            base = next
        }
        guard SegmentTemplate.isUsable(base.text) else { throw .invalidAddress }
        let outer = shared.addressing?.inheriting(manifest.periodAddressing) ?? manifest.periodAddressing
        guard let addressing = properties.addressing?.inheriting(outer) ?? outer else { throw .invalidIndex }
        self.kind = kind
        self.base = base
        self.addressing = addressing
        id = representation.id
        bitRate = representation.bandwidth
        duration = manifest.periodDuration ?? manifest.duration
        let type = properties.mimeType ?? shared.mimeType ?? ""
        let codecs = properties.codecs ?? shared.codecs ?? ""
        let isKnown = ["avc", "hvc", "hev", "mp4a", "ac-3", "ec-3"].contains(where: codecs.hasPrefix)
        let hasInitialization = try initialization() != nil
        isRemuxed = rewrites && !type.hasSuffix("/mp2t") && (codecs.isEmpty || isKnown) && hasInitialization
        isSeekable = isRemuxed || !rewrites || type.hasSuffix("/mp2t")
    }

    // MARK: - The HLS playlist

    /// Returns an HLS playlist of the segments.
    ///
    /// - Parameters:
    ///   - name: The fragment that marks the addresses of segments to rewrite.
    ///   - cost: Increased by the memory that finding the segments takes, in bytes, also if it fails.
    ///   - readIndex: Returns a part of the data behind a URL; nil if it cannot be read.
    func playlist(
        named name: String, cost: inout Int, _ readIndex: (WebAddress, Range<Int64>) -> [UInt8]?
    ) throws(DASHFailure) -> Playlist {
        let found = try findSegments(&cost, readIndex)
        var segments = found.segments
        let timescale = found.timescale
        guard let first = segments.first, let last = segments.last else { throw .invalidSegments }
        for index in segments.indices.dropLast() {
            let (start, next) = (segments[index].time.lowerBound, segments[index + 1].time.lowerBound)
            guard start < next else { throw .invalidSegments }
            // A segment lasts until the next one, so that the times in the playlist are those of the segments.
            segments[index].time = start..<next
        }
        let origin = first.time.lowerBound
        guard Double(last.time.upperBound - origin) / Double(timescale) <= DASHManifest.longestDuration else {
            throw .invalidSegments
        }
        // FFmpeg drops the keyframe at which a segment starts if the playlist says that the segment starts later, if only
        // by a microsecond. The times are therefore rounded down, and two microseconds early.
        func microseconds(_ time: Int64) -> Int64 {
            time == origin ? 0 : Int64(Double(time - origin) / Double(timescale) * 1e6) - 2
        }
        var text = "#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-PLAYLIST-TYPE:VOD\n"
        let initialization = try self.initialization()
        if !isRemuxed, let start = initialization {
            text += Self.map(of: start)
        }
        var longest: Int64 = 0
        for segment in segments {
            let length = max(0, microseconds(segment.time.upperBound) - microseconds(segment.time.lowerBound))
            longest = max(longest, length)
            let fraction = String(length % 1_000_000 + 1_000_000).dropFirst()
            text += "#EXTINF:\(length / 1_000_000).\(fraction),\n"
            if isRemuxed {
                // FFmpeg would apply the range to the rewritten segment, so it is part of the mark.
                let range = segment.range.map { ":\($0.lowerBound)-\($0.upperBound)" } ?? ""
                text += "\(segment.address)#\(name)\(range)\n"
            } else {
                if let range = segment.range { text += "#EXT-X-BYTERANGE:\(range.count)@\(range.lowerBound)\n" }
                text += segment.address + "\n"
            }
            guard text.utf8.count <= PlaylistScanner.Kind.hls.mostBytes else { throw .tooManySegments }
        }
        text += "#EXT-X-TARGETDURATION:\(longest / 1_000_000 + 1)\n#EXT-X-ENDLIST\n"
        return Playlist(
            text: text, start: try start(of: first, timescale), optional: found.isLastCertain ? nil : last.address,
            initialization: found.initialization)
    }

    /// Returns when a segment starts, in microseconds since the period's start.
    private func start(of segment: Segment, _ timescale: Int64) throws(DASHFailure) -> Int64 {
        let start = Double(segment.time.lowerBound) / Double(timescale)
        guard start <= Self.latestStart else { throw .invalidSegments }
        return Int64(start * 1e6) - Int64(try periodStart() * 1e6)
    }

    /// The time of the period's start in the segments, in seconds.
    private func periodStart() throws(DASHFailure) -> Double {
        let start = Double(addressing.timeOffset ?? 0) / Double(addressing.timescale ?? 1)
        guard (0...Self.latestStart).contains(start) else { throw .invalidSegments }
        return start
    }

    private static func map(of start: Initialization) -> String {
        let range = start.range.map { ",BYTERANGE=\"\($0.count)@\($0.lowerBound)\"" } ?? ""
        return "#EXT-X-MAP:URI=\"\(start.address)\"\(range)\n"
    }

    /// Returns a playlist of segments to rewrite as one of the segments themselves.
    static func direct(_ text: String, after start: Initialization) -> String {
        var (result, isFirst) = ("", true)
        for line in text.split(separator: "\n") {
            if isFirst, line.hasPrefix("#EXTINF") {
                result += map(of: start)
                isFirst = false
            }
            guard !line.hasPrefix("#"), let mark = line.firstIndex(of: "#") else {
                result += line + "\n"
                continue
            }
            let range = line[mark...].split(separator: ":").dropFirst().first ?? ""
            let ends = range.split(separator: "-").compactMap { Int64($0) }
            if ends.count == 2 { result += "#EXT-X-BYTERANGE:\(ends[1] - ends[0])@\(ends[0])\n" }
            result += line[..<mark] + "\n"
        }
        return result
    }

    /// Returns the initialization segment; nil if there is none.
    func initialization() throws(DASHFailure) -> Initialization? {
        var place = addressing.initialization
        if addressing.kind == .index, place == nil, let index = addressing.indexRange, index.lowerBound > 0 {
            // The file begins with it.
            place = SegmentAddressing.Place(range: 0..<index.lowerBound)
        }
        guard let place else { return nil }
        if place.range?.isEmpty == true { throw .invalidSegments }
        // The times are those since the period's start, and the margin.
        return Initialization(
            address: try address(of: place), range: place.range,
            offset: Initialization.margin - Int64(try periodStart() * 1e6))
    }

    private func address(of place: SegmentAddressing.Place) throws(DASHFailure) -> String {
        guard let text = place.address, !text.isEmpty else { return base.text }
        if addressing.kind == .template {
            return try SegmentTemplate(text, id: id, bandwidth: bitRate, base: base).address(number: 0, time: 0)
        }
        guard let address = base.resolving(text), SegmentTemplate.isUsable(address.text) else { throw .invalidAddress }
        return address.text
    }

    // MARK: - Segments

    private func findSegments(
        _ cost: inout Int, _ readIndex: (WebAddress, Range<Int64>) -> [UInt8]?
    ) throws(DASHFailure) -> Found {
        let timescale = addressing.timescale ?? 1
        guard timescale > 0 else { throw .invalidSegments }
        switch addressing.kind {
        case .index:
            guard let range = addressing.indexRange, Int64(range.count) <= SegmentIndex.mostBytes, !range.isEmpty
            else { throw .invalidIndex }
            // One request is enough if the initialization segment comes directly before the index.
            let head = isRemuxed ? try initializationRange(before: range) : nil
            guard var bytes = readIndex(base, (head?.lowerBound ?? range.lowerBound)..<range.upperBound) else {
                throw .invalidIndex
            }
            cost += bytes.count
            let initialization = head.map { Array(bytes.prefix($0.count)) }
            bytes.removeFirst(min(head?.count ?? 0, bytes.count))
            guard let index = SegmentIndex(bytes, at: range.lowerBound) else { throw .invalidIndex }
            let segments = index.segments.map { Segment(address: base.text, range: $0.range, time: $0.time) }
            return Found(
                segments: segments, timescale: index.timescale, isLastCertain: true, initialization: initialization)
        case .list:
            var (segments, byteCount): ([Segment], Int64) = ([], 0)
            let (times, _) = try findTimes(timescale, count: addressing.segments.count)
            for (place, time) in zip(addressing.segments, times) {
                if place.range?.isEmpty == true { throw .invalidSegments }
                let address = try address(of: place)
                byteCount += Int64(address.utf8.count)
                cost += address.utf8.count
                guard byteCount <= PlaylistScanner.Kind.hls.mostBytes else { throw .tooManySegments }
                segments.append(Segment(address: address, range: place.range, time: time))
            }
            return Found(segments: segments, timescale: timescale, isLastCertain: true)
        case .template:
            guard let media = addressing.media else { throw .invalidSegments }
            let template = try SegmentTemplate(media, id: id, bandwidth: bitRate, base: base)
            let (times, isLastCertain) = try findTimes(timescale, count: nil)
            let number = addressing.startNumber ?? 1
            guard number >= 0, template.isVariable || times.count == 1 else { throw .invalidSegments }
            guard times.count * template.byteCount <= PlaylistScanner.Kind.hls.mostBytes else {
                throw .tooManySegments
            }
            cost += times.count * template.byteCount
            let segments = times.enumerated().map { index, time in
                Segment(address: template.address(number: number + Int64(index), time: time.lowerBound), time: time)
            }
            return Found(segments: segments, timescale: timescale, isLastCertain: isLastCertain)
        }
    }

    /// Returns the range of the initialization segment if it is small, and comes directly before an index in the same
    /// file; otherwise nil.
    private func initializationRange(before index: Range<Int64>) throws(DASHFailure) -> Range<Int64>? {
        guard let start = try initialization(), start.address == base.text, let range = start.range,
            range.upperBound == index.lowerBound, index.upperBound - range.lowerBound <= ResourceSession.mostSmallBytes
        else { return nil }
        return range
    }

    /// Returns the times of the segments in units of the timescale, and whether it is certain that the last one exists.
    /// It is not if the number of segments follows from the period's duration, which is often rounded up.
    ///
    /// - Parameter count: The number of segments; nil if unknown.
    private func findTimes(
        _ timescale: Int64, count: Int?
    ) throws(DASHFailure) -> (times: [Range<Int64>], isLastCertain: Bool) {
        let offset = addressing.timeOffset ?? 0
        guard offset >= 0 else { throw .invalidSegments }
        let end = duration.map { Double(offset) + ($0 * Double(timescale)).rounded() }
            .flatMap { $0 <= Double(SegmentAddressing.largest) ? Int64($0) : nil }
        if let timeline = addressing.timeline { return try Self.times(timeline, until: end) }
        guard let length = addressing.duration ?? (count == 1 ? end.map { $0 - offset } : nil), length > 0 else {
            throw .invalidSegments
        }
        var number = Int64(count ?? 0)
        if count == nil {
            guard let end, end > offset else { throw .invalidSegments }
            number = (end - offset - 1) / length + 1
        }
        guard number <= Self.mostSegments else { throw .tooManySegments }
        guard Double(number) * Double(length) <= Double(SegmentAddressing.largest) else { throw .invalidSegments }
        let times = (0..<number).map { offset + $0 * length..<offset + ($0 + 1) * length }
        return (Self.cut(times, at: end), count != nil)
    }

    private static func times(
        _ timeline: [SegmentAddressing.TimelineEntry], until end: Int64?
    ) throws(DASHFailure) -> (times: [Range<Int64>], isLastCertain: Bool) {
        var times: [Range<Int64>] = []
        var (time, isLastCertain) = (Int64(0), true)
        for (index, entry) in timeline.enumerated() {
            time = entry.start ?? time
            guard entry.duration > 0, (0...SegmentAddressing.largest).contains(time) else { throw .invalidSegments }
            var repeats = entry.repeats
            if repeats < 0 {
                let isLast = index == timeline.count - 1
                guard let limit = isLast ? end : timeline[index + 1].start, limit > time else { throw .invalidSegments }
                repeats = (limit - time - 1) / entry.duration
                if isLast { isLastCertain = false }
            }
            guard repeats < mostSegments - times.count else { throw .tooManySegments }
            for _ in 0...repeats {
                guard time <= SegmentAddressing.largest else { throw .invalidSegments }
                times.append(time..<time + entry.duration)
                time += entry.duration
            }
        }
        return (isLastCertain ? times : cut(times, at: end), isLastCertain)
    }

    /// Returns `times` without what the last segment has after `end`.
    private static func cut(_ times: [Range<Int64>], at end: Int64?) -> [Range<Int64>] {
        guard let end, let last = times.last, last.contains(end), end > last.lowerBound else { return times }
        return times.dropLast() + [last.lowerBound..<end]
    }
}
