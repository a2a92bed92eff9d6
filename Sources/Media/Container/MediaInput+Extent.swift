import GlissadeCFFmpeg
import GlissadeTime

// Whether a file has all of its bytes. A header's duration does not tell: it may be wrong, or count a stream that does not
// play. The lengths of a container's parts, in bytes, do.

extension MediaInput {
    /// The size of the file now, in bytes; negative if it is unknown.
    package var fileSize: Int64 { context.pointee.pb.map { avio_size($0) } ?? -1 }
    /// The place up to which the file has been read, in bytes.
    package var filePlace: Int64 { context.pointee.pb.map { avio_tell($0) } ?? 0 }

    /// Whether the file is known to have all of its bytes. False if some are missing, and if that cannot be told. The
    /// position of reading does not change.
    package var isWholeFile: Bool {
        extent {
            $0.isWhole(
                as: $1, isEstimated: context.pointee.duration_estimation_method == AVFMT_DURATION_FROM_BITRATE)
        } ?? false
    }

    /// Whether the file is known to end within its pictures or sound, although its duration may be that of what is there.
    /// The position of reading does not change.
    package var isCutFile: Bool { extent { $0.isCut(as: $1) } ?? false }

    /// Has `body` look at the file, given FFmpeg's name of its container. Nil if that cannot be done. The position of
    /// reading does not change.
    func extent<R>(_ body: (FileExtent, String) -> R) -> R? {
        guard let file = context.pointee.pb, file.pointee.seekable & AVIO_SEEKABLE_NORMAL != 0,
            let format = context.pointee.iformat
        else { return nil }
        let size = avio_size(file)
        guard size > 0 else { return nil }
        let place = avio_tell(file)
        defer { _ = avio_seek(file, place, SEEK_SET) }
        let extent = FileExtent(size: size) { place, count in
            guard avio_seek(file, place, SEEK_SET) >= 0 else { return [] }
            return [UInt8](unsafeUninitializedCapacity: count) { bytes, filled in
                filled = max(0, Int(avio_read(file, bytes.baseAddress, CInt(count))))
            }
        }
        return body(extent, String(cString: format.pointee.name))
    }
}

/// Compares the lengths that a container declares for its parts with the size of the file.
///
/// The formats: ISO/IEC 14496-12, 4.2 (boxes); RFC 8794 and RFC 9559 (EBML and Matroska); RIFF and RF64 (EBU Tech 3306);
/// Adobe's Video File Format Specification 10.1, annex E (FLV); ASF 01.20.03, 3.2 (file properties).
struct FileExtent {
    /// The size of the file in bytes.
    let size: Int64
    /// Reads bytes: the position and their number. Returns fewer where the file ends.
    let read: (Int64, Int) -> [UInt8]

    /// The most parts to go through.
    private static let mostParts = 100_000

    /// Whether a file in the container that FFmpeg calls `format` is known to have all of its bytes.
    ///
    /// - Parameter isEstimated: Whether the duration was only guessed from the bit rate.
    func isWhole(as format: String, isEstimated: Bool = false) -> Bool {
        switch format {
        // Their durations were read from the end of the file.
        case "mpegts", "mpeg", "ogg": true
        case "matroska,webm": hasWholeSegment
        case "mov,mp4,m4a,3gp,3g2,mj2": hasWholeBoxes
        case "avi", "wav": hasWholeRIFF
        case "flv": hasWholeTag
        case "asf": hasDeclaredSize
        default: isEstimated
        }
    }

    /// Whether a file in the container that FFmpeg calls `format` ends within its pictures or sound. FFmpeg shortens the
    /// durations of these containers to what is there. A file that only lacks its index is not cut.
    func isCut(as format: String) -> Bool {
        guard ["avi", "wav"].contains(format) else { return false }
        var place: Int64 = 0
        for _ in 0..<Self.mostParts {
            guard let kind = name(place), let length = number(place + 4, 4, isLittle: true) else { return false }
            let body = place + 8
            // Programs that cannot go back, as into a pipe, write a length near the largest one.
            if length >= UInt64(UInt32.max) &- 0xFFFF || (0x7FFF_0000...0x7FFF_FFFF).contains(length) { return false }
            let end = body + Int64(length)
            switch kind {
            case "RIFF": place = body + 4
            case "data" where end > size + Self.slack: return true
            case "LIST" where end > size + Self.slack && name(body) == "movi": return true
            default: place = end + end % 2
            }
        }
        return false
    }

    /// How many bytes too large a length may be: some programs count a part's own head, or padding.
    private static let slack: Int64 = 16

