/// The lines of a playlist, split as FFmpeg splits them and without white space at their ends.
struct PlaylistLines: Sequence, IteratorProtocol {
    private var rest: ArraySlice<UInt8>

    /// Creates the sequence of the lines in `text`.
    init(_ text: [UInt8]) { rest = text[...] }

    mutating func next() -> ArraySlice<UInt8>? {
        guard !rest.isEmpty else { return nil }
        let end = rest.firstIndex { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") || $0 == 0 } ?? rest.endIndex
        let line = rest[..<end]
        rest = rest[end...].dropFirst()
        let last = line.lastIndex { !" \t".utf8.contains($0) }
        return last.map { line[...$0] } ?? []
    }
}
