/// Gives an MP4 file another edit list (ISO/IEC 14496-12, 8.6.6).
package enum EditedMP4 {
    /// A part of the media that a track shows; nothing for as long if `media` is nil. Both in seconds.
    package struct Edit: Sendable {
        package var length: Double
        package var media: Double?

        package init(_ length: Double, from media: Double?) { (self.length, self.media) = (length, media) }
    }

    package enum Failure: Error { case noSuchBox(String) }

    /// Replaces the edit list of the first track of `bytes`, whose index comes last in the file.
    package static func edited(_ bytes: [UInt8], _ edits: [Edit]) throws -> [UInt8] {
        var bytes = bytes
        func number(_ place: Int) -> Int { bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
        func put(_ value: Int, _ place: Int) {
            bytes.replaceSubrange(place..<place + 4, with: bigEndian(UInt32(truncatingIfNeeded: value)))
        }
        func box(_ kind: String, in range: Range<Int>) throws -> Range<Int> {
            var place = range.lowerBound
            while place + 8 <= range.upperBound {
                let length = number(place)
                if bytes[place + 4..<place + 8].elementsEqual(kind.utf8) { return place..<place + length }
                place += max(8, length)
            }
            throw Failure.noSuchBox(kind)
        }
        func inside(_ box: Range<Int>) -> Range<Int> { box.lowerBound + 8..<box.upperBound }

        let movie = try box("moov", in: bytes.indices)
        let header = try box("mvhd", in: inside(movie))
        let track = try box("trak", in: inside(movie))
        let media = try box("mdia", in: inside(track))
        let scale = Double(number(header.lowerBound + 20))
        let mediaScale = Double(number(try box("mdhd", in: inside(media)).lowerBound + 20))
        var rows: [UInt32] = []
        for edit in edits {
            let media = edit.media.map { UInt32(($0 * mediaScale).rounded()) }
            rows += [UInt32(edit.length * scale), media ?? .max, 1 << 16]
        }
        let list = MP4.boxes("edts", [MP4.table("elst", [UInt32(edits.count)] + rows)])
        let total = Int(edits.map(\.length).reduce(0, +) * scale)
        put(total, header.lowerBound + 24)
        put(total, try box("tkhd", in: inside(track)).lowerBound + 28)
        let old = try box("edts", in: inside(track))
        for outer in [movie, track] { put(outer.count + list.count - old.count, outer.lowerBound) }
        bytes.replaceSubrange(old, with: list)
        return bytes
    }
}
