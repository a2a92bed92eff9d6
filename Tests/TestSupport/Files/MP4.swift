/// Writes MP4 files box by box, also such as no muxer would write.
package enum MP4 {
    package static func box(_ kind: String, _ content: [UInt8]) -> [UInt8] {
        bigEndian(UInt32(8 + content.count)) + Array(kind.utf8) + content
    }

    /// A box of boxes.
    package static func boxes(_ kind: String, _ content: [[UInt8]]) -> [UInt8] { box(kind, content.flatMap { $0 }) }

    /// A box that begins with a version and flags, and goes on with numbers of 32 bits.
    package static func table(_ kind: String, flags: UInt32 = 0, _ numbers: [UInt32]) -> [UInt8] {
        box(kind, bigEndian(flags) + numbers.flatMap { bigEndian($0) })
    }

    /// A track of sound without compression, all of whose samples have the same size.
    ///
    /// - Parameters:
    ///   - samples: how many there are by the table of sizes.
    ///   - step: units of time that each takes.
    ///   - chunks: how many pieces of the file they are in.
    ///   - samplesAChunk: how many each of these has.
    ///   - runs: the rows of the table that says so, instead.
    ///   - edits: how often the edit list shows all of them.
    package static func track(
        samples: UInt32, step: UInt32 = 1024, chunks: UInt32 = 1, samplesAChunk: UInt32? = nil,
        runs: [UInt32]? = nil, edits: Int = 0
    ) -> [UInt8] {
        let runs = runs ?? [1, samplesAChunk ?? samples, 1]
        let entry = box(
            "sowt",
            bigEndian(0) + [0, 0, 0, 1] + bigEndian(0) + bigEndian(0) + [0, 2, 0, 16] + bigEndian(0)
                + bigEndian(48_000 << 16))
        let tables = boxes(
            "stbl",
            [
                box("stsd", bigEndian(0) + bigEndian(1) + entry), table("stts", [1, samples, step]),
                table("stsc", [UInt32(runs.count / 3)] + runs), table("stsz", [4, samples]),
                table("stco", [chunks] + (0..<chunks).map { _ in 40 }),
            ])
        let header = table("mdhd", [0, 0, 48_000, samples &* step, 0])
        let handler = box("hdlr", bigEndian(0) + bigEndian(0) + Array("soun".utf8) + [UInt8](repeating: 0, count: 13))
        let media = boxes("mdia", [header, handler, boxes("minf", [tables])])
        // In milliseconds, as the file counts.
        let length = UInt32(clamping: UInt64(samples) * UInt64(step) / 48)
        let list = table("elst", [UInt32(edits)] + (0..<edits).flatMap { _ in [length, 0, 1 << 16] })
        let place = table("tkhd", flags: 7, [0, 0, 1, 0, 1000] + [UInt32](repeating: 0, count: 15))
        return boxes("trak", [place] + (edits > 0 ? [boxes("edts", [list])] : []) + [media])
    }

    /// A file of such tracks, and of what follows their table.
    package static func file(tracks: [[UInt8]], rest: [UInt8] = []) -> [UInt8] {
        let header = table("mvhd", [0, 0, 1000, 1000, 1 << 16] + [UInt32](repeating: 0, count: 20))
        return box("ftyp", Array("isomisom".utf8)) + boxes("moov", [header] + tracks) + rest
    }

    /// A fragment with so many samples, about which nothing else is said.
    package static func fragment(samples: UInt32) -> [UInt8] {
        boxes(
            "moof",
            [table("mfhd", [1]), boxes("traf", [table("tfhd", flags: 0x20000, [1]), table("trun", [samples])])])
    }

    /// A segment index of version 0 that comes directly before fragments of these sizes.
    package static func segmentIndex(track: UInt32 = 1, sizes: [UInt32]) -> [UInt8] {
        table("sidx", [track, 1000, 0, 0, UInt32(sizes.count)] + sizes.flatMap { [$0, 1000, 0] })
    }

    private static func bigEndian(_ value: UInt32) -> [UInt8] {
        withUnsafeBytes(of: value.bigEndian) { Array($0) }
    }
}
