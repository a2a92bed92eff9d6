/// An MP4 or QuickTime file as a tree of boxes (ISO/IEC 14496-12).
///
/// Writing the file recomputes all sizes. If media data has moved, also corrects the offsets of chunks and fragments.
package struct MP4File: StructuredFile, Hashable {
    struct Header: Hashable, Sendable {
        enum Form: Hashable, Sendable {
            case short, long
            /// The box extends to the end of the file. Only the last box may have this form.
            case toEnd
        }

        /// The box's four-character code, as a number.
        var type: UInt32
        var form: Form
        /// The position of the box's content in the parsed file; nil for a new box.
        var place: Int?
        /// The length of the box's content in the parsed file.
        var length: Int
        /// A wrong size to write; nil for the correct one.
        var claimedSize: UInt64?
    }

    typealias Box = Element<Header>

    var forest: Forest<Header>
    /// Bytes after the last box.
    private var rest: [UInt8]

    package init?(_ bytes: [UInt8]) {
        guard bytes.count >= 8, Self.beginnings.contains(Self.type(bytes, at: 4)) else { return nil }
        let (roots, end) = Self.boxes(in: bytes, 0..<bytes.count, parent: 0, depth: 0)
        guard !roots.isEmpty else { return nil }
        forest = Forest(roots: roots)
        rest = Array(bytes[end...])
    }

    private static let beginnings = Set(["ftyp", "styp", "moov", "mdat", "free", "skip", "wide", "moof"].map(type))

    package var bytes: [UInt8] {
        // Sizes do not depend on offsets, so the new positions are known before offsets are corrected.
        var roots = forest.roots
        ChunkOffsets(roots).follow(&roots)
        return roots.flatMap(Self.bytes) + rest
    }

    static func type(_ name: String) -> UInt32 { name.utf8.reduce(0) { $0 << 8 | UInt32($1) } }

    private static func type(_ bytes: [UInt8], at place: Int) -> UInt32 {
        bytes[place..<(place + 4)].reduce(0) { $0 << 8 | UInt32($1) }
    }

    // MARK: - Writing

    static func bytes(_ box: Box) -> [UInt8] {
        let content: [UInt8]
        switch box.content {
        case .bytes(let bytes): content = bytes
        case .elements(let prefix, let children): content = prefix + children.flatMap(bytes)
        }
        let header = box.header
        let type = ExtremeNumbers.bigEndian(UInt64(header.type), count: 4)
        let size = header.claimedSize ?? UInt64(headerSize(box) + content.count)
        switch header.form {
        case .short: return ExtremeNumbers.bigEndian(size, count: 4) + type + content
        case .long: return [0, 0, 0, 1] + type + ExtremeNumbers.bigEndian(size, count: 8) + content
        case .toEnd: return [0, 0, 0, 0] + type + content
        }
    }

    static func headerSize(_ box: Box) -> Int { box.header.form == .long ? 16 : 8 }

    static func size(_ box: Box) -> Int {
        switch box.content {
        case .bytes(let bytes): headerSize(box) + bytes.count
        case .elements(let prefix, let children): headerSize(box) + prefix.count + children.reduce(0) { $0 + size($1) }
        }
    }

    // MARK: - Taking apart

    /// Parses the boxes in `range`. Returns them and the position after the last one.
    private static func boxes(
        in bytes: [UInt8], _ range: Range<Int>, parent: UInt32, depth: Int
    ) -> (boxes: [Box], end: Int) {
        var boxes: [Box] = []
        var place = range.lowerBound
        while place + 8 <= range.upperBound {
            let type = type(bytes, at: place + 4)
            var size = bytes[place..<(place + 4)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            var form = Header.Form.short
            var begin = place + 8
            if size == 1, begin + 8 <= range.upperBound {
                form = .long
                size = bytes[begin..<(begin + 8)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
                begin += 8
            } else if size == 0, depth == 0 {
                form = .toEnd
                size = UInt64(range.upperBound - place)
            }
            guard size >= UInt64(begin - place), size <= UInt64(range.upperBound - place) else { break }
            let end = place + Int(size)
            let content = content(bytes, begin..<end, of: type, parent: parent, depth: depth)
            let header = Header(type: type, form: form, place: begin, length: end - begin)
            boxes.append(Box(header: header, content: content))
            place = end
        }
        return (boxes, place)
    }

    private static func content(
        _ bytes: [UInt8], _ range: Range<Int>, of type: UInt32, parent: UInt32, depth: Int
    ) -> Box.Content {
        let whole = Box.Content.bytes(Array(bytes[range]))
        guard depth < Forest<Header>.deepest, let prefix = prefix(bytes, range, of: type, parent: parent),
            range.count >= prefix
        else { return whole }
        let inner = (range.lowerBound + prefix)..<range.upperBound
        let (boxes, end) = boxes(in: bytes, inner, parent: type, depth: depth + 1)
        // If the boxes do not fill the content exactly, it is damaged or not made of boxes.
        guard end == inner.upperBound, !boxes.isEmpty || inner.isEmpty else { return whole }
        return .elements(prefix: Array(bytes[range.lowerBound..<inner.lowerBound]), boxes)
    }

    /// Returns the number of bytes before a container's first box; nil if the box is not a container.
    private static func prefix(_ bytes: [UInt8], _ range: Range<Int>, of type: UInt32, parent: UInt32) -> Int? {
        if containers.contains(type) || parent == list { return 0 }
        if type == sampleDescriptions || type == dataReferences { return 8 }
        if type == metadata {
            let isPlain = range.count >= 8 && Self.type(bytes, at: range.lowerBound + 4) == Self.type("hdlr")
            return isPlain ? 0 : 4
        }
        guard parent == sampleDescriptions else { return nil }
        if videoSamples.contains(type) { return 78 }
        guard audioSamples.contains(type), range.count >= 28 else { return nil }
        // QuickTime's audio sample descriptions have later versions that are longer.
        return switch bytes[range.lowerBound + 9] {
        case 1: 44
        case 2: 64
        default: 28
        }
    }

    private static let list = type("ilst")
    private static let sampleDescriptions = type("stsd")
    private static let dataReferences = type("dref")
    private static let metadata = type("meta")
    private static let containers = Set(
        [
            "moov", "trak", "mdia", "minf", "dinf", "stbl", "edts", "udta", "mvex", "moof", "traf", "mfra", "sinf",
            "schi",
            "ilst", "gmhd", "wave", "tref", "iprp", "ipco",
        ].map(type))
    private static let videoSamples = Set(
        ["avc1", "avc3", "hvc1", "hev1", "vp08", "vp09", "av01", "mp4v", "encv", "jpeg", "png ", "apcn"].map(type))
    private static let audioSamples = Set(
        ["mp4a", "Opus", "fLaC", "ac-3", "ec-3", "alac", "enca", "sowt", "twos", "lpcm", ".mp3"].map(type))
}
