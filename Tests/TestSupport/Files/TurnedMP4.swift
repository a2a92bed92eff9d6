/// Turns the first track of an MP4 file: in the file itself, since how `ffmpeg` is told to has changed between its versions.
///
/// The display matrix is the last but one field of the track header (ISO/IEC 14496-12, 8.3.2): nine big-endian numbers, of
/// 16.16 bits but for the last column.
package enum TurnedMP4 {
    /// The content of `file`, turned by `degrees` counter-clockwise: 0, 90, 180 or 270.
    package static func turning(_ file: [UInt8], by degrees: Int) -> [UInt8] {
        let (sine, cosine) =
            switch degrees {
            case 90: (1, 0)
            case 180: (0, -1)
            case 270: (-1, 0)
            default: (0, 1)
            }
        return placing(file, [cosine, -sine, sine, cosine])
    }

    /// The content of `file` with the four numbers `matrix` as the upper left part of its display matrix, row by row.
    package static func placing(_ file: [UInt8], _ matrix: [Int]) -> [UInt8] {
        guard let type = file.firstRange(of: Array("tkhd".utf8))?.lowerBound else { return file }
        // Of version 0: flags, two times, the track, a reserved field, the length, two reserved; layer, group, volume, reserved.
        let first = type + 4 + 4 + 4 + 4 + 4 + 4 + 4 + 8 + 8
        var turned = file
        for (index, value) in [matrix[0], matrix[1], 0, matrix[2], matrix[3]].enumerated() {
            let bytes = UInt32(bitPattern: Int32(value << 16)).bigEndian
            withUnsafeBytes(of: bytes) { turned.replaceSubrange(first + index * 4..<first + index * 4 + 4, with: $0) }
        }
        return turned
    }
}
