/// Corrects offsets into media data that has moved.
struct ChunkOffsets {
    /// The old range of each `mdat` box's content, and the distance by which the content has moved.
    private var moves: [(range: Range<Int>, distance: Int)] = []

    init(_ roots: [MP4File.Box]) {
        var place = 0
        for box in roots {
            let begin = place + MP4File.headerSize(box)
            if box.header.type == Self.mediaData, let old = box.header.place {
                moves.append((old..<(old + max(1, box.header.length)), begin - old))
            }
            place += MP4File.size(box)
        }
    }

    func follow(_ boxes: inout [MP4File.Box]) {
        for index in boxes.indices {
            if boxes[index].header.type == Self.fragment { followFragment(&boxes[index]) }
            switch boxes[index].content {
            case .elements(let prefix, var children):
                guard Self.parents.contains(boxes[index].header.type) else { continue }
                follow(&children)
                boxes[index].content = .elements(prefix: prefix, children)
            case .bytes(var bytes):
                let width = boxes[index].header.type == Self.offsets ? 4 : 8
                guard width == 4 || boxes[index].header.type == Self.longOffsets,
                    moves.contains(where: { $0.distance != 0 })
                else { continue }
                // The box consists of version and flags, a count, and the offsets. Only offsets into media data are
                // corrected.
                for place in stride(from: 8, through: bytes.count - width, by: width) {
                    let old = bytes[place..<(place + width)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
                    guard let offset = Int(exactly: old), let move = moves.first(where: { $0.range.contains(offset) })
                    else { continue }
                    let new = UInt64(truncatingIfNeeded: offset &+ move.distance)
                    bytes.replaceSubrange(place..<(place + width), with: ExtremeNumbers.bigEndian(new, count: width))
                }
                boxes[index].content = .bytes(bytes)
            }
        }
    }

    /// Adds a fragment's growth to the data offsets of its runs, which are relative to the start of the fragment.
    private func followFragment(_ fragment: inout MP4File.Box) {
        guard fragment.header.place != nil, case .elements(let prefix, var children) = fragment.content else { return }
        let grown = MP4File.size(fragment) - MP4File.headerSize(fragment) - fragment.header.length
        guard grown != 0 else { return }
        for index in children.indices where children[index].header.type == Self.track {
            guard case .elements(let prefix, var runs) = children[index].content else { continue }
            for run in runs.indices where runs[run].header.type == Self.run {
                guard case .bytes(var bytes) = runs[run].content, bytes.count >= 12, bytes[3] & 1 != 0 else { continue }
                let old = bytes[8..<12].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
                let new = UInt64(old &+ UInt32(truncatingIfNeeded: grown))
                bytes.replaceSubrange(8..<12, with: ExtremeNumbers.bigEndian(new, count: 4))
                runs[run].content = .bytes(bytes)
            }
            children[index].content = .elements(prefix: prefix, runs)
        }
        fragment.content = .elements(prefix: prefix, children)
    }

    private static let mediaData = MP4File.type("mdat")
    private static let offsets = MP4File.type("stco")
    private static let longOffsets = MP4File.type("co64")
    private static let parents = Set(["moov", "trak", "mdia", "minf", "stbl"].map(MP4File.type))
    private static let fragment = MP4File.type("moof")
    private static let track = MP4File.type("traf")
    private static let run = MP4File.type("trun")
}