    func number(_ place: Int64, _ count: Int, isLittle: Bool = false) -> UInt64? {
        let bytes = read(place, count)
        guard bytes.count == count else { return nil }
        return (isLittle ? bytes.reversed() : bytes).reduce(0) { $0 << 8 | UInt64($1) }
    }

    private func name(_ place: Int64) -> String? {
        let bytes = read(place, 4)
        return bytes.count == 4 ? String(decoding: bytes, as: UTF8.self) : nil
    }

    /// Goes through parts that follow each other. Returns whether the last one ends where the file ends, or before.
    ///
    /// - Parameter next: Returns where the part at a position ends; nil if that cannot be told.
    private func endsInside(from start: Int64 = 0, _ next: (Int64) -> Int64?) -> Bool {
        var place = start
        for _ in 0..<Self.mostParts {
            if place == size { return true }
            guard place < size, let end = next(place), end > place else { return false }
            place = end
        }
        return false
    }

    private var hasWholeBoxes: Bool {
        endsInside { place in
            guard let short = number(place, 4) else { return nil }
            switch short {
            // To the end of the file, whatever its size is.
            case 0: return size
            case 1: return number(place + 8, 8).flatMap { place.adding(bytes: $0) }
            default: return place.adding(bytes: short)
            }
        }
    }

    /// An EBML number of variable length at `place`: its value without the marker, and the number of its bytes. The value
    /// is nil if all of its bits are set, which means that it is unknown.
    func variable(_ place: Int64) -> (value: UInt64?, count: Int)? {
        guard let first = read(place, 1).first, first != 0 else { return nil }
        let count = first.leadingZeroBitCount + 1
        guard let all = number(place, count) else { return nil }
        let mask = UInt64(1) << UInt64(7 * count) - 1
        return (all & mask == mask ? nil : all & mask, count)
    }

    private var hasWholeSegment: Bool {
        endsInside { place in
            guard let first = read(place, 1).first, first != 0 else { return nil }
            let body = place + Int64(first.leadingZeroBitCount) + 1
            guard let length = variable(body), let value = length.value else { return nil }
            return (body + Int64(length.count)).adding(bytes: value)
        }
    }

    private var hasWholeRIFF: Bool {
        endsInside { place in
            guard let length = number(place + 4, 4, isLittle: true), let kind = name(place) else { return nil }
            switch kind {
            // The length is that in the first chunk, which has 64 bits for it.
            case "RF64", "BW64":
                guard name(place + 12) == "ds64" else { return nil }
                return number(place + 20, 8, isLittle: true).flatMap { (place + 8).adding(bytes: $0) }
            // What is written while recording may have a length of 0, or the largest one.
            case "RIFF" where length > 0 && length < UInt64(UInt32.max):
                let end = (place + 8).adding(bytes: length)
                // Chunks are padded to an even length, which some programs do not count.
                return end.map { $0 + 1 == size ? size : $0 }
            default: return nil
            }
        }
    }

    /// Whether the file ends with the length of the tag before it, as each tag of FLV does.
    private var hasWholeTag: Bool {
        guard let length = number(size - 4, 4), length >= 11, let tag = (size - 4).subtracting(bytes: length),
            tag >= 9, let head = number(tag, 4)
        else { return false }
        return [8, 9, 18].contains(head >> 24 & 0x1F) && head & 0xFF_FFFF == length - 11
    }

    private var hasDeclaredSize: Bool {
        // The file properties are among the objects of the header, which come first.
        let head = read(0, 1 << 12)
        let identifier: [UInt8] = [
            0xA1, 0xDC, 0xAB, 0x8C, 0x47, 0xA9, 0xCF, 0x11, 0x8E, 0xE4, 0x00, 0xC0, 0x0C, 0x20, 0x53, 0x65,
        ]
        guard head.count > 64, let place = head.indices.first(where: { head[$0...].starts(with: identifier) }) else {
            return false
        }
        guard let declared = number(Int64(place) + 40, 8, isLittle: true) else { return false }
        return declared > 0 && declared <= UInt64(size)
    }
}

extension Int64 {
    fileprivate func adding(bytes: UInt64) -> Int64? {
        guard bytes <= UInt64(Int64.max) else { return nil }
        let (sum, overflow) = addingReportingOverflow(Int64(bytes))
        return overflow ? nil : sum
    }

    fileprivate func subtracting(bytes: UInt64) -> Int64? {
        bytes <= UInt64(Int64.max) && Int64(bytes) <= self ? self - Int64(bytes) : nil
    }
}
