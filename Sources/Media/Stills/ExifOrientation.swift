import GlissadeCFFmpeg

/// Finds the orientation that the Exif data of a picture gives.
///
/// FFmpeg reads it of JPEG while it decodes, and of PNG and WebP only since version 8. Found here, before the picture is
/// decoded, it is also what is said about the file.
enum ExifOrientation {
    /// A function that reads `count` bytes of the file at the offset `place`, or fewer at the end of the file.
    typealias Read = (_ place: Int64, _ count: Int) -> [UInt8]

    /// The most segments or chunks to look at.
    private static let mostParts = 256
    /// The most bytes of Exif data to read: those of a JPEG's segment. The orientation is in the first of its tables.
    private static let mostBytes = 0xFFFF
    /// The most entries of the first table to look at.
    private static let mostEntries = 512

    /// Returns the orientation of the JPEG, PNG or WebP file that `read` reads, 1…8 (Exif 2.32, 4.6.5, tag 0x0112). Nil
    /// if it has none, or is no such file.
    static func find(_ read: Read) -> Int? {
        let head = read(0, 12)
        if head.starts(with: [0xFF, 0xD8]) { return inJPEG(read) }
        if head.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return inPNG(read) }
        if head.starts(with: "RIFF".utf8), head.dropFirst(8).elementsEqual("WEBP".utf8) { return inWebP(read) }
        return nil
    }

    /// The upper left part of the display matrix for each orientation, row by row: see `Orientation`.
    static func matrix(_ orientation: Int) -> (a: Int32, b: Int32, c: Int32, d: Int32) {
        switch orientation {
        case 2: (-1, 0, 0, 1)
        case 3: (-1, 0, 0, -1)
        case 4: (1, 0, 0, -1)
        case 5: (0, 1, 1, 0)
        case 6: (0, 1, -1, 0)
        case 7: (0, -1, -1, 0)
        case 8: (0, -1, 1, 0)
        default: (1, 0, 0, 1)
        }
    }

    /// Looks at the segments before the first scan (ISO/IEC 10918-1, B.1.1).
    private static func inJPEG(_ read: Read) -> Int? {
        var place: Int64 = 2
        for _ in 0..<mostParts {
            let head = read(place, 4)
            guard head.count == 4, head[0] == 0xFF else { return nil }
            switch head[1] {
            case 0xFF: place += 1
            case 0x01, 0xD0...0xD7: place += 2
            case 0xD9, 0xDA: return nil
            default:
                let length = Int(head[2]) << 8 | Int(head[3])
                guard length >= 2 else { return nil }
                if head[1] == 0xE1, let found = inTIFF(exif(read(place + 4, length - 2)), isMarked: true) {
                    return found
                }
                place += 2 + Int64(length)
            }
        }
        return nil
    }

    /// Looks at the chunks before the picture (PNG 3, 5.3 and 11.3.4.5).
    private static func inPNG(_ read: Read) -> Int? {
        var place: Int64 = 8
        for _ in 0..<mostParts {
            let head = read(place, 8)
            guard head.count == 8 else { return nil }
            let length = head[..<4].reduce(0) { $0 << 8 | Int64($1) }
            let kind = head[4...]
            if kind.elementsEqual("IDAT".utf8) || kind.elementsEqual("IEND".utf8) { return nil }
            if kind.elementsEqual("eXIf".utf8) {
                return inTIFF(exif(read(place + 8, Int(min(length, Int64(mostBytes))))), isMarked: false)
            }
            place += 12 + length
        }
        return nil
    }

    /// Looks at the chunks of an extended file (RFC 9649, 2.7).
    private static func inWebP(_ read: Read) -> Int? {
        var place: Int64 = 12
        for _ in 0..<mostParts {
            let head = read(place, 8)
            guard head.count == 8 else { return nil }
            let length = head[4...].reversed().reduce(0) { $0 << 8 | Int64($1) }
            if head[..<4].elementsEqual("EXIF".utf8) {
                return inTIFF(exif(read(place + 8, Int(min(length, Int64(mostBytes))))), isMarked: false)
            }
            place += 8 + length + length % 2
        }
        return nil
    }

    /// Splits the mark off that Exif data begins with in JPEG, and by mistake in some WebP files.
    private static func exif(_ bytes: [UInt8]) -> (tiff: ArraySlice<UInt8>, isMarked: Bool) {
        let isMarked = bytes.starts(with: Array("Exif\0\0".utf8))
        return (bytes.dropFirst(isMarked ? 6 : 0), isMarked)
    }

    /// Reads the orientation in the first table of a TIFF structure (TIFF 6.0, section 2).
    ///
    /// - Parameter isMarked: Whether data without a mark is something else.
    private static func inTIFF(_ data: (tiff: ArraySlice<UInt8>, isMarked: Bool), isMarked: Bool) -> Int? {
        guard data.isMarked || !isMarked else { return nil }
        let bytes = Array(data.tiff)
        let isBigEndian = bytes.starts(with: "MM".utf8)
        guard isBigEndian || bytes.starts(with: "II".utf8) else { return nil }
        func number(_ place: Int, _ count: Int) -> Int? {
            guard place >= 0, place <= bytes.count - count else { return nil }
            let part = bytes[place..<place + count]
            return isBigEndian
                ? part.reduce(0) { $0 << 8 | Int($1) } : part.reversed().reduce(0) { $0 << 8 | Int($1) }
        }
        guard number(2, 2) == 42, let table = number(4, 4), let count = number(table, 2) else { return nil }
        for index in 0..<min(count, mostEntries) {
            let entry = table + 2 + index * 12
            guard number(entry, 2) == 0x0112 else { continue }
            // A short number, or by mistake a long one.
            let value = number(entry + 2, 2) == 4 ? number(entry + 8, 4) : number(entry + 8, 2)
            return value.flatMap { (1...8).contains($0) ? $0 : nil }
        }
        return nil
    }
}
