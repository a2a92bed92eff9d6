/// The pages of an Ogg file (RFC 3533, 6).
enum OggPages {
    /// The size of a page's head without its table, and the most bytes that a page has.
    private static let (head, longest) = (27, 65_307)
    /// The most streams that begin together.
    private static let mostStreams = 256

    /// Whether the last page is of a stream that does not begin with the file: then streams follow each other.
    static func isChain(_ file: FileExtent) -> Bool {
        let tail = file.read(max(0, file.size - Int64(longest)), longest)
        guard let last = stride(from: tail.count - head, through: 0, by: -1).first(where: { isHead(tail[$0...]) })
        else { return false }
        let serial = tail[(last + 14)..<(last + 18)]
        var place: Int64 = 0
        for index in 0..<mostStreams {
            let page = file.read(place, head + 255)
            guard page.count >= head, isHead(page[...]) else { return false }
            // The pages that begin a stream come before all others.
            guard page[5] & 2 != 0 else { return index > 0 }
            if page[14..<18].elementsEqual(serial) { return false }
            let count = Int(page[26])
            guard page.count >= head + count else { return false }
            place += Int64(head + count + page[head..<(head + count)].reduce(0) { $0 + Int($1) })
        }
        return false
    }

    /// Whether `bytes` begin as a page does.
    private static func isHead(_ bytes: ArraySlice<UInt8>) -> Bool {
        let start = bytes.startIndex
        return bytes.starts(with: "OggS".utf8) && bytes[start + 4] == 0 && bytes[start + 5] <= 7
    }
}
